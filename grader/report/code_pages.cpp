// Notes which codes were named; their Markdown is paragraphs with **words** and `code` in them.
#include "report/code_pages.hpp"

#include <fmt/format.h>

#include <sstream>

namespace nibble::report {
namespace {

/// `text`, whose every other part between two `mark`s is an element.
std::string with_elements(const std::string& text, const std::string& mark,
                          const std::string& element) {
  std::string done;
  bool is_inside = false;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = text.find(mark, from);
    const std::string part = text.substr(from, to - from);
    done += is_inside ? "<" + element + ">" + part + "</" + element + ">" : part;
    if (to == std::string::npos) break;
    is_inside = !is_inside;
    from = to + mark.size();
  }
  return done;
}

std::string paragraphs(const std::string& markdown) {
  std::string done, paragraph;
  std::istringstream lines(markdown + "\n");
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) {
      paragraph += line + "\n";
    } else if (!paragraph.empty()) {
      done += "<p>" + with_elements(with_elements(html(paragraph), "**", "strong"), "`", "code") +
              "</p>\n";
      paragraph.clear();
    }
  }
  return done;
}

}  // namespace

std::string CodePages::link(const std::string& code) {
  if (code.empty()) return "";
  const Diagnosis* const page = diagnoses_.find(code);
  if (page == nullptr) return "<code>" + html(code) + "</code>";
  linked_.insert(page->code);
  return fmt::format("<a class=\"code\" href=\"#{0}\"><code>{0}</code></a> {1}", html(page->code),
                     html(page->title));
}

void CodePages::close(Page& page) const {
  std::string body;
  for (const std::string& code : linked_) {
    const Diagnosis& one = *diagnoses_.find(code);
    body += fmt::format(
        "<details id=\"{0}\">\n<summary><code>{0}</code>: {1}</summary>\n{2}</details>\n",
        html(one.code), html(one.title), paragraphs(one.page));
  }
  if (!body.empty()) page.section("codes", "What the codes mean", body);
}

}  // namespace nibble::report
