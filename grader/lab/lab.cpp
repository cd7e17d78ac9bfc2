#include "lab/lab.hpp"

#include <array>

namespace nibble::lab {

std::vector<std::string> names_of(const std::vector<Lab>& labs) {
  std::vector<std::string> names;
  for (const Lab& lab : labs) names.push_back(lab.name);
  return names;
}

std::string Lab::part() const {
  struct Part {
    int last;
    const char* name;
  };
  constexpr std::array<Part, 6> kParts = {{{6, "A Foundations"},
                                           {9, "B Schemes"},
                                           {13, "C Formats"},
                                           {17, "D CPU kernels"},
                                           {28, "E CUDA kernels"},
                                           {35, "F Models"}}};
  for (const Part& part : kParts) {
    if (std::stoi(number()) <= part.last) return part.name;
  }
  return "More";
}

bool Lab::is_called(std::string_view word) const {
  return word == name || word == number() || word == base() || "0" + std::string(word) == number();
}

}  // namespace nibble::lab
