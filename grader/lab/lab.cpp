#include "lab/lab.hpp"

namespace nibble::lab {

std::vector<std::string> names_of(const std::vector<Lab>& labs) {
  std::vector<std::string> names;
  for (const Lab& lab : labs) names.push_back(lab.name);
  return names;
}

bool Lab::is_called(std::string_view word) const {
  return word == name || word == number() || word == base() || "0" + std::string(word) == number();
}

}  // namespace nibble::lab
