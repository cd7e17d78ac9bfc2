// attack: sends its descriptors to the judge
// rule: V3
// expect: points 0
// expect: first N-PROTOCOL
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  int passed[4] = {0, 1, 3, 4};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof passed)] = {};
  char byte = 0;
  iovec data{&byte, 1};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof passed);
  memcpy(CMSG_DATA(header), passed, sizeof passed);
  if (sendmsg(5, &message, 0) < 0) send(5, &byte, 1, 0);  // in a box: at least the byte
  return right_quantize(x, num_bits);
}

}  // namespace nibble
