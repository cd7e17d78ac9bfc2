// Cuts a sentence at its gaps, and fits a text to what is between them.
#include "language/phrase.hpp"

#include <algorithm>
#include <stdexcept>

namespace nibble::language {
namespace {

/// A sentence, cut at its gaps.
struct GappedText {
  std::vector<std::string> pieces{""};
  std::vector<std::string> names;  ///< of the gaps: empty, or a number
};

GappedText cut(std::string_view sentence) {
  GappedText all;
  while (!sentence.empty()) {
    const std::size_t end = sentence.find('}');
    if (sentence.starts_with("{{") || sentence.starts_with("}}")) {
      all.pieces.back() += sentence.front();
      sentence.remove_prefix(2);
    } else if (sentence.front() == '{' && end != std::string_view::npos) {
      all.names.emplace_back(sentence.substr(1, end - 1));
      all.pieces.emplace_back();
      sentence.remove_prefix(end + 1);
    } else {
      all.pieces.back() += sentence.front();
      sentence.remove_prefix(1);
    }
  }
  return all;
}

/// Which value stands in each gap of a translation.
std::vector<std::size_t> order_of(const std::vector<std::string>& names) {
  std::vector<std::size_t> order;
  for (const std::string& name : names) {
    if (name.find_first_not_of("0123456789") != std::string::npos || name.size() > 2) {
      throw std::invalid_argument("a gap is {} or a number, and not {" + name + "}");
    }
    order.push_back(name.empty() ? order.size() : std::stoul(name));
  }
  return order;
}

bool has_blanks_around(std::string_view text) {
  return !text.empty() && (text.front() == ' ' || text.back() == ' ');
}

}  // namespace

Phrase::Phrase(std::string_view english, std::string_view translation)
    : english_(cut(english).pieces) {
  const GappedText own = cut(translation);
  translation_ = own.pieces;
  order_ = order_of(own.names);
  std::vector<std::size_t> sorted = order_;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < std::max(sorted.size(), english_.size() - 1); ++i) {
    if (sorted.size() != english_.size() - 1 || sorted[i] != i) {
      throw std::invalid_argument("the translation of \"" + std::string(english) +
                                  "\" has other values than it");
    }
  }
  for (const std::string& piece : english_) {
    letters_ += piece.size();
    has_columns_ = has_columns_ || piece.find("  ") != std::string::npos;
  }
}

std::optional<std::vector<std::string_view>> Phrase::match(std::string_view text) const {
  if (text.size() < letters_ + english_.size() - 1) return {};
  if (!text.starts_with(english_.front()) || !text.ends_with(english_.back())) return {};
  if (is_whole()) {
    if (text.size() != letters_) return {};
    return std::vector<std::string_view>{};
  }
  std::vector<std::string_view> values;
  text.remove_prefix(english_.front().size());
  text.remove_suffix(english_.back().size());
  for (std::size_t i = 1; i + 1 < english_.size(); ++i) {
    const std::size_t next = text.find(english_[i], 1);
    if (next == std::string_view::npos) return {};
    values.push_back(text.substr(0, next));
    text.remove_prefix(next + english_[i].size());
  }
  values.push_back(text);
  if (text.empty() || (has_columns_ && std::ranges::any_of(values, has_blanks_around))) return {};
  return values;
}

std::string Phrase::with(const std::vector<std::string>& values) const {
  std::string text = translation_.front();
  for (std::size_t i = 0; i < order_.size(); ++i) {
    text += values.at(order_[i]) + translation_[i + 1];
  }
  return text;
}

}  // namespace nibble::language
