// Reading a verdict: which checks failed, and how.
#pragma once

#include <string>
#include <vector>

#include "record/verdict.hpp"

namespace nibble::teach {

struct FailedCheck {
  std::string id;      ///< "quantize_symmetric.TiesGoToEven"
  std::string name;    ///< "TiesGoToEven"
  std::string status;  ///< fail, crash, timeout, …
  std::string code;    ///< the diagnosis, or empty
  std::string message;
};

FailedCheck failed_check(const record::Check& check);

/// In the order of the mark scheme.
std::vector<FailedCheck> failed_checks(const record::Verdict& verdict);

/// How many checks of this exercise passed.
int passed_checks(const record::Verdict& verdict, const std::string& exercise);

}  // namespace nibble::teach
