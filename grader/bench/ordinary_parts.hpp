// What a lab's checks are linked with where they are one ordinary GoogleTest executable.
#pragma once

#include <string>
#include <vector>

#include "lab/lab_files.hpp"

namespace nibble::bench {

/// One source of all checks of a lab: a compiler reads the headers once, as it does in the kit.
inline std::string ordinary_checks(const lab::Kit& kit, const lab::Lab& lab) {
  const lab::LabFiles files = lab::files_of(kit.source, lab);
  std::string text;
  const auto add = [&](const std::filesystem::path& file) {
    if (file.extension() == ".cpp") text += "#include \"" + file.string() + "\"\n";
  };
  for (const std::filesystem::path& file : files.checks) add(file);
  add(files.hidden);
  add(files.marks);
  return text;
}

/// A linker's words, in its order.
inline std::vector<std::string> ordinary_parts(const lab::Kit& kit) {
  std::vector<std::string> parts;
  for (const char* const name :
       {"judge_nets", "judge", "nibble_onnx", "nibble_record", "nibble_process", "nibble_files",
        "nibble_sandbox", "nibble_text"}) {
    parts.push_back((kit.build / "grader" / ("lib" + std::string(name) + ".a")).string());
  }
  for (const char* const name : {"gtest", "gtest_main", "fmt", "crypto", "pthread"}) {
    parts.push_back("-l" + std::string(name));
  }
  return parts;
}

}  // namespace nibble::bench
