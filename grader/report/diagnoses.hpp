// The pages of docs/diagnoses.md: one per code, with a title that fits on a verdict.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::report {

struct Diagnosis {
  std::string code;   ///< "N-AXIS"
  std::string title;  ///< "rows taken for columns"
  std::string page;   ///< Markdown, without the heading
};

class Diagnoses {
 public:
  /// Sections start with "## N-CODE: title"; text before the first one is for readers of the file.
  static Diagnoses parse(std::string_view markdown);

  /// The pages of a kit; none when the file is not there.
  static Diagnoses read(const std::filesystem::path& file);

  /// "N-AXIS", "n-axis" and "axis" are the same. nullptr when there is no such page.
  const Diagnosis* find(std::string_view code) const;

  /// Empty when there is no such page.
  std::string title(std::string_view code) const;

  const std::vector<Diagnosis>& all() const { return all_; }

 private:
  std::vector<Diagnosis> all_;
};

}  // namespace nibble::report
