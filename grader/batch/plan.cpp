#include "batch/plan.hpp"

#include "batch/store.hpp"
#include "files/files.hpp"

namespace nibble::batch {

namespace fs = std::filesystem;

fs::path submitted_file(const fs::path& grades, const std::string& id, const lab::Lab& lab) {
  return folder_in(grades, id) / "submitted" / lab.name / lab.file_name();
}

std::vector<Grading> handed_in(const Batch& batch, const std::vector<Delivery>& submissions) {
  std::vector<Grading> gradings;
  for (const std::string& id : people_of(submissions)) {
    for (const auto& [lab, order] : batch.orders) {
      const fs::path file = submitted_file(batch.grades, id, order.lab);
      if (fs::is_regular_file(file)) gradings.push_back({id, lab});
    }
  }
  return gradings;
}

Plan plan(const Batch& batch, const std::vector<Grading>& gradings) {
  Plan plan;
  for (const Grading& grading : gradings) {
    const auto result = read_result(result_file(batch.grades, grading.id, grading.lab));
    const std::string key = result ? result->manifest.key : "";
    const LabOrder& order = batch.orders.at(grading.lab);
    const std::string source =
        files::read_file(submitted_file(batch.grades, grading.id, order.lab));
    if (key != key_of(order, source)) {
      plan.missing.push_back(grading);
      plan.of_another_key += key.empty() ? 0 : 1;
    } else if (!record::why_no_verdict(*result).empty()) {
      plan.missing.push_back(grading);
    } else if (awaits_speed(*result)) {
      plan.unmeasured.push_back(grading);
    } else {
      ++plan.done;
    }
  }
  return plan;
}

}  // namespace nibble::batch
