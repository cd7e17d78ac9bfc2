// Leaves out of a hidden check what nobody may be told, and makes
// text safe for a file of somebody else's.
#include "export/told.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "text/harmless.hpp"
#include "text/json_text.hpp"

namespace nibble::gradebook {
namespace {

/// Of a hidden check this alone is kept, whatever else may be written there one day. How long it
/// takes, a submission chooses by what it was asked.
Check as_told(const Check& check) {
  if (!check.hidden) return check;
  Check kept;
  static_cast<record::CheckHead&>(kept) = check;
  kept.status = check.status;
  kept.points = check.points;
  kept.leg = check.leg;
  if (check.detail == record::Detail::kKind) {
    kept.diagnosis = check.diagnosis;
    kept.sure = check.sure;
    kept.usual = check.usual;
  }
  if (check.detail == record::Detail::kNone) kept.title.clear();
  return kept;
}

std::string speed_words(const record::Speed& speed) {
  return fmt::format("{:.2f}x the published solution (0 at {:.2f}x, full at {:.2f}x)", speed.ratio,
                     speed.zero_at, speed.full_at);
}

}  // namespace

Result told(Result results) {
  const auto saw_it = [&](const Check& check) {
    return check.hidden && check.id == results.finding->check &&
           check.exercise == results.finding->exercise;
  };
  if (results.finding && std::ranges::any_of(results.checks, saw_it)) results.finding.reset();
  for (Check& check : results.checks) check = as_told(check);
  if (results.hidden.run) results.seconds = std::ceil(results.seconds);
  return results;
}

std::string name_of(const Result& results, const Check& check) {
  if (std::ranges::count(results.checks, check.id, &Check::id) < 2) return check.id;
  return fmt::format("{} ({})", check.id, check.exercise);
}

std::string diagnosis_of(const Check& check) {
  return check.diagnosis.empty() ? "" : record::hedge_of(check) + check.diagnosis;
}

std::string why(const Check& check) {
  if (check.status == CheckStatus::kPass) return "";
  std::string words = safe_text(check.message);
  if (words.empty() && check.speed) words = speed_words(*check.speed);
  const std::string code = diagnosis_of(check);
  if (code.empty()) return words;
  return words.empty() ? code : fmt::format("{} ({})", words, code);
}

std::string replay_of(const Result& results, const Check& check) {
  if (!check.replay.empty() || check.hidden) return check.replay;
  const bool one_of_several = name_of(results, check) != check.id;
  return fmt::format("nibble run {}{} --check {}", results.lab.substr(0, 2),
                     one_of_several ? "." + check.exercise : "", check.id);
}

std::string number_of(const Result& results) {
  return std::to_string(std::stoi(results.lab.substr(0, 2)));
}

std::string compile_message(const Result& results) {
  const std::string message = safe_text(results.compile_message);
  return message.empty() ? "it does not compile" : message;
}

PublicPoints public_points(const Result& results) {
  if (!results.compiles()) return {0, worth(results) - results.hidden.max_points};
  PublicPoints sum;
  for (const Check& check : results.checks) {
    if (check.hidden) continue;
    sum.points += check.points;
    sum.max_points += check.max_points;
  }
  return sum;
}

int worth(const Result& results) {
  return results.max_points + (results.hidden.run ? 0 : results.hidden.max_points);
}

std::string safe_text(std::string_view text) {
  constexpr std::string_view kCut = "\n(cut at 64 KiB)";
  std::string safe = text::harmless(text);
  if (safe.size() <= kMostText) return safe;
  std::size_t end = kMostText - kCut.size();
  while (end > 0 && (static_cast<unsigned char>(safe[end]) & 0xC0) == 0x80) --end;
  return safe.substr(0, end) + std::string(kCut);
}

}  // namespace nibble::gradebook
