// Compiles what was not compiled before, judges it on a leg, and notes every fault of a judge.
#include "proofs/workbench.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "files/files.hpp"
#include "files/sha256.hpp"
#include "run/salt.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kKeepUnused = 24h * 7;

/// Folders of runs that were killed: named after a process that is no more.
void sweep_work(const fs::path& work) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(work, ignored)) {
    const int pid = std::atoi(entry.path().filename().c_str());
    const bool gone = pid > 0 && kill(pid, 0) != 0 && errno == ESRCH;
    if (gone) fs::remove_all(entry.path(), ignored);
  }
}

void sweep_cache(const fs::path& cache) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(cache, ignored)) {
    const auto age = fs::file_time_type::clock::now() - fs::last_write_time(entry.path(), ignored);
    if (age > kKeepUnused) fs::remove_all(entry.path(), ignored);
  }
}

/// Headers under `folder`, sorted, so that the hash of a tree is the same on every machine.
std::vector<fs::path> headers_under(const fs::path& folder) {
  std::vector<fs::path> headers;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".hpp") headers.push_back(entry.path());
  }
  std::ranges::sort(headers);
  return headers;
}

}  // namespace

Workbench::Workbench(const lab::Kit& kit, Options options)
    : kit_(kit), options_(std::move(options)) {
  const fs::path folder = kit.notes() / "check-kit";
  sweep_work(folder / "work");
  sweep_cache(folder / "cache");
  work_ = folder / "work" / std::to_string(getpid());
  cache_ = folder / "cache";
  fs::create_directories(work_);
  fs::create_directories(cache_);
  if (options_.terms.salt.empty()) options_.terms.salt = run::draw_salt();
}

Workbench::~Workbench() {
  std::error_code ignored;
  fs::remove_all(work_, ignored);
}

fs::path Workbench::fresh_folder() {
  const fs::path folder = work_ / std::to_string(folders_++);
  fs::create_directories(folder);
  return folder;
}

/// What a child is made of besides its source: contract, common headers, runner, compiler.
const std::string& Workbench::kit_part_of_key(const std::string& lab) {
  const std::lock_guard lock(mutex_);
  std::string& part = key_parts_[lab];
  if (!part.empty()) return part;
  std::vector<fs::path> files = headers_under(kit_.contract(lab));
  for (const fs::path& header : headers_under(kit_.headers / "common")) files.push_back(header);
  for (const fs::path& object : compile::runner_objects(kit_, lab)) files.push_back(object);
  part = kit_.cxx_name + kit_.cxx;
  for (const fs::path& file : files) part += files::sha256(files::read_file(file));
  return part;
}

std::string Workbench::key_of(const Implementation& what) {
  std::string text = what.lab + '\n' + kit_part_of_key(what.lab) + '\n' + name_of(what.leg) + '\n';
  text +=
      text::text_of(kit_.flags(what.lab, what.leg)) + '\n' + text::text_of(what.more_flags) + '\n';
  text += text::text_of(kit_.link_flags) + '\n' + what.source;
  const std::string hash = files::sha256(text);
  return hash.substr(hash.find(':') + 1);
}

/// From the cache; not ok when it is not there.
Child Workbench::kept(const std::string& key) const {
  const fs::path entry = cache_ / key;
  if (!fs::exists(entry / "child")) return {};
  std::error_code ignored;
  fs::last_write_time(entry, fs::file_time_type::clock::now(), ignored);
  return {true, entry / "child", files::read_file(entry / "diagnostics.txt")};
}

Child Workbench::keep(const std::string& key, const fs::path& executable,
                      const std::string& diagnostics) {
  const fs::path entry = fresh_folder();  // becomes the cache's in one step
  fs::rename(executable, entry / "child");
  for (std::size_t i = 0; i < 2; ++i) {
    const fs::path companion = compile::companions(executable)[i];
    if (fs::exists(companion)) fs::rename(companion, compile::companions(entry / "child")[i]);
  }
  files::write_atomically(entry / "diagnostics.txt", diagnostics);
  std::error_code taken;  // by another run that built the same meanwhile
  fs::rename(entry, cache_ / key, taken);
  return kept(key);
}

Child Workbench::build(const Implementation& what) {
  const std::string key = key_of(what);
  if (Child child = kept(key); child.ok) return child;
  const fs::path folder = fresh_folder();
  const compile::Built built =
      compile::compile_child(kit_, {what.lab, what.source, what.leg, folder, what.more_flags, {}});
  if (!built.ok) return {false, {}, built.diagnostics};
  Child child = keep(key, built.executable, built.diagnostics);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return child;
}

std::vector<Child> Workbench::build_together(const MistakeProgram& program,
                                             const std::vector<Mistaken>& mistaken) {
  std::vector<Child> children(mistaken.size());
  std::vector<std::size_t> places;  // of the copies
  std::vector<std::string> copies, keys;
  for (std::size_t i = 0; i < mistaken.size(); ++i) {
    const auto copy = program.copy_of(mistaken[i]);
    if (!copy) continue;
    const std::string key = key_of({program.lab(), *copy});
    children[i] = kept(key);
    if (children[i].ok) continue;
    places.push_back(i);
    copies.push_back(*copy);
    keys.push_back(key);
  }
  const fs::path folder = fresh_folder();
  const std::vector<fs::path> executables = program.build(copies, folder);
  for (std::size_t i = 0; i < copies.size(); ++i) {
    if (!executables[i].empty()) children[places[i]] = keep(keys[i], executables[i], "");
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return children;
}

Trial Workbench::judge(const Implementation& what, const Child& child,
                       const std::string& exercise) {
  return run({.lab = what.lab, .leg = what.leg, .exercise = exercise, .child = child.executable});
}

Trial Workbench::measure(const Implementation& what, const Child& child, const Child& published) {
  return run({.lab = what.lab,
              .leg = protocol::Leg::kSpeed,
              .child = child.executable,
              .published = published.executable});
}

/// Every check that is asked for, hidden ones too.
Trial Workbench::run(protocol::Terms terms) {
  terms.salt = options_.terms.salt;
  terms.seed = options_.terms.seed;
  const run::Trial trial{terms};
  // No hidden check is one of speed.
  const run::Judged judged = terms.leg == protocol::Leg::kSpeed
                                 ? run::judge(kit_, trial)
                                 : run::judge_everything(kit_, trial);
  Trial result{judged.verdict, "", judged.seconds};
  if (!judged.has_verdict()) {
    result.kit_error = text::trim(judged.message);
    if (result.kit_error.empty()) result.kit_error = "the judge said nothing";
  }
  const std::lock_guard lock(mutex_);
  Health& health = health_[terms.lab];
  ++health.runs;
  if (!result.ok()) health.kit_errors.push_back(result.kit_error);
  return result;
}

std::map<std::string, Workbench::Health> Workbench::health() const {
  const std::lock_guard lock(mutex_);
  return health_;
}

}  // namespace nibble::proofs
