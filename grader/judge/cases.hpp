// Runs a check on its cases, in order of size, and makes the first that fails as small as it gets.
//
// A case is a struct with a `name` (a shape, or what is special about it: it is how a person asks
// for it again). Two functions beside it, both optional, make its failures easier to read:
//
//     std::string show(const Case&);              the input as text
//     std::vector<Case> smaller(const Case&);     simpler inputs to try, simplest first
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "judge/budget.hpp"
#include "judge/count_book.hpp"
#include "judge/expect.hpp"
#include "judge/kit_error.hpp"
#include "judge/record.hpp"
#include "judge/run.hpp"

namespace nibble::judge {

namespace detail {

/// Shrinking ends after so many tries whatever the clock says: a replay must take the same path.
/// Only a submission that is slow on purpose meets the second limit.
inline constexpr int kMostTries = 200;
inline constexpr std::chrono::seconds kLongestShrinking{10};

template <class Case>
std::string describe(const Case& one) {
  if constexpr (requires { show(one); }) {
    return show(one);
  } else {
    return "";
  }
}

/// The failure of `body` on one case, if there is one.
template <class Case, class Body>
std::optional<Failure> try_case(const Case& one, const Body& body) {
  Expect expect;
  begin_counted_case(one.name);
  try {
    body(one, expect);
  } catch (const CallFailed& failed) {
    expect.fail(failed.failure);  // unless an expectation had failed before
  } catch (const NotHere& not_here) {
    this_record().not_here = not_here.what();
  }
  return expect.failure();
}

/// The failure of a smaller case. One that the contract refuses, or that proves too little, is
/// none: the check was written for the cases it was given, not for what shrinking makes of them.
template <class Case, class Body>
std::optional<Failure> try_smaller(const Case& one, const Body& body) {
  try {
    return try_case(one, body);
  } catch (const KitError&) {
    return std::nullopt;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

/// Greedily replaces `failed` by a smaller case that fails in the same way.
template <class Case, class Body>
void shrink(Case& smallest, FailedCase& failed, const Body& body) {
  if constexpr (requires { smaller(smallest); }) {
    if (failed.failure.status == Status::kTimeout) return;  // every try would cost a limit
    int tries = 0;
    const auto give_up = std::chrono::steady_clock::now() + kLongestShrinking;
    for (bool found = true; found;) {
      found = false;
      for (Case& candidate : smaller(smallest)) {
        if (++tries > kMostTries || std::chrono::steady_clock::now() > give_up) return;
        if (budget_is_used_up()) return;
        const std::optional<Failure> failure = try_smaller(candidate, body);
        if (!failure || failure->code != failed.failure.code) continue;
        smallest = std::move(candidate);
        failed.failure = *failure;
        failed.shrunk = smallest.name;
        ++failed.steps;
        found = true;
        break;
      }
    }
  }
}

/// True when an engine can look at the accesses of what is judged; from now on it does,
/// or no longer.
bool can_watch();
void watch(bool on);

/// A wrong value has a cause, and the engine may see it: then that is what is told, beside
/// the value. Damage that was found after a call, at no line, has one as well.
template <class Case, class Body>
void find_cause(const Case& one, FailedCase& failed, const Body& body) {
  const bool at_no_line = failed.failure.where == "?";
  if (!can_watch() || (!failed.failure.where.empty() && !at_no_line)) return;
  watch(true);
  const std::optional<Failure> seen = try_smaller(one, body);
  watch(false);
  if (!seen || seen->where.empty() || seen->where == "?") return;
  failed.failure.code = seen->code;
  failed.failure.message =
      at_no_line ? seen->message : seen->message + ". So " + failed.failure.message;
  failed.failure.where = seen->where;
}

void report(FailedCase failed);  // into the record, and to GoogleTest
bool is_wanted(const std::string& case_name);

/// True when there is no use in running the check, which is then reported: its exercise is not
/// written yet, or the submission has no time left.
bool is_passed_over();
void note_shown(std::string name, std::string input, const std::optional<Failure>& failure);

}  // namespace detail

/// Runs body(case, expect) on every case; stops at the first that fails. Order cases by size.
template <class Case, class Body>
void each_case(const std::vector<Case>& cases, const Body& body) {
  if (cases.empty()) throw KitError("a check has no cases");
  if (detail::is_passed_over()) return;
  for (const Case& one : cases) {
    if (!detail::is_wanted(one.name)) continue;
    ++this_record().cases;
    std::optional<Failure> failure = detail::try_case(one, body);
    detail::note_shown(one.name, detail::describe(one), failure);
    if (!failure) continue;
    Case smallest = one;
    FailedCase failed{one.name, "", "", 0, std::move(*failure)};
    detail::shrink(smallest, failed, body);
    detail::find_cause(smallest, failed, body);
    failed.input = detail::describe(smallest);
    detail::report(std::move(failed));
    return;
  }
}

/// Runs body(expect) once: a check with a single, unnamed case.
template <class Body>
void once(const Body& body) {
  struct Only {
    std::string name;
  };
  each_case<Only>({{"only"}}, [&](const Only&, Expect& expect) { body(expect); });
}

}  // namespace nibble::judge
