// Goes over a page once: tags as they are, what stands between them as sentences.
#include "language/page_text.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>

namespace nibble::language {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

/// As the kit's pages write them.
constexpr std::array kEntities = {Pair{"&lt;", "<"}, Pair{"&gt;", ">"}, Pair{"&quot;", "\""},
                                  Pair{"&#39;", "'"}, Pair{"&amp;", "&"}};
constexpr std::array<std::string_view, 4> kSpoken = {" data-label=\"", " aria-label=\"", " alt=\"",
                                                     " title=\""};
constexpr std::array<std::string_view, 3> kUntouched = {"style", "code", "pre"};

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

std::string unescaped(std::string text) {
  for (const auto& [entity, meant] : kEntities) text = replaced(std::move(text), entity, meant);
  return text;
}

std::string escaped(std::string text) {
  for (auto pair = kEntities.rbegin(); pair != kEntities.rend(); ++pair) {
    text = replaced(std::move(text), pair->second, pair->first);
  }
  return text;
}

class PageReader {
 public:
  PageReader(const Catalog& catalog, std::string_view html) : catalog_(catalog), rest_(html) {}

  Translation read() {
    while (!rest_.empty()) {
      add_text(take(rest_.find('<')));
      if (rest_.empty()) break;
      const std::string_view tag = take(std::min(rest_.find('>'), rest_.size() - 1) + 1);
      add_tag(tag);
      for (const std::string_view name : kUntouched) {
        if (name_of(tag) == name) all_.text += take(rest_.find("</" + std::string(name) + ">"));
      }
    }
    return std::move(all_);
  }

 private:
  std::string_view take(std::size_t length) {
    const std::string_view taken = rest_.substr(0, std::min(length, rest_.size()));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  static std::string_view name_of(std::string_view tag) {
    return tag.substr(1, std::min(tag.find_first_of(" >", 1), tag.size()) - 1);
  }

  void add_text(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \n"), text.size());
    const std::size_t end = std::max(text.find_last_not_of(" \n") + 1, begin);
    all_.text += text.substr(0, begin);
    if (begin < end) add_sentence(text.substr(begin, end - begin));
    all_.text += text.substr(end);
  }

  void add_sentence(std::string_view text) {
    Translation one = catalog_.translate(unescaped(std::string(text)));
    all_.text += escaped(std::move(one.text));
    std::ranges::move(one.missing, std::back_inserter(all_.missing));
  }

  void add_tag(std::string_view tag) {
    if (tag == "<html lang=\"en\">") {
      all_.text += "<html lang=\"" + catalog_.language() + "\">";
      return;
    }
    while (!tag.empty()) {
      std::size_t next = tag.size();
      for (const std::string_view attribute : kSpoken) {
        const std::size_t at = tag.find(attribute);
        if (at != std::string_view::npos) next = std::min(next, at + attribute.size());
      }
      all_.text += tag.substr(0, next);
      tag.remove_prefix(next);
      if (tag.empty()) break;
      const std::size_t end = std::min(tag.find('"'), tag.size());
      if (end > 0) add_sentence(tag.substr(0, end));
      tag.remove_prefix(end);
    }
  }

  const Catalog& catalog_;
  std::string_view rest_;
  Translation all_{};
};

}  // namespace

Translation page_text(const Catalog& catalog, std::string_view html) {
  return PageReader(catalog, html).read();
}

}  // namespace nibble::language
