#include "compile/compile_words.hpp"

#include <algorithm>
#include <array>
#include <utility>

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

bool is_any_of(std::string_view line, const auto& parts) {
  return std::ranges::any_of(parts,
                             [&](std::string_view part) { return line.find(part) != line.npos; });
}

/// Where g++ is, before it says what it has seen there.
bool leads_to_a_message(std::string_view line) {
  return line.starts_with("In ") || line.starts_with("                 from ") ||
         line.starts_with("    inlined from ") || line.find(": In ") != line.npos;
}

/// What a compiler says, message by message.
class Messages {
 public:
  void add(std::string_view line, bool is_last) {
    const std::string whole = line_in_words(line) + (is_last ? "" : "\n");
    if (leads_to_a_message(line)) {
      way_ += whole;
      return;
    }
    if (is_any_of(line, std::array{": warning: ", ": error: ", ": note: "})) begin(line);
    if (!is_of_intrinsics_) said_ += std::exchange(way_, "") + whole;
  }

  std::string said() && { return std::move(said_) + way_; }

 private:
  void begin(std::string_view line) {
    const bool is_there = line.substr(0, line.find(':')).ends_with("intrin.h");
    const bool goes_on = is_of_intrinsics_ && line.find(": note: ") != line.npos;
    is_of_intrinsics_ = is_there && (goes_on || line.ends_with("uninitialized]"));
    if (is_of_intrinsics_) way_.clear();
  }

  std::string said_, way_;
  bool is_of_intrinsics_ = false;
};

}  // namespace

std::string compile_words(std::string_view compiler) {
  Messages messages;
  while (!compiler.empty()) {
    const std::size_t length = std::min(compiler.find('\n'), compiler.size());
    const std::string_view line = compiler.substr(0, length);
    // g++'s, of an error that it calls a warning.
    if (!line.ends_with("some warnings being treated as errors")) {
      messages.add(line, length == compiler.size());
    }
    compiler.remove_prefix(std::min(length + 1, compiler.size()));
  }
  return std::move(messages).said();
}

}  // namespace nibble::compile
