// Calls of kernels, besides call<>(): watched access by access, or counted. A CUDA lab's checks
// include this.
//
//     call<&f>(…)       values, compiled to be fast; warps and lanes take their turns in any order
//     watched<&f>(…)    the same, and every access is looked at: a mistake is a failure with its line
//     counted<&f>(…)    requests, sectors, conflicts of the submission and of the published solution
#pragma once

#include "judge/call.hpp"
#include "judge/count_book.hpp"
#include "judge/kernel_counts.hpp"
#include "judge/kit_error.hpp"
#include "judge/record.hpp"
#include "judge/run.hpp"
#include "judge/same_work.hpp"

namespace nibble::judge {

namespace detail {

/// Another build of the submission answers while this lives.
class Using {
 public:
  Using(Submission& target, Build build) : target_(target), before_(target.use(build)) {}
  ~Using() { target_.use(before_); }
  Using(const Using&) = delete;
  Using& operator=(const Using&) = delete;

 private:
  Submission& target_;
  Build before_;
};

/// What F gave in the build that counts, and what was counted.
template <class Answer>
struct CountedCall {
  Answer answer;
  KernelCounts counts;
};

template <auto F, class... Arguments>
auto count(Submission& target, const Arguments&... arguments) {
  const Using counting(target, Build::kCounted);
  auto answer = Caller<F>::call(target, arguments...);
  return CountedCall<decltype(answer)>{std::move(answer), target.counts()};
}

/// For `nibble traffic`, which shows the last.
inline Counted keep(Counted both) {
  if (this_run().show) this_record().counted = both;
  return both;
}

}  // namespace detail

/// Calls F where every access is checked; on a GPU, as it is.
/// Throws CallFailed with what the engine found.
template <auto F, class... Arguments>
auto watched(const Arguments&... arguments) {
  if (submission().is_on_gpu()) return call<F>(arguments...);
  const detail::Using watching(submission(), Build::kWatched);
  return call<F>(arguments...);
}

/// Counts a call of F: the submission's, and the published solution's on the same arguments. Counts
/// are worth something only for the same work: throws CallFailed when the answers differ. Throws
/// NotHere on a GPU. Where the published solution is not, its counts are read,
/// and nobody compares answers.
template <auto F, class... Arguments>
Counted counted(const Arguments&... arguments) {
  if (submission().is_on_gpu()) throw NotHere("counted by the SIMT engine, not on a GPU");
  const auto got = detail::count<F>(submission(), arguments...);
  if (has_count_book()) return detail::keep({got.counts, published_counts_from_book()});
  const auto published =
      detail::as_ours([&] { return detail::count<F>(published_solution(), arguments...); });
  if (!same_work(got.answer, published.answer)) {
    throw CallFailed(
        {Status::kFail,
         "N-WRONG",
         "gives another answer than the published solution, where its accesses are counted",
         {},
         {},
         {},
         {}});
  }
  note_published_counts(published.counts);
  return detail::keep({got.counts, published.counts});
}

}  // namespace nibble::judge
