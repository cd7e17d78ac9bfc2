// Submits an array of chunks, looks at the results folder and at the queue until all is there, and
// submits what is missing once more.
#include "batch/slurm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "batch/chunk.hpp"
#include "batch/progress_bar.hpp"
#include "batch/store.hpp"
#include "files/files.hpp"
#include "files/sha256.hpp"
#include "process/command.hpp"
#include "report/machine.hpp"
#include "text/harmless.hpp"

namespace nibble::batch {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr auto kBetweenLooks = 500ms;
/// squeue is asked this seldom: a controller has others to serve.
constexpr auto kBetweenQuestions = 5s;

process::Finished ask(std::vector<std::string> words, const std::string& salt = "") {
  process::Command command;
  command.words = std::move(words);
  command.wall_limit = 60s;
  for (const char* const name : {"SLURM_CONF", "USER"}) {
    if (const char* const value = std::getenv(name)) {
      command.environment.push_back(std::string(name) + "=" + value);
    }
  }
  if (!salt.empty()) command.environment.push_back("NIBBLE_SALT=" + salt);
  return process::run(command);
}

/// A figure of `scontrol show config`, as "MaxArraySize            = 1001".
std::size_t configured(const std::string& config, const std::string& name, std::size_t otherwise) {
  const std::size_t at = config.find("\n" + name);
  if (at == std::string::npos) return otherwise;
  const std::size_t digit = config.find_first_of("0123456789", at);
  std::size_t value = otherwise;
  std::from_chars(config.data() + digit, config.data() + config.size(), value);
  return value;
}

/// How many jobs one array may have.
std::size_t most_jobs() {
  const std::string config = ask({"scontrol", "show", "config"}).out;
  return std::max<std::size_t>(1, std::min(configured(config, "MaxArraySize", 1001) - 1,
                                           configured(config, "MaxJobCount", 10000) / 2));
}

/// Where a round keeps its chunks, the number of its array, and what the jobs say.
constexpr std::string_view kRounds = "slurm-";
constexpr const char* kArray = "array";

/// Cancels the arrays of batches that were killed, which would go on beside ours; theirs was this
/// folder, and we have it now.
void take_back_earlier_arrays(const fs::path& place) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(place, none)) {
    if (!entry.path().filename().string().starts_with(kRounds)) continue;
    const fs::path array = entry.path() / kArray;
    if (fs::is_regular_file(array)) {
      const process::Finished cancelled = ask({"scancel", files::read_file(array)});
      const bool is_known = cancelled.err.find("Invalid job id") == std::string::npos;
      if (!cancelled.ok() && is_known) continue;  // no controller: the next batch may find one
    }
    fs::remove_all(entry.path(), none);
  }
}

/// One array of jobs: from sbatch until no job of it is left.
class JobArray {
 public:
  JobArray(const Batch& batch, const std::vector<Grading>& gradings, bool with_speed,
           const Slurm& slurm)
      : batch_(batch), slurm_(slurm), with_speed_(with_speed), waiting_(gradings) {
    folder_ = batch.grades / ".batch" /
              (std::string(kRounds) + files::sha256(report::utc_now()).substr(7, 8));
    fs::remove_all(folder_);
    submit();
  }

  ~JobArray() {
    if (!waiting_.empty()) ask({"scancel", job_});
    std::error_code ignored;
    if (waiting_.empty()) fs::remove_all(folder_, ignored);
  }
  JobArray(const JobArray&) = delete;
  JobArray& operator=(const JobArray&) = delete;

  /// Looks until all is there, nobody works on it any more, or it is interrupted. How much came.
  Done wait(ProgressBar& bar) {
    Done done;
    auto last_news = steady_clock::now(), last_question = last_news;
    while (!waiting_.empty()) {
      if (slurm_.cancelled && slurm_.cancelled()) {
        done.interrupted = true;
        return done;
      }
      std::this_thread::sleep_for(kBetweenLooks);
      if (gather(bar, done)) last_news = steady_clock::now();
      if (steady_clock::now() - last_question < kBetweenQuestions) continue;
      last_question = steady_clock::now();
      const Jobs jobs = look_at_jobs();
      if (jobs == Jobs::kNone) {
        gather(bar, done);
        return done;
      }
      if (jobs == Jobs::kNoAnswer && steady_clock::now() - last_news > slurm_.patience) return done;
    }
    return done;
  }

  const std::vector<Grading>& waiting() const { return waiting_; }

  /// What a job of this array said last; for people who wonder why nothing came.
  std::string last_words() const {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
      if (entry.path().extension() != ".log") continue;
      const std::string text = files::read_file(entry.path());
      if (!text.empty()) {
        return text::harmless(text.substr(text.size() - std::min<std::size_t>(400, text.size())));
      }
    }
    return "no job has said anything";
  }

 private:
  enum class Jobs { kSome, kNone, kNoAnswer };  ///< no answer, or no node

  void submit() {
    const auto chunks = cut(waiting_, slurm_.chunk, most_jobs());
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      write_chunk(folder_ / fmt::format("{}.json", i), {chunks[i], with_speed_});
    }
    std::vector<std::string> words = {"sbatch",
                                      "--parsable",
                                      "--requeue",
                                      "--job-name=nibble",
                                      "--cpus-per-task=1",
                                      fmt::format("--array=0-{}", chunks.size() - 1),
                                      "--output=" + (folder_ / "%a.log").string()};
    if (with_speed_) words.emplace_back("--exclusive");
    const bool gpu =
        std::ranges::any_of(batch_.orders, [](const auto& lab) { return lab.second.legs.gpu; });
    if (gpu) words.emplace_back("--gres=gpu:1");  // a whole one for each
    words.insert(words.end(), slurm_.options.begin(), slurm_.options.end());
    words.push_back("--wrap");
    words.push_back(fmt::format("exec '{}' grade-chunk '{}' '{}'/$SLURM_ARRAY_TASK_ID.json {}",
                                slurm_.program.string(), batch_.grades.string(), folder_.string(),
                                slurm_.level));
    const process::Finished taken = ask(words, slurm_.salt);
    if (!taken.ok()) {
      throw std::invalid_argument(
          "sbatch takes no job: " + taken.err +
          "sinfo shows the partitions of this cluster, --sbatch=--partition=NAME chooses one; what "
          "is graded stays, --resume goes on");
    }
    job_ = taken.out.substr(0, taken.out.find_first_of(";\n"));
    files::write_atomically(folder_ / kArray, job_);
  }

  bool is_there(const Grading& grading) const {
    if (fs::exists(fault_file(batch_.grades, grading.id, grading.lab))) return true;
    const auto result = read_result(result_file(batch_.grades, grading.id, grading.lab));
    const LabOrder& order = batch_.orders.at(grading.lab);
    const std::string source =
        files::read_file(submitted_file(batch_.grades, grading.id, order.lab));
    return result && result->manifest.key == key_of(order, source) &&
           !(with_speed_ && awaits_speed(*result));
  }

  /// Counts what has come since the last look; true when anything has.
  bool gather(ProgressBar& bar, Done& done) {
    const std::size_t before = waiting_.size();
    std::erase_if(waiting_, [&](const Grading& grading) {
      if (!is_there(grading)) return false;
      const bool fault = fs::exists(fault_file(batch_.grades, grading.id, grading.lab));
      ++(fault ? done.faults : done.graded);
      bar.step("");
      return true;
    });
    return waiting_.size() < before;
  }

  /// A job that Slurm holds after a failed launch never runs again: it counts as none. One that
  /// waits for nodes that are down may wait for ever.
  Jobs look_at_jobs() const {
    const process::Finished queue = ask({"squeue", "--noheader", "--format=%T %r", "--job", job_});
    if (!queue.ok()) {
      return queue.err.find("Invalid job id") != std::string::npos ? Jobs::kNone : Jobs::kNoAnswer;
    }
    Jobs jobs = Jobs::kNone;
    std::istringstream lines(queue.out);
    for (std::string line; std::getline(lines, line);) {
      const auto says = [&](const char* word) { return line.find(word) != std::string::npos; };
      if (says("held") || says("Held")) continue;
      if (!says("DOWN") && !says("NodeDown")) return Jobs::kSome;
      jobs = Jobs::kNoAnswer;
    }
    return jobs;
  }

  const Batch& batch_;
  const Slurm& slurm_;
  bool with_speed_;
  std::vector<Grading> waiting_;
  fs::path folder_;
  std::string job_;
};

}  // namespace

std::string why_no_slurm() {
  try {
    const process::Finished asked = ask({"sinfo", "--noheader", "--format=%T"});
    return asked.ok() ? "" : "no Slurm controller answers: " + text::harmless(asked.err);
  } catch (const std::system_error&) {
    return "there is no Slurm on this machine (sinfo is not found)";
  }
}

namespace {

/// Who is still without a result, for people.
std::string first_of(const std::vector<Grading>& left) {
  const std::string first = text::harmless(left.front().id) + " " + left.front().lab;
  return left.size() == 1 ? first : fmt::format("{} and {} more", first, left.size() - 1);
}

}  // namespace

Done grade_on_slurm(const Batch& batch, const std::vector<Grading>& gradings, bool with_speed,
                    const Slurm& slurm) {
  Done done;
  std::vector<Grading> left = gradings;
  for (const Grading& one : left) {  // an old fault is no answer to the new question
    std::error_code ignored;
    fs::remove(fault_file(batch.grades, one.id, one.lab), ignored);
  }
  take_back_earlier_arrays(batch.grades / ".batch");
  ProgressBar bar(with_speed ? "measuring" : "grading", left.size());
  Slurm next = slurm;
  while (!left.empty()) {
    JobArray jobs(batch, left, with_speed, next);
    const Done came = jobs.wait(bar);
    done.graded += came.graded;
    done.faults += came.faults;
    done.interrupted = came.interrupted;
    const bool nothing = jobs.waiting().size() == left.size();
    left = jobs.waiting();
    if (came.interrupted) break;
    if (nothing && next.chunk == 1 && !left.empty()) {
      throw std::runtime_error(fmt::format("a whole round of jobs brought no result ({}): {}",
                                           first_of(left), jobs.last_words()));
    }
    // One that ends its job takes those behind it along: the next round parts them.
    next.chunk = nothing ? 1 : std::max<std::size_t>(1, next.chunk / 2);
  }
  return done;
}

}  // namespace nibble::batch
