// What became of a check, and which of it is nobody's fault.
#pragma once

#include <array>
#include <cstddef>

namespace nibble::record {

enum class CheckStatus { kPass, kPart, kFail, kSkip, kCrash, kTimeout, kRule, kOdd, kError };

/// The words of results.json.
inline constexpr std::array kStatusNames = {"pass",    "part", "fail", "skip", "crash",
                                            "timeout", "rule", "odd",  "error"};

constexpr const char* name_of(CheckStatus status) {
  return kStatusNames.at(static_cast<std::size_t>(status));
}

/// Words for people.
constexpr const char* word_of(CheckStatus status) {
  switch (status) {
    case CheckStatus::kCrash:
      return "crashed";
    case CheckStatus::kTimeout:
      return "too slow";
    case CheckStatus::kRule:
      return "broke a rule";
    case CheckStatus::kOdd:
      return "not believable";
    case CheckStatus::kError:
      return "fault of the kit";
    default:
      return name_of(status);
  }
}

/// Nothing is wrong with it: speed may be earned in part, and what cannot run here is no fault.
constexpr bool is_good(CheckStatus status) {
  return status == CheckStatus::kPass || status == CheckStatus::kPart ||
         status == CheckStatus::kSkip;
}

/// It gave no answer to compare: it was ended, or refused.
constexpr bool is_stop(CheckStatus status) {
  return !is_good(status) && status != CheckStatus::kFail;
}

}  // namespace nibble::record
