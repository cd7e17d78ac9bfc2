// Runs a check on its cases, in order of size, and makes the first that fails as small as it gets.
//
// A case is a struct with a `name` (a shape, or what is special about it: it is how a person asks
// for it again). Two functions beside it, both optional, make its failures easier to read:
//
//     std::string show(const Case&);              the input as text
//     std::vector<Case> smaller(const Case&);     simpler inputs to try, simplest first
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "judge/expect.hpp"
#include "judge/run.hpp"

namespace nibble::judge {

namespace detail {

/// Shrinking ends after so many tries whatever the clock says: a replay must take the same path.
inline constexpr int kMostTries = 200;

/// A case and the body of its check, whatever their types are: who runs, shrinks and reports them
/// is compiled once, not with every check.
class AnyCase {
 public:
  virtual ~AnyCase() = default;
  virtual const std::string& name() const = 0;
  virtual std::string input() const = 0;  ///< as text; empty: it has none
  virtual std::vector<std::unique_ptr<AnyCase>> smaller() const = 0;
  virtual void run(Expect& expect) const = 0;
};

/// The free function smaller(case), where a member of that name would hide it.
constexpr auto smaller_of = [](const auto& one) -> decltype(smaller(one)) { return smaller(one); };

template <class Case, class Body>
class CaseOf final : public AnyCase {
 public:
  CaseOf(const Case& lent, const Body& body) : case_(&lent), body_(&body) {}
  CaseOf(Case&& own, const Body& body) : own_(std::move(own)), case_(&*own_), body_(&body) {}

  const std::string& name() const override { return case_->name; }
  std::string input() const override {
    if constexpr (requires { show(*case_); }) return show(*case_);
    return "";
  }
  std::vector<std::unique_ptr<AnyCase>> smaller() const override {
    std::vector<std::unique_ptr<AnyCase>> all;
    if constexpr (requires { smaller_of(*case_); }) {
      for (Case& one : smaller_of(*case_)) {
        all.push_back(std::make_unique<CaseOf>(std::move(one), *body_));
      }
    }
    return all;
  }
  void run(Expect& expect) const override { (*body_)(*case_, expect); }

 private:
  std::optional<Case> own_;
  const Case* case_;
  const Body* body_;
};

/// Runs at(0), at(1), … `count` cases, up to the first that fails.
void run_cases(std::size_t count, const std::function<std::unique_ptr<AnyCase>(std::size_t)>& at);

}  // namespace detail

/// Runs body(case, expect) on every case; stops at the first that fails. Order cases by size.
template <class Case, class Body>
void each_case(const std::vector<Case>& cases, const Body& body) {
  detail::run_cases(cases.size(), [&](std::size_t i) {
    return std::make_unique<detail::CaseOf<Case, Body>>(cases[i], body);
  });
}

/// Runs body(expect) once: a check with a single, unnamed case.
void once(const std::function<void(Expect&)>& body);

}  // namespace nibble::judge
