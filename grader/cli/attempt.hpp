// One attempt at a lab: compile the learner's file, have it judged, and look again with the
// sanitizers when that is worth it. What `run`, `next` and `watch` share.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/context.hpp"
#include "cli/labs.hpp"
#include "compile/compile.hpp"
#include "lab/kit.hpp"
#include "report/results.hpp"
#include "run/judging.hpp"

namespace nibble::cli {

/// What was asked for.
struct Order {
  Target target;
  protocol::Terms terms{};  ///< a check, a case, a seed
  bool plain = true;        ///< the values; false: another leg alone
  enum class Sanitizers { kNever, kWhenWorthIt, kAlways } sanitizers = Sanitizers::kWhenWorthIt;
  enum class SpeedLeg { kNever, kWhenRight, kAlways } speed = SpeedLeg::kWhenRight;
  bool gpu = true;  ///< kernels that are right run on a GPU too, where there is one
  bool hidden = false;
  std::function<bool()> cancelled{};

  /// Everything of the target was asked for, so that it can count as passed.
  bool whole() const { return terms.check.empty() && terms.only_case.empty() && plain; }
};

class Attempt {
 public:
  /// Reads the learner's file. Throws Trouble.
  Attempt(const Context& context, Order order);

  /// Compiles and judges (the plain leg, or the sanitizers alone). False: it was cancelled.
  bool run();

  /// The sanitizers have something to add: all is green, or something crashed.
  bool wants_sanitizers() const;

  /// Adds that leg to the results. False: it was cancelled.
  bool run_sanitizers();

  /// The mark scheme pays for speed, every value is right, and something is known of the published
  /// solution's speed.
  bool wants_speed() const;

  /// Measures, and adds that leg to the results: the points, or an estimate where the published
  /// solution is not here. False: it was cancelled.
  bool run_speed();

  /// The exercises are kernels, every value is right, and there is a GPU.
  bool wants_gpu() const;

  /// Runs the same file on the GPU, and adds that leg to the results. False: it was cancelled.
  bool run_gpu();

  /// The GPU has run them, and found nothing.
  bool wants_gpu_sanitizer() const;

  /// Looks again with compute-sanitizer, and adds that leg to the results. False: it was cancelled.
  bool run_gpu_sanitizer();

  /// Hidden checks were asked for, and are still to come.
  bool wants_hidden() const;

  /// Judges them, after everything else: nothing that has seen what they ask runs before a public
  /// check. False: it was cancelled.
  bool run_hidden();

  const record::Result& results() const { return results_; }
  const Order& order() const { return order_; }
  const std::string& source() const { return account_.source; }

  double compile_seconds = 0.0, link_seconds = 0.0, run_seconds = 0.0, sanitizer_seconds = 0.0;
  double speed_seconds = 0.0, gpu_seconds = 0.0, gpu_sanitizer_seconds = 0.0;
  bool compiled_before = false;

 private:
  void find_out_about_speed();
  bool run_speed_alone();
  compile::Job job_for(protocol::Leg leg);
  compile::Built compile_sanitized(const compile::Job& job);
  run::Trial trial_for(protocol::Leg leg, const std::filesystem::path& child);
  void compose();

  const Context& context_;
  const lab::Kit& kit_;
  Order order_;
  report::Account account_;
  record::Result results_;
  compile::Budget budget_;
  std::optional<gpu::GpuLeg> gpu_leg_;  ///< of run_gpu
  bool awaits_hidden_ = false;
};

/// Where the results of a lab are kept.
std::filesystem::path results_file(const lab::Kit& kit, const std::string& lab);

/// The results of the last run of a lab, where there are any that can be read.
std::optional<record::Result> last_results(const lab::Kit& kit, const std::string& lab);

/// The first check of the last run that did not pass, of one exercise or of all.
std::optional<record::Check> last_failing(const lab::Kit& kit, const std::string& lab,
                                          const std::string& exercise = "");

}  // namespace nibble::cli
