// How the answers to other cases speak for and against the suspects of one.
#include "judge/evidence.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <stdexcept>
#include <vector>

#include "judge/count_book.hpp"
#include "judge/expect.hpp"
#include "judge/kit_error.hpp"
#include "judge/record.hpp"
#include "judge/submission.hpp"

namespace nibble::judge::detail {

namespace {

using Evidences = std::map<Cause, Expect::Evidence>;

/// How many cases are heard. Suspects of all take longer than all the rest, a launch longer than a
/// call, and of generated cases some are large: where there are launches, tables alone are heard.
std::size_t most_heard(const AnyCase& one) {
  const bool is_launched = has_submission() && submission().can_be_watched();
  const bool is_of_a_table = one.smaller().empty();
  return !is_launched ? 24 : is_of_a_table ? 6 : 0;
}

/// What the answer to one case says of the suspects of another.
void hear(const AnyCase& one, Evidences& all) {
  Expect expect;
  expect.hear();
  begin_counted_case(one.name());
  try {
    one.run(expect);
  } catch (const CallFailed& failed) {
    if (does_not_end(failed.failure)) note_silence();
  } catch (const KitError&) {  // the case was healthy for its own check, and is not for a suspect
  } catch (const std::invalid_argument&) {
  }
  for (const auto& [cause, evidence] : expect.evidence()) all[cause].add(evidence);
}

/// What answers to other cases of the check say of the suspects of one, until it is `enough`. Only
/// a submission that is slow on purpose meets the limit of time.
template <class Enough>
Evidences evidence_beside(const Cases& cases, std::size_t which, const Enough& enough) {
  constexpr std::chrono::seconds kLongest{2};
  const auto give_up = std::chrono::steady_clock::now() + kLongest;
  Evidences all;
  const std::size_t most = std::min(cases.count, most_heard(*cases.at(which)));
  for (std::size_t i = 0; i < most && !enough(all); ++i) {
    if (exercise_is_silent() || std::chrono::steady_clock::now() > give_up) break;
    if (i != which) hear(*cases.at(i), all);
  }
  return all;
}

}  // namespace

/// The answer to one case may be that of many, and a wrong name is worse than none. Who differs
/// elsewhere gives way to one who never does, and is none where one value is all that speaks
/// against him. Whom nothing tells from the first is told beside him, but for guesses: theirs are
/// the words of a rule.
Heard heard_beside(const Cases& cases, std::size_t which, const Failure& failure) {
  Heard heard;
  const Cause& first = failure.cause;
  const bool is_alone = failure.others.empty();
  if (first.words.empty() || (is_alone && !failure.may_be_chance)) return heard;
  Evidences evidence = evidence_beside(
      cases, which, [&](Evidences& so_far) { return is_alone && so_far[first].agrees > 0; });
  std::vector<Cause> suspects = failure.others;
  suspects.insert(suspects.begin(), first);
  const bool one_fits_all = std::ranges::any_of(suspects, [&](const Cause& cause) {
    const Expect::Evidence& of = evidence[cause];
    return of.differs == 0 && of.agrees > 0 && of.agrees >= evidence[first].agrees;
  });
  for (const Cause& cause : suspects) {
    const Expect::Evidence& of = evidence[cause];
    const bool has_alibi = of.agrees == 0 && failure.may_be_chance;
    if (of.differs > 0 && of.guesses == 1 && (one_fits_all || has_alibi)) {
      heard.cleared.insert(cause);
    }
  }
  std::erase_if(suspects, [&](const Cause& cause) { return heard.cleared.contains(cause); });
  const auto is_like_the_first = [&](const Cause& cause) {
    const Expect::Evidence &one = evidence[suspects.front()], &of = evidence[cause];
    const bool fit_alike = of.differs == 0 && one.differs == 0 && of.agrees == one.agrees;
    return fit_alike && of.guesses == one.guesses;
  };
  std::ranges::copy_if(suspects, std::inserter(heard.alike, heard.alike.end()), is_like_the_first);
  if (heard.alike.size() < 2) heard.alike.clear();
  return heard;
}

}  // namespace nibble::judge::detail
