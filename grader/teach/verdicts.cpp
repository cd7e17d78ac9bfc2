#include "teach/verdicts.hpp"

namespace nibble::teach {

std::vector<FailedCheck> failed_checks(const nlohmann::ordered_json& verdict) {
  std::vector<FailedCheck> failed;
  for (const auto& check : verdict.at("checks")) {
    if (check.at("status") == "pass") continue;
    const std::string name = check.at("id"), exercise = check.at("exercise");
    failed.push_back({exercise + "." + name, name, check.at("status"), check.value("diagnosis", ""),
                      check.value("message", "")});
  }
  return failed;
}

int passed_checks(const nlohmann::ordered_json& verdict, const std::string& exercise) {
  int passed = 0;
  for (const auto& check : verdict.at("checks")) {
    if (check.at("exercise") == exercise && check.at("status") == "pass") ++passed;
  }
  return passed;
}

}  // namespace nibble::teach
