// Writes the plainest archive there is (POSIX ustar): the same files give the same bytes on every
// machine and on every day, for nothing of the machine or of the day is in it.
#pragma once

#include <string>
#include <string_view>

namespace nibble::cli {

class Ustar {
 public:
  /// Adds a file that everybody may read, of nobody, from 1970. `name` has at most 100 bytes;
  /// throws std::length_error for a longer one, or a text of 8 GiB.
  void add(std::string_view name, std::string_view text);

  /// The whole archive.
  std::string bytes() const;

 private:
  std::string blocks_;
};

}  // namespace nibble::cli
