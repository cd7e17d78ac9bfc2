#include "intake/source_text.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "intake/open_beneath.hpp"
#include "text/utf8.hpp"

namespace nibble::intake {
namespace {

std::string why_not_a_file(const struct stat& status) {
  if (S_ISDIR(status.st_mode)) return "is a folder, not a file";
  if (S_ISFIFO(status.st_mode)) return "is a pipe, not a file";
  if (!S_ISREG(status.st_mode)) return "is a socket or a device, not a file";
  if (status.st_nlink != 1) {
    return fmt::format("has {} names (hard links): hand in a copy", status.st_nlink);
  }
  if (static_cast<std::uintmax_t>(status.st_size) > kLargestSource) {
    return too_large(static_cast<std::size_t>(status.st_size));
  }
  return "";
}

std::ptrdiff_t line_at(std::string_view text, std::size_t offset) {
  return 1 + std::ranges::count(text.substr(0, offset), '\n');
}

}  // namespace

std::string too_large(std::size_t bytes) {
  return fmt::format("has {} bytes; the limit is {} KiB, and a lab needs a few", bytes,
                     kLargestSource >> 10);
}

SourceText read_source(int fd) {
  struct stat status {};
  if (fstat(fd, &status) != 0) return {"", words_for(errno)};
  if (std::string why = why_not_a_file(status); !why.empty()) return {"", std::move(why)};
  std::string text;
  std::array<char, 65536> block{};
  for (;;) {
    const ssize_t got = read(fd, block.data(), block.size());
    if (got < 0) return {"", words_for(errno)};
    if (got == 0) return {std::move(text), ""};
    text.append(block.data(), static_cast<std::size_t>(got));
    if (text.size() > kLargestSource) return {"", "grew while it was read"};
  }
}

std::string why_not_source_text(std::string_view text) {
  if (text.size() > kLargestSource) return too_large(text.size());
  if (text.find_first_not_of(" \t\r\n") == text.npos) return "is empty";
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return "is UTF-16: save it as UTF-8";
  }
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\0') {
      return fmt::format("is no text: there is a zero byte on line {}", line_at(text, i));
    }
    const std::size_t length = text::utf8_length(text.substr(i));
    if (length == 0) {
      return fmt::format("is not UTF-8, on line {}: save it as UTF-8", line_at(text, i));
    }
    i += length;
  }
  return "";
}

}  // namespace nibble::intake
