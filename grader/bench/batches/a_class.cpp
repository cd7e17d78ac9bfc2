#include "bench/batches/a_class.hpp"

#include <fmt/format.h>

#include <random>
#include <stdexcept>
#include <string_view>

#include "compile/compile.hpp"
#include "files/files.hpp"
#include "proofs/mistakes.hpp"

namespace nibble::bench {
namespace {

namespace fs = std::filesystem;

struct Texts {
  std::string solution, starter;
  std::vector<proofs::Mistake> mistakes;
};

Texts texts_of(const lab::Kit& kit, const lab::Lab& lab) {
  return {files::read_file(compile::published_solution(kit, lab)),
          files::read_file(kit.source / lab.file()),
          proofs::parse_mistakes(
              files::read_file(kit.source / "grader" / "mistakes" / (lab.name + ".txt")))};
}

/// The starter, with a statement where its first function is not written yet.
std::string with(std::string starter, std::string_view statement) {
  const std::string_view marks[] = {"  NIBBLE_TODO(", "  // TODO("};  // lint-ok: a learner's
  for (const std::string_view mark : marks) {
    const std::size_t at = starter.find(mark);
    if (at == std::string::npos) continue;
    return starter.replace(at, starter.find('\n', at) - at, statement);
  }
  throw std::runtime_error("a starter says nowhere what is to be written");
}

/// Parts in a hundred. An endless loop costs the two seconds that every check gives it.
struct Share {
  const char* kind;
  int parts;
};
constexpr Share kShares[] = {{"right", 35},      {"a mistake", 36}, {"untouched", 10},
                             {"no compile", 10}, {"crash", 8},      {"endless", 1}};

const char* drawn_kind(std::mt19937_64& random) {
  int left = static_cast<int>(random() % 100);
  for (const Share& share : kShares) {
    if (left < share.parts) return share.kind;
    left -= share.parts;
  }
  return kShares[0].kind;
}

std::string text_of(const Texts& texts, std::string_view kind, std::mt19937_64& random) {
  if (kind == "right") return texts.solution;
  if (kind == "a mistake") {
    const proofs::Mistake& mistake = texts.mistakes[random() % texts.mistakes.size()];
    return proofs::apply_mistake(mistake, texts.solution);
  }
  if (kind == "no compile") return texts.starter + "int main( {\n";
  if (kind == "crash") return with(texts.starter, "  __builtin_trap();");
  if (kind == "endless") return with(texts.starter, "  for (volatile int n = 1; n == 1;) {}");
  return texts.starter;
}

}  // namespace

std::map<std::string, int> hand_in(const lab::Kit& kit, const std::vector<std::string>& labs,
                                   int gradings, std::uint64_t seed, const fs::path& folder) {
  std::map<std::string, Texts> texts;
  for (const std::string& lab : labs) texts[lab] = texts_of(kit, kit.lab(lab));
  std::mt19937_64 random(seed);
  std::map<std::string, int> count;
  for (int i = 0; i < gradings; ++i) {
    const lab::Lab& lab = kit.lab(labs[static_cast<std::size_t>(i) % labs.size()]);
    const std::string person = fmt::format("{:05}", i / static_cast<int>(labs.size()));
    std::string kind = drawn_kind(random);
    if (kind == "endless" && lab.is_cuda()) kind = "crash";  // its checks run it three times
    ++count[kind];
    files::write_atomically(folder / person / lab.name / lab.file_name(),
                            text_of(texts[lab.name], kind, random) + "// by " + person + "\n");
  }
  return count;
}

}  // namespace nibble::bench
