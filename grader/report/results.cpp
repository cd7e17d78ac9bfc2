// Puts the results together: legs, findings with their places, the machine, the manifest.
#include "report/results.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "compile/compile.hpp"
#include "compile/own_code.hpp"
#include "files/files.hpp"
#include "files/sha256.hpp"
#include "report/sanitizer.hpp"
#include "report/speed.hpp"
#include "text/harmless.hpp"

namespace nibble::report {
namespace {

using protocol::Leg;
using record::End;
using record::Finding;
using record::Scheme;
using record::Verdict;

constexpr std::size_t kMostText = std::size_t{64} << 10;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

bool is_seen(const std::string& code) {
  constexpr std::array kOwn = {"N-ODD",       "N-STALE",   "N-WRONG",   "N-STUB",
                               "N-CRASH",     "N-FORMULA", "N-OOB",     "N-INPUT",
                               "N-UNWRITTEN", "N-SIZE",    "N-REFUSED", "N-THROW",
                               "N-EXIT",      "N-TIME",    "N-MEMORY",  "N-PROTOCOL"};
  constexpr std::array kOfTheEngine = {
      "N-LAUNCH",   "N-FREED",  "N-ALIGN",    "N-POINTER",   "N-BARRIER",  "N-LANES",    "N-RACE",
      "N-UNINIT",   "N-WAIT",   "N-LEAK",     "N-UNCHECKED", "N-COALESCE", "N-REQUESTS", "N-BANK",
      "N-BARRIERS", "N-ATOMIC", "N-LAUNCHES", "N-DP4A",      "N-MMA",      "N-POPC",     "N-IDLE"};
  return std::ranges::count(kOwn, code) > 0 || std::ranges::count(kOfTheEngine, code) > 0;
}

namespace {

/// A check that names another mistake than its own has compared the answer with what that mistake
/// would give: two diagnoses fit, so it "looks like" the one, and is not said to be it.
void mark_suspect(Check& check, const Scheme& scheme) {
  const record::Row* const row = record::find_check(scheme.checks, check);
  const std::string usual = row == nullptr ? "" : row->diagnosis;
  if (check.diagnosis.empty() || usual.empty()) return;
  // What a row usually finds was not seen where all that is known are other values.
  const bool of_values =
      check.diagnosis != "N-FORMULA" && check.first && !check.first->want.empty();
  const bool seen = is_seen(check.diagnosis) && !(check.usual && of_values);
  check.usual = check.usual && !seen;
  check.sure = seen || (check.diagnosis == usual && !check.usual);
}

/// Where in the learner's file a check that crashed did so, as the sanitizers saw it.
void locate(Check& check, const std::optional<Verdict>& sanitizers) {
  if (check.status != CheckStatus::kCrash || !sanitizers) return;
  const Check* const seen = record::find_check(sanitizers->checks, check);
  if (seen == nullptr) return;
  if (const auto place = learners_line(seen->output)) check.location = place;
}

/// Slowness is no finding: sanitized code is slower, and the limit is the same.
bool is_finding(const Check& check) {
  return !is_good(check.status) && check.status != CheckStatus::kTimeout;
}

std::string words_of(const Check& check, Leg leg) {
  const std::string said = check.message.empty() ? word_of(check.status) : check.message;
  const std::string seen = summary(check.output);
  if (!seen.empty()) return seen;
  if (leg == Leg::kGpu) return "not the same on a GPU: " + said;
  if (check.status != CheckStatus::kFail) return said;
  return "another answer than without sanitizers: a value that was never set, or undefined"
         " behaviour";
}

/// The first thing that a leg without points saw.
std::optional<Finding> first_finding(const std::optional<Verdict>& verdict, Leg leg) {
  if (!verdict) return {};
  const auto check = std::ranges::find_if(verdict->checks, is_finding);
  if (check == verdict->checks.end()) return {};
  Finding finding{leg, check->id, check->exercise, text::harmless(words_of(*check, leg))};
  finding.location = learners_line(check->output);
  if (check->first) finding.case_name = check->first->name;
  if (!check->replay.empty()) finding.replay = check->replay + " --leg " + name_of(leg);
  return finding;
}

/// The first complaint of compute-sanitizer.
std::optional<Finding> first_complaint(const std::optional<record::GpuSanitizer>& seen,
                                       const Verdict& verdict) {
  if (!seen || seen->complaints.empty()) return {};
  const record::GpuComplaint& complaint = seen->complaints.front();
  std::string message = complaint.tool + ": " + complaint.what;
  if (!complaint.kernel.empty()) message += " in " + complaint.kernel;
  if (!complaint.thread.empty()) message += ", by " + complaint.thread;
  Finding finding{Leg::kGpuSanitizer, complaint.check, complaint.exercise, text::harmless(message),
                  complaint.location};
  finding.replay = "nibble run " + verdict.lab.substr(0, 2) + "." + complaint.exercise +
                   " --check " + complaint.check + " --seed " + verdict.seed + " --leg gpu";
  return finding;
}

Verdict no_verdict(const Account& account, const Scheme& scheme) {
  Verdict verdict;
  verdict.lab = account.terms.lab;
  verdict.end = End::kNoCompile;
  for (const record::Row& row : scheme.checks) {
    (row.hidden ? verdict.hidden.max_points : verdict.max_points) += row.max_points;
  }
  verdict.hidden.run = !account.terms.salt.empty();
  if (verdict.hidden.run) verdict.max_points += verdict.hidden.max_points;
  verdict.seed = account.terms.seed.empty() ? "0x0" : account.terms.seed;
  return verdict;
}

/// What hidden checks would add. A handout has none, and every lab is worth 100.
int hidden_points(const Verdict& verdict, const Scheme& scheme) {
  if (verdict.hidden.max_points > 0) return verdict.hidden.max_points;
  int all = 0;
  for (const record::Row& row : scheme.checks) all += row.max_points;
  return std::max(0, 100 - all);
}

LegState speed_leg(const Account& account) {
  if (!account.speed_wanted) return LegState::kNone;
  if (!account.speed_not_here.empty()) return LegState::kNotHere;
  return account.speed ? LegState::kRan : LegState::kNotRun;
}

/// Of a leg that only a GPU can run.
LegState gpu_leg(lab::LabKind kind, bool ran, const std::string& not_here) {
  if (kind != lab::LabKind::kDevice) return LegState::kNone;
  if (ran) return LegState::kRan;
  return not_here.empty() ? LegState::kNotRun : LegState::kNotHere;
}

/// Without a GPU there is nothing to look into.
std::string why_no_gpu_sanitizer(const Account& account) {
  return account.gpu_not_here.empty() ? account.gpu_sanitizer_not_here : account.gpu_not_here;
}

LegState sanitizer_leg(const Account& account, bool alone) {
  if (account.sanitizers || alone) return LegState::kRan;
  if (account.builds_differ) return LegState::kNoCompile;
  return account.sanitizers_not_here ? LegState::kNotHere : LegState::kNotRun;
}

record::Legs legs_of(const lab::Lab& lab, const Account& account) {
  const bool only_sanitizers = account.terms.leg == Leg::kSanitizers;
  const bool ran = account.verdict.has_value();
  record::Legs legs;
  legs.gpu = gpu_leg(lab.kind, account.gpu.has_value(), account.gpu_not_here);
  legs.gpu_sanitizer =
      gpu_leg(lab.kind, account.gpu_sanitizer.has_value(), why_no_gpu_sanitizer(account));
  if (lab.is_cuda()) {
    legs.simt = ran ? LegState::kRan : LegState::kNotRun;
    return legs;
  }
  legs.plain = ran && !only_sanitizers ? LegState::kRan : LegState::kNotRun;
  legs.sanitizers = sanitizer_leg(account, ran && only_sanitizers);
  legs.speed = speed_leg(account);
  return legs;
}

/// Why this machine could not run a leg.
record::NotHere reasons_of(const Account& account, const record::Legs& legs) {
  const auto why = [](std::optional<LegState> state, const std::string& reason) {
    return state == LegState::kNotHere ? text::harmless(reason) : "";
  };
  return {why(legs.speed, account.speed_not_here), why(legs.gpu, account.gpu_not_here),
          why(legs.gpu_sanitizer, why_no_gpu_sanitizer(account))};
}

record::Environment environment_of(const lab::Kit& kit, const Account& account) {
  const Machine& machine = account.machine;
  return {kit.cxx_name,   joined(kit.flags(kit.lab(account.terms.lab).kind, account.terms.leg)),
          machine.cpu,    machine.isa,
          machine.gpu,    machine.sandbox,
          machine.limits, machine.load};
}

record::Manifest manifest_of(const lab::Kit& kit, const Account& account) {
  const KitHashes hashes = hash_kit(kit, account.terms.lab);
  const std::string file = kit.lab(account.terms.lab).file_name();
  const std::string& salt = account.terms.salt;
  return {{{file, files::sha256(account.source)}},
          hashes.kit,
          hashes.checks,
          salt.empty() ? "" : files::sha256(salt),
          ""};
}

std::vector<std::string> needs_look(const Account& account, const std::vector<Check>& checks) {
  std::vector<std::string> reasons;
  if (!account.odd_imports.empty()) reasons.emplace_back("rule");
  if (account.builds_differ) reasons.emplace_back("leg");
  for (const Check& check : checks) {
    if (check.status == CheckStatus::kOdd) reasons.emplace_back("odd");
    if (check.speed && check.speed->in_doubt) reasons.emplace_back("noise");
  }
  return reasons;
}

void complete(std::vector<Check>& checks, const Scheme& scheme, const Account& account) {
  for (Check& check : checks) {
    mark_suspect(check, scheme);
    locate(check, account.sanitizers);
    check.output = check.output.substr(0, kMostText);
    if (check.leg == Leg::kSanitizers) check.output = without_addresses(check.output);
    check.output = text::harmless(check.output);
  }
}

}  // namespace

KitHashes hash_kit(const lab::Kit& kit, const std::string& lab) {
  const std::string judge = files::read_file(kit.judge(lab));
  std::string parts =
      kit.version + "\n" + std::string(compile::own_code()) + "\n" + files::sha256(judge);
  for (const auto& object : compile::runner_objects(kit, kit.lab(lab))) {
    parts += "\n" + files::sha256(files::read_file(object));
  }
  return {files::sha256(parts), files::sha256(judge)};
}

Result results_of(const lab::Kit& kit, const Scheme& scheme, const Account& account) {
  Result results;
  static_cast<Verdict&>(results) =
      account.verdict ? with_speed(*account.verdict, account, scheme) : no_verdict(account, scheme);
  const bool only_sanitizers = account.terms.leg == Leg::kSanitizers;
  results.finding =
      first_finding(only_sanitizers ? account.verdict : account.sanitizers, Leg::kSanitizers);
  if (!results.finding) results.finding = first_finding(account.gpu, Leg::kGpu);
  if (!results.finding) results.finding = first_complaint(account.gpu_sanitizer, results);
  if (results.finding) results.end = End::kStopped;

  results.version = kit.version;
  results.lab = account.terms.lab;
  results.hidden.max_points = hidden_points(results, scheme);
  results.legs = legs_of(kit.lab(account.terms.lab), account);
  results.not_here = reasons_of(account, results.legs);
  results.started = account.started;
  results.seconds = std::round(account.seconds * 1e3) / 1e3;
  results.environment = environment_of(kit, account);
  results.manifest = manifest_of(kit, account);
  results.needs_look = needs_look(account, results.checks);
  results.compile_message = text::harmless(account.compile_message.substr(0, kMostText));
  results.odd_imports = account.odd_imports;
  results.prints = account.prints;
  results.gpu_sanitizer = account.gpu_sanitizer;
  complete(results.checks, scheme, account);
  return results;
}

}  // namespace nibble::report
