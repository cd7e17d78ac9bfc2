// What a check found wrong, in the parts that a screen, a results file and a page need.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::judge {

/// The outcome of a check. The words of results.json.
enum class Status { kPass, kFail, kCrash, kTimeout, kRule, kOdd, kError };

constexpr std::string_view name_of(Status status) {
  constexpr std::string_view names[] = {"pass", "fail", "crash", "timeout", "rule", "odd", "error"};
  return names[static_cast<std::size_t>(status)];
}

/// Two tensors that were compared, whole, when they are small enough to be looked at.
struct Compared {
  std::vector<std::size_t> shape;      ///< outermost first; empty: a plain list
  std::vector<std::string> got, want;  ///< as text; empty: too large, or no tensors
  std::vector<std::size_t> wrong;      ///< which of them
};

struct Failure {
  Status status = Status::kFail;
  std::string code;                ///< the diagnosis, N-…; empty: the check's own
  std::string message;             ///< one sentence, or a few
  std::vector<std::size_t> index;  ///< of the first wrong element; empty for a scalar
  std::string got, want;           ///< as text; empty where there is no value
  std::string tolerance;           ///< the formula; empty: exact
  std::string where{};  ///< "cuda_quantize.cu:12", when the engine saw it; "?": somewhere
  Compared compared{};
};

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
