// A contract of the tests' own: a function for every kind of value that crosses between judge and
// child, and one that misbehaves in every way there is.
#pragma once

#include "nibble/lab.hpp"

namespace nibble {

struct Tensor {
  std::vector<std::int8_t> q;
  float scale;
  std::string name;
  std::array<std::int32_t, 3> shape;
  bool exact;
};

float half(float x);
std::vector<float> twice(std::span<const float> x);
Tensor describe(const Tensor& tensor, std::int64_t step);
std::string greet(const std::string& name);

/// What fill() does with `out`, which is as long as `x`.
enum class Filling {
  kWhole,  ///< out[i] = x[i] + 1
  kNothing,
  kHalf,       ///< the first half only
  kWithAHole,  ///< all but elements 8 to 11
  kPastTheEnd,
  kBeforeTheStart,
  kIntoInput,      ///< writes to x
  kFromPastInput,  ///< reads behind x
  kKilledOnce,     ///< kWhole, in the second process that is asked; the first is killed
};
void fill(std::span<const float> x, std::span<float> out, Filling how);

enum class Deed {
  kReturn,
  kTodo,
  kRefuse,
  kBadAlloc,
  kLengthError,
  kThrowInt,
  kLoop,
  kSleep,
  kStop,
  kAllocate,
  kRecurse,
  kExit,
  kAbort,
  kKill,
  kNullPointer,
  kDivideByZero,
  kIllegal,
  kCloseAll,
  kSendJunk,
  kSendNothing,
  kHangUp,
  kFork,
  kPrint,
  kFlood,
  kLieAboutCrash,
  kPrintBytes,  ///< that are no UTF-8, and every other one
  kThrowBytes,
  kLeaveAWord,  ///< in a slot of the outputs that no call uses, and ends
  kFindAWord,   ///< -1: it is there
};
/// Does it, and returns how often it was called in this process.
int act(Deed deed);

NIBBLE_EXERCISES(half, twice, describe, greet, fill, act);

}  // namespace nibble
