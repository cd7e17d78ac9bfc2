// Each check for the record: a public one with all that helps, a hidden one with nothing that a
// child has said.
#include "judge/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include "judge/run.hpp"
#include "record/codec.hpp"
#include "text/harmless.hpp"

namespace nibble::judge {
namespace {

using record::Check;
using record::End;
using record::Row;
using text::harmless;

/// A check that was not run, because another has to pass first, has no case. What follows from the
/// calls before takes all of them.
std::string replay_line(const Row& row, const std::string& case_name, const std::string& code) {
  if (row.of_speed) {
    return fmt::format("nibble run {}.{} --leg speed", lab_name().substr(0, 2), row.exercise);
  }
  if (code == "N-STALE") {
    return fmt::format("nibble run {} --seed {}", lab_name().substr(0, 2),
                       show_seed(this_run().seed));
  }
  const bool plain_word = case_name.find_first_of(" '\"$&|;<>()*?[]`\\!#~") == std::string::npos;
  const std::string quoted = plain_word ? case_name : "'" + case_name + "'";
  return fmt::format("nibble run {}.{} --check {}{} --seed {}", lab_name().substr(0, 2),
                     row.exercise, row.id, case_name.empty() ? "" : " --case " + quoted,
                     show_seed(this_run().seed));
}

/// What was recognised; else what this check usually finds.
void diagnose(Check& check, const Row& row, const ShrunkCase& failed) {
  const std::string& recognised = failed.failure.code;
  check.diagnosis = recognised.empty() ? row.diagnosis : recognised;
  check.usual = recognised.empty() && !check.diagnosis.empty();
}

/// 12 of "cuda_quantize.cu:12"; 0: nobody knows the line ("cuda_quantize.cu:?").
int line_in(const std::string& place) {
  int line = 0;
  const std::size_t begin = place.rfind(':') + 1;  // without a colon: the beginning
  std::from_chars(place.data() + begin, place.data() + place.size(), line);
  return std::max(line, 0);
}

/// "cuda_quantize.cu:12" as a place in the learner's file; none: in another, or not known.
std::optional<record::Location> place_of(const std::string& where) {
  const std::string base = lab_name().substr(3);
  for (const char* const ending : {".cu", ".cpp"}) {
    const std::string file = base + ending + ":";
    if (!where.starts_with(file)) continue;
    const int line = line_in(where);
    if (line == 0) return {};
    return record::Location{"labs/" + lab_name() + "/" + base + ending, line};
  }
  return {};
}

/// What a public check tells beyond its status.
void tell(Check& check, const Row& row, const ShrunkCase& failed) {
  const Failure& failure = failed.failure;
  diagnose(check, row, failed);
  check.message = harmless(failure.message);
  check.first = record::FailedCase{
      failed.name,   failed.shrunk,         failed.steps,           harmless(failed.input),
      failure.index, harmless(failure.got), harmless(failure.want), {}};
  if (!failure.compared.got.empty()) check.first->compared = failure.compared;
  check.tolerance = failure.tolerance;
  check.location = place_of(failure.where);
  check.replay = replay_line(row, failed.name, failure.code);
}

/// Nothing went wrong: the check passed, in part perhaps, or could not run here.
void take_pass(Check& check, const Record& record) {
  if (!record.not_here.empty()) return;
  check.points = record.speed ? record.speed->points : check.max_points;
  check.status = check.points < check.max_points ? CheckStatus::kPart : CheckStatus::kPass;
}

double rounded(double value, double per_unit) { return std::round(value * per_unit) / per_unit; }

record::Speed speed_entry(const MeasuredSpeed& speed) {
  const auto rate = [](double amount, double ns) {
    return rounded(amount / std::max(1.0, ns), 1e3);
  };
  record::Speed entry;
  entry.ratio = rounded(speed.ratio, 1e4);
  entry.margin = rounded(speed.margin, 1e4);
  entry.low = rounded(std::max(0.0, speed.ratio - speed.margin), 1e4);
  entry.high = rounded(speed.ratio + speed.margin, 1e4);
  entry.clock = "child-cpu";
  entry.pairs = speed.pairs;
  entry.measurements = speed.measurements;
  entry.in_doubt = speed.in_doubt;
  entry.zero_at = speed.goal.zero_at;
  entry.full_at = speed.goal.full_at;
  entry.ns = std::round(speed.submission_ns);
  entry.published_ns = std::round(speed.published_ns);
  entry.operations = speed.goal.operations;
  entry.bytes = speed.goal.bytes;
  entry.gops = rate(speed.goal.operations, speed.submission_ns);
  entry.published_gops = rate(speed.goal.operations, speed.published_ns);
  entry.isa = std::string(name_of(speed.goal.isa));
  entry.peak_gops = rounded(speed.peak_gops, 1e1);
  entry.read_gbytes = rounded(speed.read_gbytes, 1e2);
  return entry;
}

/// Every access of the submission's kernel, counted, with the first request of each as a sample.
std::vector<record::Access> traffic_entry(const KernelCounts& got) {
  std::vector<record::Access> all;
  const std::vector<std::string> lines = got.lines();
  for (std::size_t i = 0; i < got.traffic.size(); ++i) {
    const simt::Traffic& t = got.traffic[i];
    record::Access access;
    access.line = line_in(lines[i]);
    access.subject = harmless(t.subject);
    access.shared = t.space == simt::Space::kShared;
    access.use = t.use == simt::Use::kLoad    ? "load"
                 : t.use == simt::Use::kStore ? "store"
                                              : "atomic";
    access.bytes = t.bytes;
    access.requests = t.requests;
    access.lanes = t.lanes;
    access.sectors = t.sectors;
    access.useful_bytes = t.useful_bytes;
    access.wavefronts = t.wavefronts;
    access.ideal_wavefronts = t.ideal_wavefronts;
    access.sample_lanes = t.sample_lanes;
    std::ranges::copy(t.sample, access.sample.begin());
    all.push_back(std::move(access));
  }
  return all;
}

record::Totals totals_entry(const simt::SessionTotals& t) {
  return {t.launches, t.blocks, t.threads,          t.barriers, t.atomics,     t.dp4a,
          t.mma,      t.popc,   t.warp_collectives, t.steps,    t.active_lanes};
}

ShrunkCase outside_a_case(const Outcome& outcome) {
  return {"only", "", "", 0, {CheckStatus::kFail, "", outcome.unexplained, {}, {}, {}, {}}};
}

/// What went wrong, if anything did.
std::optional<ShrunkCase> failed_in(const Outcome& outcome) {
  if (outcome.record.failed) return outcome.record.failed;
  if (outcome.unexplained.empty()) return {};
  return outside_a_case(outcome);
}

/// What a check came to, in the kit's own words and numbers.
Check outline(const Row& row, const Outcome& outcome, Leg leg) {
  Check check;
  static_cast<record::CheckHead&>(check) = row;
  check.leg = leg;
  if (const auto failed = failed_in(outcome)) {
    check.status = failed->failure.status;
  } else {
    take_pass(check, outcome.record);
  }
  return check;
}

/// Nothing that a child wrote, said, printed or was asked, and not how long it took: any of it
/// could hold a hidden input.
Check hidden_entry(const Row& row, const Outcome& outcome, Leg leg) {
  Check check = outline(row, outcome, leg);
  const auto failed = failed_in(outcome);
  if (failed && row.detail == Detail::kKind) diagnose(check, row, *failed);
  return check;
}

Check public_entry(const Row& row, const Outcome& outcome, Leg leg) {
  Check check = outline(row, outcome, leg);
  check.seconds = std::round(outcome.seconds * 1e4) / 1e4;
  if (const auto failed = failed_in(outcome)) tell(check, row, *failed);
  if (outcome.record.speed) check.speed = speed_entry(*outcome.record.speed);
  if (const auto& counted = outcome.record.counted) {
    check.traffic = traffic_entry(counted->got);
    check.totals = totals_entry(counted->got.totals);
    check.published_totals = totals_entry(counted->published.totals);
  }
  if (!outcome.record.not_here.empty()) check.message = outcome.record.not_here;
  check.output = harmless(outcome.output);
  for (const ShownCase& shown : outcome.record.shown) {
    check.shown.push_back({shown.name, harmless(shown.input), harmless(shown.outcome)});
  }
  return check;
}

void add(record::Verdict& verdict, const Row& row, Check check) {
  verdict.points += check.points;
  verdict.max_points += row.max_points;
  verdict.hidden.run = verdict.hidden.run || row.hidden;
  if (check.status == CheckStatus::kSkip) verdict.not_counted += row.max_points;
  if (is_stop(check.status)) verdict.end = End::kStopped;
  if (check.status == CheckStatus::kFail) verdict.end = std::max(verdict.end, End::kFail);
  verdict.checks.push_back(std::move(check));
}

}  // namespace

std::string show_seed(std::uint64_t seed) { return fmt::format("{:#x}", seed); }

std::string verdict_text(const Outcomes& outcomes, Leg leg) {
  record::Verdict verdict;
  verdict.lab = lab_name();
  verdict.seed = show_seed(this_run().seed);
  for (const Row& row : all_rows()) {
    if (row.hidden) verdict.hidden.max_points += row.max_points;
    const auto found = outcomes.find(row.name());
    if (found == outcomes.end()) continue;
    add(verdict, row,
        row.hidden ? hidden_entry(row, found->second, leg) : public_entry(row, found->second, leg));
  }
  return record::text_of(verdict);
}

}  // namespace nibble::judge
