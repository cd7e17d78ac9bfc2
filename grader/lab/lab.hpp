// A lab: what it is called, what its exercises are, what its files are called. Which labs there
// are, and of which kind each is, labs/CMakeLists.txt says; the build writes it down for the kit.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::lab {

enum class LabKind {
  kOrdinary,
  kKernels,  ///< for a CPU: compiled to be fast, and timed
  kDevice,   ///< CUDA kernels
  kHost      ///< functions of a host, that launch CUDA kernels of their own
};

/// As the build calls them.
inline constexpr std::array kKindNames = {"ordinary", "kernels", "device", "host"};

struct Lab {
  std::string name;  ///< "05_per_channel"
  LabKind kind = LabKind::kOrdinary;

  std::string number() const { return name.substr(0, name.find('_')); }  ///< "05"
  std::string base() const { return name.substr(name.find('_') + 1); }   ///< "per_channel"
  std::string part() const;  ///< of the course, "A Foundations" for labs 1 to 6
  bool is_cuda() const { return kind == LabKind::kDevice || has_host_code(); }  ///< a .cu file
  bool has_host_code() const { return kind == LabKind::kHost; }

  /// "05_per_channel", "05", "5" and "per_channel" are one lab.
  bool is_called(std::string_view word) const;
  bool operator==(const Lab&) const = default;

  std::string file_name() const { return base() + (is_cuda() ? ".cu" : ".cpp"); }
  std::string contract_name() const { return base() + ".hpp"; }

  /// The learner's file, as diagnostics call it: labs/05_per_channel/per_channel.cpp.
  std::filesystem::path file() const { return std::filesystem::path("labs") / name / file_name(); }

  /// What is compiled in its place: the file itself, or what the rewriter made of a .cu file.
  std::filesystem::path compiled_file() const {
    return file().string() + (is_cuda() ? ".cpp" : "");
  }
};

std::vector<std::string> names_of(const std::vector<Lab>& labs);

}  // namespace nibble::lab
