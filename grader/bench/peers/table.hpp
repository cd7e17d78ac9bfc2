// Rows of words, for a screen and for a page.
#pragma once

#include <string>
#include <vector>

namespace nibble::peers {

class TextTable {
 public:
  TextTable(std::string title, std::vector<std::string> header);

  void add(std::vector<std::string> row);
  bool empty() const { return rows_.empty(); }

  /// The first column to the left, all others to the right.
  std::string text() const;
  std::string markdown() const;

 private:
  std::string title_;
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace nibble::peers
