#include "proofs/proof.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nibble::proofs {

namespace {

constexpr std::size_t kMostShown = 20;

/// Each on a line of its own, and no screen full of them.
std::string show_some(const std::string& word, const std::vector<std::string>& lines) {
  std::string text;
  const std::size_t shown = std::min(lines.size(), kMostShown);
  for (std::size_t i = 0; i < shown; ++i) text += "\n" + word + lines[i];
  if (shown < lines.size()) text += fmt::format("\n    and {} more", lines.size() - shown);
  return text;
}

}  // namespace

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
  if (proof.failures.size() == 1) {
    text += "  FAIL " + proof.failures.front();
  } else {
    text += show_some("    FAIL ", proof.failures);
  }
  text += show_some("    note ", proof.notes);
  return text + '\n';
}

}  // namespace nibble::proofs
