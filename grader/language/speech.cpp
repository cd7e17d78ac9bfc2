#include "language/speech.hpp"

#include <iostream>

namespace nibble::language {

void Speech::begin(const std::filesystem::path& folder) {
  catalog_ = catalog_of_reader(folder);
  out_.emplace(std::cout, catalog_);
  err_.emplace(std::cerr, catalog_);
}

}  // namespace nibble::language
