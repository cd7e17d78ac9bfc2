// Lines of a name and a number; what is no such line says nothing.
#include "lab/hint_budget.hpp"

#include <fmt/format.h>

#include <sstream>

#include "files/files.hpp"

namespace nibble::lab {

std::string text_of(const HintBudget& budget) {
  std::string text;
  for (const auto& [lab, hints] : budget) text += fmt::format("{} {}\n", lab, hints);
  return text;
}

std::optional<int> hint_budget_of(const Kit& kit, const std::string& lab) {
  const std::filesystem::path file = kit.source / kHintBudget;
  if (!std::filesystem::exists(file)) return {};
  std::istringstream in(files::read_file(file));
  std::string name;
  for (int hints = 0; in >> name >> hints;) {
    if (name == lab) return hints;
  }
  return {};
}

std::string hints_left(const std::string& lab, int budget, int shown) {
  if (shown <= budget) {
    return fmt::format("{} of {} hints for {} left\n", budget - shown, budget, lab);
  }
  return fmt::format(
      "{} more than the {} hints that your course has for {}: no points hang on it\n",
      shown - budget, budget, lab);
}

}  // namespace nibble::lab
