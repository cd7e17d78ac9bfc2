// Names that mean nothing, for a report that is shown around and for a comparison; whose they are
// stands in a file that is kept apart.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "export/class.hpp"

namespace nibble::gradebook {

class Pseudonyms {
 public:
  /// Those that `key` holds; none where there is no such file yet. Throws std::invalid_argument for
  /// a file that is no key.
  static Pseudonyms read(const std::filesystem::path& key);

  /// "p204": the same for a person each time, drawn when the person is new.
  const std::string& of(const std::string& submission);

  /// A table of both names, which its owner alone may read.
  void write(const std::filesystem::path& key) const;

 private:
  std::map<std::string, std::string> names_;  ///< by submission
};

/// Everybody of the class by a pseudonym, in the order of these.
Class anonymous(Class all, Pseudonyms& names);

}  // namespace nibble::gradebook
