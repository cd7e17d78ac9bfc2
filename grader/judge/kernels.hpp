// Calls of kernels, besides call<>(): watched access by access, or counted. A CUDA lab's checks
// include this.
//
//     call<&f>(…)         values, compiled to be fast; warps and lanes take their turns in any order
//     watched<&f>(…)      the same, and every access is looked at: a mistake is a failure, with its
//                         line
//     watched_far<&f>(…)  the same, where so many outputs come before that an index passes 2^32
//     counted<&f>(…)      requests, sectors, conflicts of the submission and of the published
//                         solution
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>

#include "judge/call.hpp"
#include "judge/count_book.hpp"
#include "judge/kernel_counts.hpp"
#include "judge/kit_error.hpp"
#include "judge/leaves.hpp"
#include "judge/meanwhile.hpp"
#include "judge/mix.hpp"
#include "judge/record.hpp"
#include "judge/run.hpp"
#include "judge/same_work.hpp"

namespace nibble::judge {

namespace detail {

/// What F gave in the build that counts, and what was counted.
template <class Answer>
struct CountedCall {
  Answer answer;
  KernelCounts counts;
};

template <auto F, class... Arguments>
auto count(Submission& target, const Arguments&... arguments) {
  const Meanwhile<&Submission::use> counting(target, Build::kCounted);
  auto answer = Caller<F>::call(target, arguments...);
  return CountedCall<decltype(answer)>{std::move(answer), target.counts()};
}

/// A number that another call of the same function does not have.
template <class... Arguments>
std::uint64_t digest_of(const Arguments&... arguments) {
  std::uint64_t digest = 0;
  const auto add = [&](const void* bytes, std::size_t size) {
    const std::string_view text(static_cast<const char*>(bytes), size);
    digest = mix(mix(digest, size), std::hash<std::string_view>{}(text));
  };
  const auto add_leaf = [&]<class Leaf>(const Leaf& leaf) {
    if constexpr (protocol::Scalar<Leaf>) {
      add(&leaf, sizeof leaf);
    } else {
      add(leaf.data(), leaf.size() * sizeof *leaf.data());
    }
  };
  (for_each_leaf(arguments, add_leaf), ...);
  return digest;
}

/// What a call of F gave before, if the submission and the published solution answered alike.
template <auto F>
std::map<std::uint64_t, Counted>& counted_before() {
  static std::map<std::uint64_t, Counted> by_digest;
  return by_digest;
}

/// Throws CallFailed when the answers differ.
template <auto F, class... Arguments>
Counted count_both(const Arguments&... arguments) {
  const auto got = count<F>(submission(), arguments...);
  if (has_count_book()) return {got.counts, {}};
  const auto published = as_ours([&] { return count<F>(published_solution(), arguments...); });
  if (!same_work(got.answer, published.answer)) {
    throw CallFailed(
        {CheckStatus::kFail,
         "N-WRONG",
         "gives another answer than the published solution, where its accesses are counted",
         {},
         {},
         {},
         {}});
  }
  return {got.counts, published.counts};
}

}  // namespace detail

/// Calls F where every access is checked; on a GPU, as it is.
/// Throws CallFailed with what the engine found.
template <auto F, class... Arguments>
auto watched(const Arguments&... arguments) {
  if (submission().is_on_gpu()) return call<F>(arguments...);
  const Meanwhile<&Submission::use> watching(submission(), Build::kWatched);
  return call<F>(arguments...);
}

/// Far behind the beginning, there being more rows or columns of outputs: what each of them moves
/// the kernel's arguments by, in their order.
inline protocol::Far more_rows(const std::array<std::int64_t, 12>& step) {
  return {protocol::Far::kRows, 0, step};
}
/// The same, and of wide rows the end alone: as much is found, and nothing said of values.
inline protocol::Far ends_of_more_rows(const std::array<std::int64_t, 12>& step) {
  return {protocol::Far::kRows, 1, step};
}
inline protocol::Far more_columns(const std::array<std::int64_t, 12>& step) {
  return {protocol::Far::kColumns, 0, step};
}

/// The same far behind the beginning of an array so large that an index needs more than 32 bits:
/// what an array of it has is handed in as if it were all of it. Nothing where the blocks of the
/// grid make others than the outputs at their place, which a contract may leave open.
template <auto F, class... Arguments>
auto watched_far(const protocol::Far& far, const Arguments&... arguments) {
  const Meanwhile<&Submission::use> watching(
      submission(), submission().is_on_gpu() ? Build::kValues : Build::kWatched);
  const Meanwhile<&Submission::move_kernels> moved(submission(), far);
  std::optional<decltype(call<F>(arguments...))> answer;
  try {
    answer = call<F>(arguments...);
  } catch (const CallFailed& failed) {
    if (failed.failure.code != "N-UNWRITTEN") throw;
  }
  if (submission().made_others()) answer.reset();
  return answer;
}

/// Counts a call of F: the submission's, and the published solution's on the same arguments. Counts
/// are worth something only for the same work: throws CallFailed when the answers differ. Throws
/// NotInThisLeg on a GPU. Where the published solution is not, its counts are read,
/// and nobody compares answers. A call that was counted before is not made again:
/// checks of different counts share it, where they draw their data by counted_seed().
template <auto F, class... Arguments>
Counted counted(const Arguments&... arguments) {
  if (submission().is_on_gpu()) throw NotInThisLeg("counted by the SIMT engine, not on a GPU");
  auto& before = detail::counted_before<F>();
  const std::uint64_t digest = detail::digest_of(arguments...);
  auto known = before.find(digest);
  if (known == before.end()) {
    known = before.emplace(digest, detail::count_both<F>(arguments...)).first;
  }
  Counted both = known->second;
  if (has_count_book()) {
    both.published = published_counts_from_book();
  } else {
    note_published_counts(both.published);
  }
  if (this_run().show) this_record().counted = both;  // for `nibble traffic`, which shows the last
  return both;
}

}  // namespace nibble::judge
