// The calls of -fsanitize=bounds,float-cast-overflow,signed-integer-overflow. libubsan is not
// linked; its records, which g++ and clang++ share, say where and of what type.
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "fiber.hpp"
#include "finding.hpp"
#include "launch_state.hpp"
#include "nibble/simt/types.hpp"
#include "runtime_state.hpp"

namespace nibble::simt {
namespace {

struct SourceLocation {
  const char* file;
  std::uint32_t line, column;
};

/// kind 0: integer, info = log2(bits) * 2 + is_signed; kind 1: float, info = bits.
struct TypeDescriptor {
  std::uint16_t kind, info;
  char name[1];  // "'int'", and on
};

struct Of1 {
  SourceLocation at;
  const TypeDescriptor* type;
};
struct Of2 {
  SourceLocation at;
  const TypeDescriptor *first, *second;
};

/// clang++ says "'int8_t' (aka 'signed char')": the second name is one that everybody knows. Valid
/// until the next call.
const char* name_of(const TypeDescriptor& type) {
  static char name[64];
  const char* const second = std::strstr(type.name, "(aka ");
  std::snprintf(name, sizeof name, "%s", second != nullptr ? second + 5 : type.name);
  char* const last = name + std::strlen(name);
  if (second != nullptr && last != name && last[-1] == ')') last[-1] = 0;
  return name;
}

using Value = std::uintptr_t;  // itself, or where it lies when it has more than 64 bits

EngineFinding* finding_at(Kind kind, const SourceLocation& at, const void* pc) {
  Place place{place_of(pc), at.line, at.column};
  return new_finding(kind, place);
}

/// "-128", as the type says.
const char* show(const TypeDescriptor& type, Value value, char (&text)[32]) {
  const unsigned bits = 1u << (type.info >> 1);
  if (type.kind != 0 || bits > 64) {
    std::snprintf(text, sizeof text, "a value");
  } else if ((type.info & 1) != 0) {
    const auto shifted = static_cast<std::int64_t>(value << (64 - bits));
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(shifted >> (64 - bits)));
  } else {
    std::snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(value));
  }
  return text;
}

void overflow(const Of1& of, Value a, const char* op, Value b, const void* pc) {
  EngineFinding* const finding = finding_at(Kind::kIntegerOverflow, of.at, pc);
  if (finding == nullptr) return;
  char x[32], y[32];
  set_detail(*finding, "%s %s %s does not fit %s", show(*of.type, a, x), op, show(*of.type, b, y),
             name_of(*of.type));
  publish(finding);
}

void negation(const Of1& of, Value a, const void* pc) {
  EngineFinding* const finding = finding_at(Kind::kIntegerOverflow, of.at, pc);
  if (finding == nullptr) return;
  char x[32];
  set_detail(*finding, "-(%s) does not fit %s", show(*of.type, a, x), name_of(*of.type));
  publish(finding);
}

void out_of_bounds(const Of2& of, Value index, const void* pc) {
  EngineFinding* const finding = finding_at(Kind::kArrayIndex, of.at, pc);
  if (finding == nullptr) return;
  char x[32];
  set_detail(*finding, "index %s of %s", show(*of.second, index, x), name_of(*of.first));
  publish(finding);
}

void float_cast(const Of2& of, Value bits, const void* pc) {
  EngineFinding* const finding = finding_at(Kind::kFloatCast, of.at, pc);
  if (finding == nullptr) return;
  const auto narrow = static_cast<std::uint32_t>(bits);
  double value = 0;
  if (of.first->info == 32) {
    float single;
    std::memcpy(&single, &narrow, sizeof single);
    value = static_cast<double>(single);
  } else if (of.first->info == 64) {
    std::memcpy(&value, &bits, sizeof value);
  }
  if (value != value) {
    set_detail(*finding, "NaN does not fit %s", name_of(*of.second));
  } else {
    set_detail(*finding, "%.9g does not fit %s", value, name_of(*of.second));
  }
  publish(finding);
}

void shift(const Of2& of, Value amount, const void* pc) {
  EngineFinding* const finding = finding_at(Kind::kIntegerOverflow, of.at, pc);
  if (finding == nullptr) return;
  char x[32];
  set_detail(*finding, "a shift of %s by %s", name_of(*of.first), show(*of.second, amount, x));
  publish(finding);
}

}  // namespace
}  // namespace nibble::simt

using namespace nibble::simt;

// Each has a twin that libubsan does not return from; here both return: a launch goes on.
#define NIBBLE_SIMT_UB(NAME, PARAMETERS, CALL)    \
  void __ubsan_handle_##NAME PARAMETERS { CALL; } \
  void __ubsan_handle_##NAME##_abort PARAMETERS { CALL; }

extern "C" {
// clang-format off
NIBBLE_SIMT_UB(add_overflow, (const Of1* of, Value a, Value b), overflow(*of, a, "+", b, NIBBLE_SIMT_PC))
NIBBLE_SIMT_UB(sub_overflow, (const Of1* of, Value a, Value b), overflow(*of, a, "-", b, NIBBLE_SIMT_PC))
NIBBLE_SIMT_UB(mul_overflow, (const Of1* of, Value a, Value b), overflow(*of, a, "*", b, NIBBLE_SIMT_PC))
NIBBLE_SIMT_UB(divrem_overflow, (const Of1* of, Value a, Value b), overflow(*of, a, "/", b, NIBBLE_SIMT_PC))
NIBBLE_SIMT_UB(negate_overflow, (const Of1* of, Value a), negation(*of, a, NIBBLE_SIMT_PC))
NIBBLE_SIMT_UB(out_of_bounds, (const Of2* of, Value index), (out_of_bounds(*of, index, NIBBLE_SIMT_PC)))
NIBBLE_SIMT_UB(float_cast_overflow, (const Of2* of, Value bits), float_cast(*of, bits, NIBBLE_SIMT_PC))
NIBBLE_SIMT_UB(shift_out_of_bounds, (const Of2* of, Value, Value amount), shift(*of, amount, NIBBLE_SIMT_PC))
// clang-format on
}
