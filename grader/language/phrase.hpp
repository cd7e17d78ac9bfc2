// One sentence of the kit in two languages. `{}` stands for a value in both: a number, a name, or
// another sentence.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::language {

/// "{} of {} elements of {} are wrong: {}". A brace that is shown is doubled, as {fmt} has it.
class Phrase {
 public:
  /// In `translation` the values come in the same order, or by number: "{1} von {0}". Throws
  /// std::invalid_argument where it names a value that `english` has not, or leaves one out.
  Phrase(std::string_view english, std::string_view translation);

  /// What stands in the gaps of `text`; nothing: it is another sentence. Nothing in a gap is
  /// empty, or has blanks around it where there are columns; of several ways the one with the
  /// shortest first gaps is taken.
  std::optional<std::vector<std::string_view>> match(std::string_view text) const;

  /// The translation around `values`, one for each gap.
  std::string with(const std::vector<std::string>& values) const;

  /// The sentence itself, where it has no gap.
  bool is_whole() const { return english_.size() == 1; }
  const std::string& beginning() const { return english_.front(); }
  /// A line of a screen, with columns; what stands in its gaps may be several cells.
  bool has_columns() const { return has_columns_; }
  /// How much of a sentence is the kit's: of two that fit, the one with more says more.
  std::size_t letters() const { return letters_; }

 private:
  std::vector<std::string> english_, translation_;  ///< between the gaps; one more than there are
  std::vector<std::size_t> order_;                  ///< of the translation's gaps
  std::size_t letters_ = 0;
  bool has_columns_ = false;
};

}  // namespace nibble::language
