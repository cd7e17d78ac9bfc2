// The language in which a program speaks to whoever started it.
#pragma once

#include <filesystem>
#include <optional>

#include "language/catalog.hpp"
#include "language/spoken.hpp"

namespace nibble::language {

/// Until it ends, both of a program's streams speak the reader's language.
class Speech {
 public:
  /// `folder` holds the catalogues. Throws std::invalid_argument for a language that nobody wrote.
  void begin(const std::filesystem::path& folder);

  /// What comes on the standard output is for a program, and stays as it is.
  void leave_output_alone() { out_.reset(); }

  const Catalog& catalog() const { return catalog_; }

 private:
  Catalog catalog_;
  std::optional<Spoken> out_, err_;
};

}  // namespace nibble::language
