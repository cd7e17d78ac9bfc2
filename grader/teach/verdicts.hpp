// Reading a verdict: which checks failed, and how.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace nibble::teach {

struct FailedCheck {
  std::string id;      ///< "quantize_symmetric.TiesGoToEven"
  std::string name;    ///< "TiesGoToEven"
  std::string status;  ///< fail, crash, timeout, …
  std::string code;    ///< the diagnosis, or empty
  std::string message;
};

/// In the order of the mark scheme.
std::vector<FailedCheck> failed_checks(const nlohmann::ordered_json& verdict);

/// How many checks of this exercise passed.
int passed_checks(const nlohmann::ordered_json& verdict, const std::string& exercise);

}  // namespace nibble::teach
