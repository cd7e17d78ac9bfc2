#include "report/diagnoses.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "files/files.hpp"

namespace nibble::report {
namespace {

std::string normal_form(std::string_view code) {
  std::string upper(code);
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper.starts_with("N-") ? upper : "N-" + upper;
}

/// Without blank lines at either end.
std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of('\n');
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of('\n') + 1 - begin) + "\n";
}

}  // namespace

Diagnoses Diagnoses::parse(std::string_view markdown) {
  Diagnoses pages;
  std::istringstream lines{std::string(markdown)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("## N-") && colon != std::string::npos) {
      pages.all_.push_back({line.substr(3, colon - 3), line.substr(colon + 2), ""});
    } else if (!pages.all_.empty()) {
      pages.all_.back().page += line + "\n";
    }
  }
  for (Diagnosis& one : pages.all_) one.page = trimmed(one.page);
  return pages;
}

Diagnoses Diagnoses::read(const std::filesystem::path& file) {
  return std::filesystem::exists(file) ? parse(files::read_file(file)) : Diagnoses{};
}

const Diagnosis* Diagnoses::find(std::string_view code) const {
  const auto found = std::ranges::find(all_, normal_form(code), &Diagnosis::code);
  return found == all_.end() ? nullptr : &*found;
}

std::string Diagnoses::title(std::string_view code) const {
  const Diagnosis* const page = find(code);
  return page == nullptr ? "" : page->title;
}

}  // namespace nibble::report
