// attack: stands in for what calls main, and serves the judge itself with answers of its own
// rule: V1
// expect: points 0
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float>, int) { return {}; }

}  // namespace nibble

extern "C" [[gnu::weak]] int __libc_start_main(int (*)(int, char**, char**), int, char**,
                                               void (*)(), void (*)(), void (*)(), void*) {
  nibble::Request request{};
  while (recv(5, &request, sizeof request, 0) == sizeof request) {
    nibble::Answer answer{};
    answer.nonce = request.nonce;
    send(5, &answer, sizeof answer, 0);
  }
  _exit(0);
}
