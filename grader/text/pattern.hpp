// Regular expressions, compiled once for the whole kit: the library's templates cost every file
// that uses them two seconds more than this one does.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::text {

/// Where a pattern fits.
struct Found {
  std::vector<std::string>
      groups;             ///< the whole, then what the parentheses hold; "" where they hold nothing
  std::size_t begin = 0;  ///< of the whole, in the text
  const std::string& operator[](std::size_t group) const { return groups.at(group); }
};

class Pattern {
 public:
  explicit Pattern(const std::string& ecmascript);
  std::optional<Found> match(std::string_view text) const;   ///< all of the text
  std::optional<Found> search(std::string_view text) const;  ///< the first place
  std::vector<Found> all(std::string_view text) const;       ///< every place, none over another
  std::string replaced(std::string_view text,
                       const std::string& by) const;  ///< $1: the first group

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace nibble::text
