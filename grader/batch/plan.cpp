#include "batch/plan.hpp"

#include "batch/store.hpp"
#include "compile/compile.hpp"
#include "files/files.hpp"

namespace nibble::batch {

namespace fs = std::filesystem;

fs::path submitted_file(const fs::path& grades, const Grading& grading) {
  return folder_in(grades, grading.id) / "submitted" / grading.lab /
         compile::source_name(grading.lab).filename();
}

std::vector<Grading> handed_in(const Batch& batch, const std::vector<Submission>& submissions) {
  std::vector<Grading> gradings;
  for (const Submission& one : submissions) {
    for (const auto& [lab, order] : batch.orders) {
      const Grading grading{one.id, lab};
      if (fs::is_regular_file(submitted_file(batch.grades, grading))) gradings.push_back(grading);
    }
  }
  return gradings;
}

Plan plan(const Batch& batch, const std::vector<Grading>& gradings) {
  Plan plan;
  for (const Grading& grading : gradings) {
    const auto result = read_result(result_file(batch.grades, grading.id, grading.lab));
    const std::string key = result ? result->manifest.key : "";
    const std::string source = files::read_file(submitted_file(batch.grades, grading));
    if (key != key_of(batch.orders.at(grading.lab), source)) {
      plan.missing.push_back(grading);
      plan.of_another_key += key.empty() ? 0 : 1;
    } else if (awaits_speed(*result)) {
      plan.unmeasured.push_back(grading);
    } else {
      ++plan.done;
    }
  }
  return plan;
}

}  // namespace nibble::batch
