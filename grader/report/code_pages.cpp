// Notes which codes were named; their Markdown is paragraphs with **words**, *words* and `code`.
#include "report/code_pages.hpp"

#include <fmt/format.h>

#include <sstream>

namespace nibble::report {
namespace {

/// `code`, **words** and *words* as elements; a star before a blank is a product.
std::string with_elements(const std::string& text) {
  std::string done;
  bool in_code = false, in_strong = false, in_em = false;
  const auto turn = [&done](bool& is_inside, const char* element) {
    done += fmt::format("<{}{}>", is_inside ? "/" : "", element);
    is_inside = !is_inside;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (rest.starts_with('`')) {
      turn(in_code, "code");
    } else if (!in_code && rest.starts_with("**")) {
      turn(in_strong, "strong");
      ++i;
    } else if (!in_code && rest.starts_with('*') && (in_em || !rest.starts_with("* "))) {
      turn(in_em, "em");
    } else {
      done += text[i];
    }
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
      done += "<p>" + with_elements(html(paragraph)) + "</p>\n";
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
        "<details id=\"{0}\">\n<summary><code>{0}</code>: {1}</summary>\n<div "
        "lang=\"en\">\n{2}</div>\n</details>\n",
        html(one.code), html(one.title), paragraphs(one.page));
  }
  if (body.empty()) return;
  page.section("codes", "What the codes mean",
               "<p>Each code that is named above leads here.</p>\n" + body);
}

}  // namespace nibble::report
