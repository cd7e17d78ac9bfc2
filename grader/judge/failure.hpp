// What a check found wrong, in the parts that a screen, a results file and a page need.
#pragma once

#include <cstddef>
#include <exception>
#include <set>
#include <string>
#include <vector>

#include "record/check.hpp"

namespace nibble::judge {

using record::CheckStatus;
using record::Compared;

/// What a suspect is known by.
struct Cause {
  std::string code, what, words;
  auto operator<=>(const Cause&) const = default;
};

/// What the other cases of a check say of the suspects of one answer.
struct Heard {
  std::set<Cause> cleared;  ///< whose words are not to be said
  std::set<Cause> alike;    ///< whom no case tells from each other; none, or two and more
};

struct Failure {
  CheckStatus status = CheckStatus::kFail;
  std::string code;                ///< the diagnosis, N-…; empty: the check's own
  std::string message;             ///< one sentence, or a few
  std::vector<std::size_t> index;  ///< of the first wrong element; empty for a scalar
  std::string got, want;           ///< as text; empty where there is no value
  std::string tolerance;           ///< the formula; empty: exact
  std::string where{};          ///< "cuda_quantize.cu:12", when the engine saw it; "?": somewhere
  Compared compared{};          ///< empty: too large, or no tensors
  Cause cause{};                ///< the suspect that it is; all empty: none
  std::string told{};           ///< the words that are said of it, and of another that it may be
  std::vector<Cause> others{};  ///< who would have answered the same, and has words, too
  bool may_be_chance = true;    ///< one wrong value is all there is: many mistakes make it
};

/// Ended by a clock, or by the engine's budget of steps.
inline bool does_not_end(const Failure& failure) {
  return failure.status == CheckStatus::kTimeout || failure.code == "N-TIME";
}

/// Thrown by call<>() when the call gave no value: the rest of the case makes no sense.
struct CallFailed : std::exception {
  explicit CallFailed(Failure what) : failure(std::move(what)) {}
  const char* what() const noexcept override { return failure.message.c_str(); }
  Failure failure;
};

/// The same for a process that was ended from outside: it may be asked once more.
struct CallKilled : CallFailed {
  using CallFailed::CallFailed;
};

}  // namespace nibble::judge
