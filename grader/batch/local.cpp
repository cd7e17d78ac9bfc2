// A crew of threads that take one grading after the other, keep its result, and say so.
#include "batch/local.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <set>
#include <thread>

#include "batch/grade_one.hpp"
#include "batch/progress_bar.hpp"
#include "files/files.hpp"
#include "text/harmless.hpp"

namespace nibble::batch {
namespace {

namespace fs = std::filesystem;
using record::Result;

std::string line_of(const Grading& grading, const Result& result) {
  return fmt::format("  {:<24} {:<22} {:>3} of {:<3}  {:<10}  {:.2f} s", grading.id, grading.lab,
                     result.points, result.max_points, name_of(result.end), result.seconds);
}

class Crew {
 public:
  Crew(const lab::Kit& kit, const Batch& batch, const std::vector<Grading>& gradings,
       const Hands& hands, const Workplace& place)
      : batch_(batch),
        gradings_(gradings),
        hands_(hands),
        place_(place),
        compiled_(batch.grades / ".batch" / "compiled"),
        kit_(kit),
        bar_(hands.with_speed ? "measuring" : "grading", gradings.size()) {}

  Done work() {
    {
      std::vector<std::jthread> threads;
      const unsigned count = hands_.with_speed ? 1 : std::max(1u, hands_.workers);
      for (unsigned i = 0; i < count; ++i) threads.emplace_back([this] { take_turns(); });
    }
    if (broken_) std::rethrow_exception(broken_);
    done_.interrupted = hands_.cancelled && hands_.cancelled();
    return done_;
  }

 private:
  bool must_stop() const { return stop_ || (hands_.cancelled && hands_.cancelled()); }

  void take_turns() {
    for (std::size_t i = next_++; i < gradings_.size() && !must_stop(); i = next_++) {
      try {
        grade(gradings_[i], place_.folder() / std::to_string(i));
      } catch (const Interrupted&) {
        return;
      } catch (...) {  // the results folder cannot be written
        const std::lock_guard lock(mutex_);
        if (!broken_) broken_ = std::current_exception();
        stop_ = true;
      }
    }
  }

  void grade(const Grading& grading, const fs::path& work) {
    Result result;
    std::string fault;
    try {
      const LabOrder& order = batch_.orders.at(grading.lab);
      const std::string source =
          files::read_file(submitted_file(batch_.grades, grading.id, order.lab));
      const legs::Bench bench{.kit = kit_,
                              .compiled = compiled_,
                              .work = work,
                              .boxes = batch_.boxes,
                              .cancelled = [this] { return must_stop(); },
                              .gpu = gpu::gpu_legs(),
                              .is_graded = true};
      result = grade_one(bench, order, source, hands_.with_speed);
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception& error) {
      fault = text::harmless(error.what());
    }
    std::error_code ignored;
    fs::remove_all(work, ignored);
    tell(grading, result, fault);
  }

  void tell(const Grading& grading, const Result& result, const std::string& fault) {
    if (fault.empty()) {
      keep_result(batch_.grades, grading.id, result);
      bar_.step(line_of(grading, result));
    } else {
      keep_fault(batch_.grades, grading.id, grading.lab, fault);
      bar_.step(fmt::format("  {:<24} {:<22} no verdict, a fault of the kit: {}", grading.id,
                            grading.lab, is_new(fault) ? fault : "as above"));
    }
    const std::lock_guard lock(mutex_);
    ++(fault.empty() ? done_.graded : done_.faults);
  }

  /// What is everybody's is said once.
  bool is_new(const std::string& fault) {
    const std::lock_guard lock(mutex_);
    return told_.insert(fault).second;
  }

  const Batch& batch_;
  const std::vector<Grading>& gradings_;
  const Hands& hands_;
  const Workplace& place_;
  compile::Cache compiled_;
  const lab::Kit& kit_;
  ProgressBar bar_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;  // of told_, done_ and broken_
  std::set<std::string> told_;
  Done done_;
  std::exception_ptr broken_;
};

}  // namespace

Done grade_here(const lab::Kit& kit, const Batch& batch, const std::vector<Grading>& gradings,
                const Hands& hands, const Workplace& place) {
  if (gradings.empty()) return {};
  return Crew(kit, batch, gradings, hands, place).work();
}

}  // namespace nibble::batch
