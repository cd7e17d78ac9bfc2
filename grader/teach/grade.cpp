#include "teach/grade.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <random>
#include <set>
#include <stdexcept>

#include "build/compile.hpp"
#include "build/files.hpp"
#include "build/judging.hpp"
#include "report/results.hpp"
#include "report/speed.hpp"
#include "teach/lab_files.hpp"

namespace nibble::teach {
namespace {

namespace fs = std::filesystem;
using build::Leg;
using report::Json;
using std::chrono::steady_clock;

/// A submission is small; what is not is no lab's source.
constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 20;

Entry entry_of(const fs::path& path, const std::string& lab) {
  const fs::path file = build::source_name(lab).filename();
  const fs::path full = fs::absolute(path).lexically_normal();
  if (fs::is_directory(full)) {
    const fs::path folder = full.filename().empty() ? full.parent_path() : full;
    return {folder.filename().string(), folder / file};
  }
  const bool plain_name = full.filename() == file;
  return {plain_name ? full.parent_path().filename().string() : full.stem().string(), full};
}

/// The verdict of one leg. Throws std::runtime_error when the kit, not the submission, is at fault.
Json judge(const build::Kit& kit, const Grade& what, const std::string& lab, const fs::path& child,
           Leg leg) {
  build::Trial trial;
  trial.lab = lab;
  trial.child = child;
  trial.leg = leg;
  trial.seed = what.seed;
  trial.hidden = what.hidden;
  trial.salt = what.salt;
  build::Judged judged = build::judge(kit, trial);
  if (judged.outcome != build::Judged::Outcome::kVerdict) throw std::runtime_error(judged.message);
  return std::move(judged.verdict);
}

/// The speed leg, into `account`. One submission at a time: neighbours of its own would only cost it
/// time, not points, and its instructor patience.
void measure(const build::Kit& kit, const Grade& what, const fs::path& child, const fs::path& work,
             report::Account& account) {
  const fs::path published = build::published_solution(kit, account.lab);
  if (published.empty()) {
    account.speed_not_here = "the published solution is not in this copy of the kit";
    return;
  }
  const build::Built ours = compile_child(
      kit, {account.lab, build::read_file(published), Leg::kPlain, work / "published", {}, {}});
  if (!ours.ok) throw std::runtime_error("the published solution does not compile");
  build::Trial trial;
  trial.lab = account.lab;
  trial.child = child;
  trial.published = ours.executable;
  trial.seed = what.seed;
  trial.hidden = what.hidden;
  trial.salt = what.salt;
  build::Judged judged = build::judge(kit, trial);
  if (judged.outcome != build::Judged::Outcome::kVerdict) throw std::runtime_error(judged.message);
  account.speed = std::move(judged.verdict);
}

/// Plain first; what passes it is looked at with sanitizers too.
Json grade_one(const build::Kit& kit, const Grade& what, const std::string& lab, const Entry& entry,
               const fs::path& work) {
  const auto start = steady_clock::now();
  report::Account account;
  account.lab = lab;
  account.started = report::utc_now();
  account.machine = report::this_machine();
  account.salt = what.salt;
  account.seed = what.seed;
  account.source = build::read_file(entry.source);
  const Json scheme = Json::parse(build::read_file(kit.scheme(lab)));
  account.speed_wanted = report::has_speed_rows(scheme, "");

  const auto build_for = [&](Leg leg) {
    return compile_child(kit, {lab, account.source, leg, work / build::name_of(leg), {}, {}});
  };
  const build::Built plain = build_for(Leg::kPlain);
  account.compile_message = plain.diagnostics;
  account.odd_imports = plain.odd_imports;
  if (plain.ok) account.verdict = judge(kit, what, lab, plain.executable, Leg::kPlain);
  if (plain.ok && account.verdict.at("verdict") == "pass" && !build::is_cuda_lab(lab)) {
    const build::Built sanitized = build_for(Leg::kSanitizers);
    account.sanitizers_not_here = !sanitized.ok;
    if (sanitized.ok) {
      account.sanitizers = judge(kit, what, lab, sanitized.executable, Leg::kSanitizers);
    }
  }
  if (account.speed_wanted && !account.verdict.is_null() &&
      account.verdict.at("verdict") == "pass") {
    measure(kit, what, plain.executable, work, account);
  }
  account.seconds = std::chrono::duration<double>(steady_clock::now() - start).count();
  return report::results_of(kit, scheme, account);
}

void print_line(const std::string& id, const Json& results) {
  fmt::print("  {:<24} {:>3} of {:<3}  {:<10}  {:.2f} s\n", id, results.at("points").get<int>(),
             results.at("max_points").get<int>(), results.at("verdict").get<std::string>(),
             results.at("seconds").get<double>());
  std::fflush(stdout);
}

std::string draw_seed() {
  std::random_device entropy;
  return fmt::format("{:#x}", entropy());
}

}  // namespace

std::vector<Entry> entries_of(const std::vector<fs::path>& paths, const std::string& lab) {
  std::vector<Entry> entries;
  std::set<std::string> ids;
  for (const fs::path& path : paths) {
    Entry entry = entry_of(path, lab);
    if (!fs::is_regular_file(entry.source)) {
      throw std::invalid_argument("there is no " + entry.source.string());
    }
    if (fs::file_size(entry.source) > kMostBytes) {
      throw std::invalid_argument(entry.source.string() + " is larger than 1 MiB");
    }
    if (!ids.insert(entry.id).second) {
      throw std::invalid_argument("two submissions are called " + entry.id);
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

int grade(const build::Kit& kit, const Grade& asked) {
  Grade what = asked;
  const std::string lab = choose_labs(build::all_labs(kit), {what.lab}).front();
  const std::vector<Entry> entries = entries_of(what.paths, lab);
  if (what.seed.empty()) what.seed = draw_seed();
  fmt::print("lab {} · seed {} (recorded) · {} submissions · {}\n", lab, what.seed, entries.size(),
             what.hidden ? "public and hidden checks" : "public checks only");
  int without = 0;
  for (const Entry& entry : entries) {
    const fs::path folder = what.out / entry.id, work = folder / "work";
    try {
      const Json results = grade_one(kit, what, lab, entry, fs::absolute(work));
      build::write_atomically(folder / "results.json", report::as_text(results));
      print_line(entry.id, results);
    } catch (const std::exception& error) {
      ++without;
      fmt::print("  {:<24} no verdict, a fault of the kit: {}\n", entry.id, error.what());
    }
    std::error_code ignored;
    fs::remove_all(work, ignored);
  }
  fmt::print("{} graded, {} without a verdict.  {}\n", entries.size() - without, without,
             (what.out / "<id>" / "results.json").string());
  return without == 0 ? 0 : 6;
}

}  // namespace nibble::teach
