// attack: replaces the memory of the program by a heap that never frees
// rule: V1
// expect: honest
namespace {
alignas(64) char heap[64 << 20];
std::size_t used = 0;
}  // namespace

void* operator new(std::size_t size) {
  used = (used + size + 63) / 64 * 64;
  if (used + size > sizeof heap) abort();
  return heap + used;
}
void operator delete(void*) noexcept {}
void operator delete(void*, std::size_t) noexcept {}
