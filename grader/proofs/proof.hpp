// One thing that check-kit proves, with how much of it was looked at.
#pragma once

#include <string>
#include <vector>

namespace nibble::proofs {

struct Proof {
  std::string title;
  int passed = 0, counted = 0;
  std::string remark{};                 ///< shown when it holds
  std::vector<std::string> failures{};  ///< each names the thing that is wrong
  std::vector<std::string> notes{};     ///< worth knowing, not wrong

  /// Counts one thing; `otherwise` says what is wrong with it when it is not good.
  void count(bool good, const std::string& otherwise);
  /// Counts one thing, which has all of these faults.
  void count(const std::vector<std::string>& faults);

  /// A proof that looked at nothing holds nothing.
  bool holds() const;
};

/// "  mistakes rejected                   731/732   FAIL 04_asymmetric: … survives"
std::string show(const Proof& proof);

}  // namespace nibble::proofs
