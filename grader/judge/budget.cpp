#include "judge/budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "judge/record.hpp"

namespace nibble::judge {
namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

struct BudgetAccount {
  BudgetLeft budget;
  steady_clock::time_point ends = steady_clock::time_point::max();
  std::map<std::string, nanoseconds> waited;  ///< by check
};

BudgetAccount& account() {
  static BudgetAccount one;
  return one;
}

std::string seconds(nanoseconds time) {
  return fmt::format("{:.1f} s", std::chrono::duration<double>(time).count());
}

}  // namespace

void begin_budget(const BudgetLeft& budget) {
  account() = {budget, steady_clock::time_point::max(), {}};
  if (budget.whole.count() > 0) account().ends = steady_clock::now() + budget.left;
}

steady_clock::time_point budget_ends() { return account().ends; }

bool budget_is_used_up() { return steady_clock::now() >= account().ends; }

void note_waited(nanoseconds waited) { account().waited[running_check()] += waited; }

void give_back(nanoseconds taken) {
  if (account().ends != steady_clock::time_point::max()) account().ends += taken;
}

Failure used_up() {
  const auto& [budget, ends, waited] = account();
  std::string text = fmt::format(
      "the {} that a submission has for all its compilations and runs are used up: {} before these "
      "checks began, {} in them",
      seconds(budget.whole), seconds(budget.whole - budget.left), seconds(budget.left));
  const auto longest =
      std::ranges::max_element(waited, {}, [](const auto& one) { return one.second; });
  if (longest != waited.end()) {
    text += fmt::format(", most of all {} in {}", seconds(longest->second), longest->first);
  }
  return {CheckStatus::kTimeout, "N-TIME", text, {}, {}, {}, {}};
}

}  // namespace nibble::judge
