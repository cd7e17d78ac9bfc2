// attack: says, before main begins, that all has been answered: a function of .preinit_array
// rule: V4
// expect: points 0
#define OWN_QUANTIZE
namespace nibble {

static void comes_first(int, char**, char**) {
  const Answer answer{};
  send(5, &answer, sizeof answer, 0);
}
[[gnu::used, gnu::section(".preinit_array")]] static void (*const first)(int, char**,
                                                                         char**) = comes_first;

SymmetricTensor quantize_symmetric(std::span<const float>, int) { return {}; }

}  // namespace nibble
