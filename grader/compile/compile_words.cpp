#include "compile/compile_words.hpp"

#include <algorithm>

namespace nibble::compile {
namespace {

constexpr std::string_view kVaryingArray =
    "error: the size of this array is known only when the kernel runs, which CUDA does not allow: "
    "give it a "
    "constant, or take dynamic shared memory (extern __shared__)";

std::string line_in_words(std::string_view line) {
  const std::size_t error = line.find("error: variable length array");
  const bool is_flag =
      line.find("[-Werror=vla]") != line.npos || line.find("[-Werror,-Wvla") != line.npos;
  if (error == line.npos || !is_flag) return std::string(line);
  return std::string(line.substr(0, error)).append(kVaryingArray);
}

}  // namespace

std::string compile_words(std::string_view compiler) {
  std::string said;
  while (!compiler.empty()) {
    const std::size_t length = std::min(compiler.find('\n'), compiler.size());
    const std::string_view line = compiler.substr(0, length);
    // g++'s, of an error that it calls a warning.
    if (!line.ends_with("some warnings being treated as errors")) {
      said += line_in_words(line);
      if (length < compiler.size()) said += '\n';
    }
    compiler.remove_prefix(std::min(length + 1, compiler.size()));
  }
  return said;
}

}  // namespace nibble::compile
