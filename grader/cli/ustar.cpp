#include "cli/ustar.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nibble::cli {
namespace {

constexpr std::size_t kBlock = 512;

// Where the fields of a header begin; numbers are octal digits and end in a zero byte.
constexpr std::size_t kMode = 100, kOwner = 108, kGroup = 116, kSize = 124, kTime = 136, kSum = 148,
                      kType = 156, kMagic = 257;

void put(std::string& header, std::size_t at, std::string_view text) {
  header.replace(at, text.size(), text);
}

std::string header_of(std::string_view name, std::size_t size) {
  std::string header(kBlock, '\0');
  put(header, 0, name);
  put(header, kMode, "0000644");
  put(header, kOwner, "0000000");
  put(header, kGroup, "0000000");
  put(header, kSize, fmt::format("{:011o}", size));
  put(header, kTime, "00000000000");
  put(header, kType, "0");
  put(header, kMagic, std::string_view("ustar\00000", 8));
  put(header, kSum, "        ");  // counts as blanks in its own sum
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put(header, kSum, fmt::format("{:06o}", sum));
  header[kSum + 6] = '\0';
  return header;
}

}  // namespace

void Ustar::add(std::string_view name, std::string_view text) {
  if (name.size() > kMode) throw std::length_error("a name of more than 100 bytes");
  if (text.size() >> 33 != 0) throw std::length_error("a file of 8 GiB");
  blocks_ += header_of(name, text.size());
  blocks_ += text;
  blocks_.resize((blocks_.size() + kBlock - 1) / kBlock * kBlock);
}

std::string Ustar::bytes() const { return blocks_ + std::string(2 * kBlock, '\0'); }

}  // namespace nibble::cli
