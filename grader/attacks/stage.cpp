#include "attacks/stage.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "compile/compile.hpp"
#include "files/files.hpp"

namespace nibble::attacks {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using protocol::Leg;

constexpr std::array kStages = {
    Stage{"plain", "03_symmetric", "quantize_symmetric", "ordinary", Leg::kPlain, false, 400ms,
          1500ms},
    Stage{"whole", "03_symmetric", "", "ordinary", Leg::kPlain, false, 400ms, 1500ms},
    Stage{"sanitizers", "03_symmetric", "quantize_symmetric", "ordinary", Leg::kSanitizers, false,
          0ms, 0ms},
    Stage{"speed", "14_cpu_int8_gemm", "multiply_rows", "speed", Leg::kPlain, true, 0ms, 0ms},
    Stage{"simt", "19_cuda_quantize", "quantize", "kernels", Leg::kPlain, false, 1000ms, 4000ms},
    Stage{"host", "18_cuda_host", "quantize_on_device", "host", Leg::kPlain, false, 2000ms,
          10000ms},
};

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

std::string text_of(const fs::path& file) {
  return fs::exists(file) ? files::read_file(file) : std::string();
}

}  // namespace

const Stage& stage_of(const std::string& leg) {
  const auto* const found = std::ranges::find(kStages, leg, &Stage::leg);
  if (found == kStages.end()) throw std::runtime_error("no attack is played on the leg " + leg);
  return *found;
}

std::string source_of(const lab::Kit& kit, const Stage& stage, const std::string& attack,
                      const fs::path& secrets) {
  const fs::path folder = kit.source / "grader/attacks" / stage.folder;
  const fs::path solution = compile::published_solution(kit, kit.lab(stage.lab));
  std::string text = attack;
  if (text.find("@HEAD@") == std::string::npos) text = "@HEAD@\n" + text;
  text += text_of(folder / "tail.txt");
  replace_all(text, "@HEAD@", text_of(folder / "head.txt"));
  replace_all(text, "@SOLUTION_TEXT@", files::read_file(solution));
  replace_all(text, "@SOLUTION@", solution.string());
  replace_all(text, "@SECRETS@", secrets.string());
  return text;
}

}  // namespace nibble::attacks
