// .nibble/progress.txt: what was passed, and what it took. One line per exercise, sorted, readable,
// mergeable: of two lines on one exercise the newer date wins. A convenience, never evidence.
//
//     # nibble progress 1
//     03.quantize_symmetric    passed           2026-10-01T14:02:55Z  tries=4 hints=1 seconds=610
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::cli {

struct Entry {
  std::string state;  ///< "passed", "open", "skipped-by-test"
  std::string date;   ///< of the last change, UTC
  int tries = 0, hints = 0, seconds = 0;
  std::map<std::string, std::string>
      notes;  ///< source=…, hinted=…, gave-up=…, points=…, and what others wrote

  bool done() const { return state == "passed" || state == "skipped-by-test"; }

  /// A note that is a number; nothing when it is not there, or none.
  std::optional<int> number(const std::string& note) const;
};

struct Progress {
  std::map<std::string, Entry> entries;  ///< by "03.quantize_symmetric"

  const Entry* find(const std::string& id) const;
  bool done(const std::string& id) const;
  /// Takes over every line of `other` that is newer.
  void merge(const Progress& other);
};

struct Parsed {
  Progress progress;
  std::vector<int> bad_lines;  ///< their numbers, from 1
};

Parsed parse_progress(std::string_view text);
std::string progress_text(const Progress& progress);

/// Reads and writes the file of one project.
class Notebook {
 public:
  explicit Notebook(std::filesystem::path root) : root_(std::move(root)) {}

  std::filesystem::path file() const { return root_ / ".nibble" / "progress.txt"; }

  /// A damaged file is set aside as progress.txt.bad-N; what could be read of it is kept, and
  /// `complaint` says so in one line.
  Progress load(std::string& complaint) const;

  void save(const Progress& progress) const;

 private:
  std::filesystem::path root_;
};

/// The first of `file`.bad-1, .bad-2, … (for suffix ".bad-") that does not exist.
std::filesystem::path unused_name(const std::filesystem::path& file, const std::string& suffix);

}  // namespace nibble::cli
