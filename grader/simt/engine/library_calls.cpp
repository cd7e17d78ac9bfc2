// Functions of the C library that do more on a GPU, or less. Calls to them in the .cu object are
// renamed to these: what is stored through a pointer is seen as any other store, and what is beyond
// an integer ends where a GPU ends it.
#include <math.h>  // sincos, which is not in std

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <limits>

#include "fiber.hpp"
#include "finding.hpp"
#include "nibble/simt/device.hpp"
#include "nibble/simt/types.hpp"
#include "runtime_state.hpp"

namespace nibble::simt {
namespace {

/// How many arguments a format asks for; -1 when it holds a %n, which stores.
int arguments_of(const char* format) {
  int arguments = 0;
  while ((format = std::strchr(format, '%')) != nullptr) {
    const std::size_t flags = std::strspn(++format, "-+ #0123456789.*$'hlLqjztI");
    for (std::size_t i = 0; i < flags; ++i) arguments += format[i] == '*' ? 1 : 0;
    format += flags;
    if (*format == 'n') return -1;
    if (*format == 0) break;
    arguments += *format == '%' ? 0 : 1;
    ++format;
  }
  return arguments;
}

[[noreturn]] void refuse_format(const void* pc) {
  if (EngineFinding* const finding = new_finding(Kind::kRefusedStore, pc)) {
    finding->is_write = 1;
    set_detail(*finding, "%%n makes printf write to memory, which no GPU's printf does");
    publish(finding);
  }
  end_launch(kErrorIllegalAddress);
}

/// A GPU stops at the ends of the range, where C++ leaves open what comes of it; NaN is the lowest.
template <class T>
long within_long(T x, long (*rounded)(T)) {
  constexpr T kEnd = 0x1p63;
  if (x >= kEnd) return std::numeric_limits<long>::max();
  return x >= -kEnd ? rounded(x) : std::numeric_limits<long>::min();
}

}  // namespace
}  // namespace nibble::simt

using nibble::simt::touch;

extern "C" {

/// In a kernel as CUDA has it: returns the number of arguments, and knows no %n.
int nibble_simt_printf(const char* format, ...) {
  const int arguments = nibble::simt::arguments_of(format);
  if (arguments < 0 && nibble::simt::current != nullptr)
    nibble::simt::refuse_format(NIBBLE_SIMT_PC);
  va_list values;
  va_start(values, format);
  const int printed = std::vprintf(format, values);
  va_end(values);
  return printed < 0 || nibble::simt::current == nullptr ? printed : arguments;
}

// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define NIBBLE_SIMT_MATHEMATICS(T, SUFFIX)                   \
  T nibble_simt_frexp##SUFFIX(T x, int* exponent) {          \
    touch(exponent, sizeof *exponent, true, NIBBLE_SIMT_PC); \
    return ::frexp##SUFFIX(x, exponent);                     \
  }                                                          \
  T nibble_simt_modf##SUFFIX(T x, T* whole) {                \
    touch(whole, sizeof *whole, true, NIBBLE_SIMT_PC);       \
    return ::modf##SUFFIX(x, whole);                         \
  }                                                          \
  void nibble_simt_sincos##SUFFIX(T x, T* sine, T* cosine) { \
    touch(sine, sizeof *sine, true, NIBBLE_SIMT_PC);         \
    touch(cosine, sizeof *cosine, true, NIBBLE_SIMT_PC);     \
    ::sincos##SUFFIX(x, sine, cosine);                       \
  }
#define NIBBLE_SIMT_TO_INTEGER(NAME, T)                                         \
  long nibble_simt_##NAME(T x) { return nibble::simt::within_long(x, ::NAME); } \
  long long nibble_simt_l##NAME(T x) { return nibble::simt::within_long(x, ::NAME); }
NIBBLE_SIMT_TO_INTEGER(lrint, double)
NIBBLE_SIMT_TO_INTEGER(lrintf, float)
NIBBLE_SIMT_TO_INTEGER(lround, double)
NIBBLE_SIMT_TO_INTEGER(lroundf, float)
#undef NIBBLE_SIMT_TO_INTEGER
NIBBLE_SIMT_MATHEMATICS(double, )
NIBBLE_SIMT_MATHEMATICS(float, f)
#undef NIBBLE_SIMT_MATHEMATICS
// NOLINTEND(bugprone-macro-parentheses)

}  // extern "C"
