// What the kit says, in another language: a catalogue of messages, as gettext keeps it.
//
// The kit is written, and all that is kept is written, in English. A screen or a page is put into
// the language of its reader on its way out, so that grades, records and what programs read are the
// same everywhere.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "language/phrase.hpp"

namespace nibble::language {

/// A text in another language, and what of it is prose that no entry fits.
struct Translation {
  std::string text;
  std::vector<std::string> missing{};
};

class Catalog {
 public:
  Catalog() = default;  ///< of English: nothing is translated

  /// Of the text of a .po file. Throws text::FormatError.
  static Catalog parse(std::string_view po, std::string language);

  /// Whether there is anything to do.
  bool is_english() const { return phrases_.empty(); }
  const std::string& language() const { return language_; }  ///< "de"
  const std::vector<Phrase>& phrases() const { return phrases_; }

  /// A sentence without blanks around it. Of the entries that fit, the one with the most letters
  /// that leaves no prose in its gaps; what stands there is translated by the same rule. A value, a
  /// name or a number stays as it is.
  Translation translate(std::string_view english) const;

  /// A line with columns, where an entry has the whole of it.
  std::optional<Translation> translate_line(std::string_view english) const;

 private:
  /// Where the phrases are that a text may be, by their beginning.
  struct Index {
    std::unordered_map<std::string, std::size_t> whole{};               ///< those without a gap
    std::unordered_map<std::string, std::vector<std::size_t>> begin{};  ///< by the first letters
  };
  struct Fit;
  std::vector<Fit> fits(const Index& index, std::string_view english) const;
  /// `patience`: how many more lookups one sentence is worth.
  Translation translate(std::string_view english, int& patience) const;
  Translation filled(const Fit& fit, int& patience) const;
  std::optional<Translation> best(const Index& index, std::string_view english,
                                  int& patience) const;
  void add(Phrase phrase);

  std::string language_ = "en";
  std::vector<Phrase> phrases_;
  Index sentences_, lines_;
};

/// The language that NIBBLE_LANGUAGE names; else the one that a course's handout was made for; else
/// English. `folder` holds the catalogues. Throws std::invalid_argument for one that nobody wrote.
Catalog catalog_of_reader(const std::filesystem::path& folder);

/// The catalogue of "de", or of "en".
Catalog catalog_of(const std::filesystem::path& folder, const std::string& language);

/// Where, in a folder of catalogues, a handout says which language its course has: "de".
inline constexpr const char* kOfCourse = "of_course";

}  // namespace nibble::language
