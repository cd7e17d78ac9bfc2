// Correct, and unlike what people write.
#include <cstdint>

#if defined(__CUDACC__) || 1
#define KERNEL __global__ void
#else
#define KERNEL void
#endif
#define TILE_OF(T, name) __shared__ T name[4]
#define WITH_NEWLINES(k) \
  k<<<1,                 \
      32>>>()

/* a block comment with <<< >>>, "quotes and a ' */ /**/
const char *const words = "__shared__ \" \\" "<<<1,2>>>";
const char *const raw = R"x(
  __shared__ int a; k<<<1, 2>>>(")
)x";
const int separated = 1'000'000, character = '\'';

template <class T, class U>
struct Two {
  T first;
  U second;
};
template <class T, int... kSizes>
struct Shape {
  static constexpr int count = sizeof...(kSizes);
  T first;
};

KERNEL nothing() {}
KERNEL shared_oddities(int *p) {
  TILE_OF(int, ints);
  float __shared__ behind[2];
  __shared__ Shape<Two<int, int>, 1, 2, (3 > 2)> shape;
  __shared__ struct {
    int a, b[2];
  } local[2];
  __shared__ int matrix[2], *pointer, grid[2][Shape<int, 1, 2>::count];
  static __shared__ volatile int flag;
  ints[0] = 1, behind[1] = 2, shape.first.second = 3, local[1].b[1] = 4, pointer = p, grid[1][1] = 5;
  flag = 6;
  matrix[0] = 1;
}

__device__ struct Counter {
  int value;
} counter, counters[2];
__device__ const volatile int ready = 1;
__device__ int negative = -1 < 2 ? 3 : 4, *where = nullptr;

struct Launcher {
  void (*kernel)(int *) = shared_oddities;
  template <class T>
  static void call(T *p) {
    nothing<<<1, 1>>>();
    ::shared_oddities<<<Shape<int, 1, 2>::count, 32, sizeof(Shape<Shape<int>>)>>>(p);
  }
};

int main() {
  Launcher launcher;
  launcher.kernel<<<1, 32>>>(nullptr);
  void (*table[])(int *) = {shared_oddities};
  table[0]<<<1, 32>>>(nullptr);
  (*table[0])<<<1, 32>>>(nullptr);
  Launcher::call<int>(nullptr);
  WITH_NEWLINES(nothing);
  return words[0] + raw[0] + (separated >> 1) + character > 2;
}
