#include "cli/attempt.hpp"

#include <cstdlib>
#include <stdexcept>

#include "cli/children.hpp"
#include "cli/learner.hpp"
#include "cli/trouble.hpp"
#include "files/file_lock.hpp"
#include "files/files.hpp"
#include "record/codec.hpp"

namespace nibble::cli {
namespace {

std::string course_salt() {
  const char* const salt = std::getenv("NIBBLE_SALT");
  return salt == nullptr ? "" : salt;
}

legs::LegPlan plan_of(const Context& context, const Order& order) {
  const MarkedLab& lab = *order.target.lab;
  protocol::Terms terms = order.terms;
  terms.exercise = order.target.exercise;
  terms.budget = context.kit.budget;
  if (order.hidden) terms.salt = course_salt();
  return legs::plan_legs(lab, lab.scheme, {terms, order.legs, order.hidden});
}

/// What a host's compiler takes and nvcc does not is no verdict.
void must_compile_for_gpu(const legs::Ran& ran) {
  if (ran.gpu_diagnostics.empty()) return;
  throw Trouble(kNoCompile, "for the GPU it does not compile:\n" + ran.gpu_diagnostics);
}

}  // namespace

std::optional<Attempt> attempt(const Context& context, const Order& order,
                               const std::function<void(const legs::Ran&)>& tell) {
  const MarkedLab& lab = *order.target.lab;
  must_be_built(context.kit, lab);
  const legs::LegPlan plan = plan_of(context, order);
  const std::string source = read_learners_file(context.kit, lab);
  const std::filesystem::path work = work_folder(context.kit, lab);
  const compile::Cache children = children_of(context.kit, lab);
  legs::Bench bench{context.kit, children, work, {}, order.cancelled, context.gpu.here};
  if (lab.kind == lab::LabKind::kDevice) bench.why_no_gpu = why_no_gpu_leg(context);
  const files::FileLock lock(work / "lock");
  auto results = told_as_trouble([&] {
    return legs::run_legs(bench, plan, lab.scheme, source, [&](const legs::Ran& ran) {
      must_compile_for_gpu(ran);
      tell(ran);
    });
  });
  if (!results) return {};
  const bool whole =
      order.terms.check.empty() && order.terms.only_case.empty() && plan.has_values();
  return Attempt{order.target, whole, source, std::move(*results)};
}

std::filesystem::path results_file(const lab::Kit& kit, const std::string& lab) {
  return kit.root / ".nibble" / "out" / lab / "results.json";
}

std::optional<record::Result> last_results(const lab::Kit& kit, const std::string& lab) {
  const std::filesystem::path file = results_file(kit, lab);
  if (!std::filesystem::is_regular_file(file)) return {};
  try {
    return record::read_result(files::read_file(file));
  } catch (const std::invalid_argument&) {
    return {};  // it lies where a learner works
  }
}

std::optional<record::Check> last_failing(const lab::Kit& kit, const std::string& lab,
                                          const std::string& exercise) {
  const auto last = last_results(kit, lab);
  if (!last) return {};
  for (const record::Check& check : last->checks) {
    const bool is_its = exercise.empty() || check.exercise == exercise;
    if (is_its && check.status != record::CheckStatus::kPass) return check;
  }
  return {};
}

}  // namespace nibble::cli
