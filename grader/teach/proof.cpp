#include "teach/proof.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nibble::teach {

namespace {
constexpr std::size_t kMostShown = 20;
}

void Proof::count(bool good, const std::string& otherwise) {
  count(good ? std::vector<std::string>{} : std::vector{otherwise});
}

void Proof::count(const std::vector<std::string>& faults) {
  ++counted;
  passed += faults.empty() ? 1 : 0;
  failures.insert(failures.end(), faults.begin(), faults.end());
}

bool Proof::holds() const { return counted > 0 && passed == counted && failures.empty(); }

std::string show(const Proof& proof) {
  std::string text = fmt::format("  {:<38}{:>4}/{:<4}", proof.title, proof.passed, proof.counted);
  if (proof.counted == 0) text += "  FAIL nothing was looked at";
  if (proof.holds() && !proof.remark.empty()) text += "  (" + proof.remark + ")";
  const std::size_t shown = std::min(proof.failures.size(), kMostShown);
  if (shown == 1) text += "  FAIL " + proof.failures.front();
  for (std::size_t i = 0; shown > 1 && i < shown; ++i) text += "\n    FAIL " + proof.failures[i];
  if (shown < proof.failures.size()) {
    text += fmt::format("\n    and {} more", proof.failures.size() - shown);
  }
  for (const std::string& note : proof.notes) text += "\n    note  " + note;
  return text + '\n';
}

}  // namespace nibble::teach
