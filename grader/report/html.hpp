// A page that is one file: no script, nothing fetched, readable on a phone, in the dark, on paper
// and by a screen reader. Whatever is not written here by hand goes through html().
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nibble::report {

/// Text for an element or an attribute: valid UTF-8, without control characters, escaped.
std::string html(std::string_view text);

class Page {
 public:
  /// `lead`: HTML below the title.
  Page(std::string_view title, std::string_view lead);

  /// A part with a heading, which the list of contents names. `body` is HTML.
  void section(std::string_view id, std::string_view heading, std::string_view body);

  std::string str() const;

 private:
  struct Part {
    std::string id, heading, body;
  };
  std::string title_, lead_;
  std::vector<Part> parts_;
};

/// How a column is set: words and numbers have its name before them on a narrow screen; what tells
/// by itself (a sentence, a picture) has not.
enum class ColumnKind { kWord, kNumber, kSentence };

struct TableColumn {
  std::string name{};
  ColumnKind kind = ColumnKind::kWord;
};

/// A table with a caption. Cells are HTML; the first of each row is its header. On a narrow screen
/// each row is a card: its header, then its sentences and pictures, and the rest on one line.
class Table {
 public:
  Table(std::string_view caption, std::vector<TableColumn> columns);

  /// As many as there are columns.
  void row(const std::vector<std::string>& cells);
  /// The same below all others, apart from them.
  void last_row(const std::vector<std::string>& cells);

  std::size_t size() const { return size_; }
  std::string str() const;

 private:
  std::string row_of(const std::vector<std::string>& cells) const;

  std::string caption_, head_, rows_, foot_;
  std::vector<TableColumn> columns_;
  std::size_t size_ = 0;
};

/// What is there for those who ask: one line, and `body` (HTML) once it is clicked at. Paper shows
/// all of it, but for what repeats the picture before it, and what is not `printed`.
std::string folded(std::string_view line, std::string_view body, bool printed = true);

/// "passed", "failed" … with a mark of its own, so that colour is never alone.
std::string status_badge(std::string_view status);

/// A picture and the words below it.
std::string figure(std::string_view svg, std::string_view caption);

/// A row of large numbers: what, how much.
std::string key_figures(const std::vector<std::pair<std::string, std::string>>& figures);

}  // namespace nibble::report
