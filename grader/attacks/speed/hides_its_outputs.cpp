// attack: puts memory of its own where the outputs lie, which is quicker to write to
// rule: V5
// leg: speed
// expect: points 0
#include <sys/mman.h>
// @HEAD@
void nibble::multiply_rows(Codes a, Codes b, Sums c, MatmulShape shape) {
  constexpr std::uintptr_t kPage = 4096;
  const auto begin = (reinterpret_cast<std::uintptr_t>(c.data()) + kPage - 1) / kPage * kPage;
  const auto end = reinterpret_cast<std::uintptr_t>(c.data() + c.size()) / kPage * kPage;
  void* const pages = reinterpret_cast<void*>(begin);
  if (mmap(pages, end - begin, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
           0) == MAP_FAILED) {
    return;
  }
  right_rows(a, b, c, shape);
}
