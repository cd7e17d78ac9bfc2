// Calls of functions with host code of CUDA, which return the error of what failed: 0, or
// a cudaError_t as an int. The checks of such a lab include this.
//
//     asked<&f>(...)        values, its streams in another order every time
//     watched_host<&f>(...) the same where every access is looked at
//     every_error_comes_back<&f>(expect, ...)   each CUDA call fails in its turn
#pragma once

#include <fmt/format.h>

#include <string>
#include <tuple>
#include <utility>

#include "judge/call.hpp"
#include "judge/expect.hpp"
#include "judge/kernels.hpp"
#include "judge/meanwhile.hpp"

namespace nibble::judge {

namespace detail {

inline std::string name_of_error(int error) {
  switch (error) {
    case 1:
      return "cudaErrorInvalidValue (1)";
    case 2:
      return "cudaErrorMemoryAllocation (2)";
    case 9:
      return "cudaErrorInvalidConfiguration (9)";
    case 701:
      return "cudaErrorLaunchOutOfResources (701)";
    case 719:
      return "cudaErrorLaunchFailure (719)";
    default:
      return error == 0 ? "cudaSuccess (0)" : fmt::format("error {}", error);
  }
}

}  // namespace detail

/// More CUDA calls than any function of a lab makes in its small cases.
inline constexpr unsigned kMostCalls = 500;

/// What a function came to: the error it returned, its outputs, and what it had asked CUDA for.
template <class... Outputs>
struct HostAnswer {
  int error;
  std::tuple<Outputs...> outputs;
  HostWork work;

  template <std::size_t I = 0>
  const auto& output() const {
    return std::get<I>(outputs);
  }
};

namespace detail {

/// Calls F. Its outputs may stay unwritten.
template <auto F, class... Arguments>
auto ask(const Arguments&... arguments) {
  const Meanwhile<&Submission::tolerate_unwritten> tolerating(submission(), true);
  auto answer = call<F>(arguments...);
  return std::apply(
      [](int error, auto&&... outputs) {
        return HostAnswer<std::decay_t<decltype(outputs)>...>{
            error, {std::move(outputs)...}, submission().host_work()};
      },
      std::move(answer));
}

}  // namespace detail

/// Calls F. Outputs that stay unwritten are a failure where it returns 0.
template <auto F, class... Arguments>
auto asked(const Arguments&... arguments) {
  auto answer = detail::ask<F>(arguments...);
  if (answer.error == 0 && submission().unwritten()) throw CallFailed(*submission().unwritten());
  return answer;
}

template <auto F, class... Arguments>
auto watched_host(const Arguments&... arguments) {
  const Meanwhile<&Submission::use> watching(submission(), Build::kWatched);
  return asked<F>(arguments...);
}

/// As expect.that, and told at that line of the host's code, where it is known.
inline bool expect_at(const simt::Place& place, Expect& expect, bool holds,
                      const std::string& message, const char* code) {
  if (holds || expect.failure()) return holds;
  const std::string line = submission().line_of(place);
  Failure failure;
  failure.code = code;
  failure.message = line.empty() ? message : line + ": " + message;
  failure.where = line;
  expect.fail(std::move(failure));
  return false;
}

/// It says that all went well, and the work was done on the device.
template <class Answer>
bool succeeded(const Answer& answer, unsigned launches, Expect& expect) {
  const std::string& refusal = answer.work.refusal;
  return expect_at(answer.work.refused_at, expect, answer.error == 0,
                   fmt::format("returns {}{}", detail::name_of_error(answer.error),
                               refusal.empty() ? ", and no call had failed" : ": " + refusal),
                   refusal.empty() ? "N-UNCHECKED" : "N-LAUNCH") &&
         expect.that(answer.work.calls > 0 && answer.work.launches >= launches,
                     launches == 0 ? "never calls CUDA: the work is to be done on the device"
                                   : "launches no kernel: the work is to be done on the device",
                     "N-ELSEWHERE");
}

/// Has each CUDA call of F fail in its turn, and expects F to return the error, with everything
/// given back and nothing more ordered.
template <auto F, class... Arguments>
void every_error_comes_back(Expect& expect, const Arguments&... arguments) {
  const unsigned calls = watched_host<F>(arguments...).work.calls;
  if (!expect.that(calls > 0, "never calls CUDA: the work is to be done on the device",
                   "N-ELSEWHERE")) {
    return;
  }
  if (!expect.that(calls <= kMostCalls, fmt::format("makes {} CUDA calls", calls), "N-TIME"))
    return;
  for (unsigned number = 1; number <= calls && !expect.failure(); ++number) {
    const Meanwhile<&Submission::use> watching(submission(), Build::kWatched);
    const Meanwhile<&Submission::let_call_fail> failing(submission(), number);
    try {
      const auto answer = detail::ask<F>(arguments...);
      expect.that(
          answer.error == answer.work.failed_with && answer.error != 0,
          fmt::format("when CUDA call {} of {} fails ({}: {}), returns {}", number, calls,
                      answer.work.failed_name, detail::name_of_error(answer.work.failed_with),
                      detail::name_of_error(answer.error)),
          "N-UNCHECKED");
    } catch (CallFailed& failed) {
      failed.failure.message =
          fmt::format("when CUDA call {} of {} fails: {}", number, calls, failed.failure.message);
      throw;
    }
  }
}

}  // namespace nibble::judge
