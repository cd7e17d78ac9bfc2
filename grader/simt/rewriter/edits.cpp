#include "simt/rewriter/edits.hpp"

#include <algorithm>

namespace nibble::simt {

void Edits::replace(int first, int last, std::string text) {
  const std::size_t begin = tokens_[first].begin, end = tokens_[last].end;
  std::ranges::replace(text, '\n', ' ');  // of a raw string in a type: nobody writes that
  const std::string_view newline = tokens_[first].in_directive ? " \\\n" : "\n";
  for (int i = tokens_.newlines(begin, end); i > 0; i--) text += newline;
  edits_.push_back({begin, end, std::move(text)});
}

std::string Edits::apply() const {
  std::vector<Edit> edits = edits_;
  std::ranges::stable_sort(edits, {}, &Edit::begin);
  const std::string_view source = tokens_.source();
  std::string text;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    if (edit.begin < at) continue;  // inside one that was made already
    text += source.substr(at, edit.begin - at);
    text += edit.text;
    at = edit.end;
  }
  return text += source.substr(at);
}

}  // namespace nibble::simt
