#include "files/submission_folder.hpp"

#include <algorithm>
#include <array>

namespace nibble::files {
namespace {

constexpr char kMark = '_';

/// Whatever a program of ours writes beside the folders ends like this, or is hidden.
constexpr std::array<std::string_view, 8> kEndings = {".html", ".json", ".csv", ".xml",
                                                      ".txt",  ".md",   ".zip", ".log"};

bool may_be_ours(std::string_view name) {
  return name.starts_with('.') || std::ranges::any_of(kEndings, [&](std::string_view ending) {
           return name.ends_with(ending) || name.find(std::string(ending) + ".") != name.npos;
         });
}

}  // namespace

std::string submission_folder(std::string_view id) {
  const bool marked = id.starts_with(kMark) || may_be_ours(id);
  return (marked ? std::string(1, kMark) : std::string()) + std::string(id);
}

std::string submission_in(std::string_view folder) {
  return std::string(folder.substr(folder.starts_with(kMark) ? 1 : 0));
}

}  // namespace nibble::files
