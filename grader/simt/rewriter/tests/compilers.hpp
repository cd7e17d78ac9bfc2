// Runs the compilers of this machine on a text.
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace nibble::simt {

/// The engine's own headers.
inline constexpr const char* kLanguage =
    " -std=c++20 -I" SIMT "/.. -I" SIMT "/include -I" SIMT "/cuda";

/// g++ or clang++, and how it builds kernels for the checks.
struct Compiler {
  std::string path, check_flags;
  bool is_clang = false;
};

inline bool is_there(const std::string& path) {
  return !path.empty() && path.find("NOTFOUND") == std::string::npos;
}

inline std::vector<Compiler> compilers() {
  const std::string both = std::string(kLanguage) + " -O0 -gdwarf-4 -fsanitize=thread";
  const std::string checked = "float-cast-overflow,signed-integer-overflow";
  const Compiler gcc{GCC,
                     both +
                         " --param tsan-instrument-func-entry-exit=0"
                         " -fsanitize-coverage=trace-pc -fsanitize=bounds," +
                         checked,
                     false};
  const Compiler clang{CLANG,
                       both +
                           " -mllvm -tsan-instrument-func-entry-exit=0"
                           " -mllvm -tsan-instrument-read-before-write=1"
                           " -fsanitize-coverage=trace-pc,no-prune -fsanitize=array-bounds," +
                           checked,
                       true};
  std::vector<Compiler> found;
  for (const Compiler& compiler : {gcc, clang}) {
    if (is_there(compiler.path)) found.push_back(compiler);
  }
  return found;
}

struct Outcome {
  int status;
  std::string said;
};

inline Outcome run(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return {-1, "no shell"};
  std::string said;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
  return {pclose(pipe), said};
}

/// A file in a folder of this process; gone with it.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "nibble-simt-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) folder_ = name;
  }
  ~Scratch() { std::filesystem::remove_all(folder_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return path(name);
  }

 private:
  std::filesystem::path folder_;
};

inline std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace nibble::simt
