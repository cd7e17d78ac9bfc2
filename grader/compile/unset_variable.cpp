#include "compile/unset_variable.hpp"

#include <chrono>
#include <sstream>

namespace nibble::compile {
namespace {

/// Right kernels take 1 to 3 s. What follows every path may take for ever.
constexpr std::chrono::seconds kMostSeconds{10};

/// Of a value that has no name the analyzer is not sure either.
bool names_a_variable(const std::string& line, const lab::Lab& lab) {
  return line.starts_with(lab.file().string() + ":") &&
         line.find(": warning: use of uninitialized value ") != line.npos &&
         line.find("\u2018<unknown>\u2019") == line.npos;
}

}  // namespace

std::string unset_variable(const lab::Kit& kit, Job job) {
  if (kit.analyzer_flags.empty()) return "";
  const Budget::Spending spending(job.budget);
  job.more_flags = kit.analyzer_flags;
  job.cpu_limit = kMostSeconds;
  std::istringstream said(compile_object(kit, job).diagnostics);
  for (std::string line; std::getline(said, line);) {
    if (names_a_variable(line, job.lab)) return line + "\n";
  }
  return "";
}

}  // namespace nibble::compile
