#include "report/block_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>

#include "nibble/half.hpp"
#include "report/drawing.hpp"

namespace nibble::report {
namespace {

constexpr std::size_t kBytes = 18, kScaleBytes = 2, kPairs = 16;

bool is_block(const std::vector<int>& bytes) {
  return bytes.size() == kBytes &&
         std::ranges::all_of(bytes, [](int byte) { return byte >= 0 && byte <= 255; });
}

std::string line_of(const char* what, const std::function<std::string(std::size_t)>& cell) {
  std::string line = fmt::format("{:<6}", what);
  for (std::size_t at = 0; at < kBytes; ++at) {
    if (at == kScaleBytes) line += "  |";
    line += fmt::format("{:>4}", cell(at));
  }
  return line + "\n";
}

float scale_of(const std::vector<int>& bytes) {
  return float_from_half(static_cast<std::uint16_t>(bytes[0] | bytes[1] << 8));
}

std::string words_for(const std::vector<int>& bytes) {
  std::string words =
      fmt::format("A Q4_0 block. Bytes {:02x} {:02x}: the scale d = {:.6g}. Codes:", bytes[0],
                  bytes[1], scale_of(bytes));
  for (std::size_t j = 0; j < 2 * kPairs; ++j) {
    const int byte = bytes[kScaleBytes + j % kPairs];
    words += fmt::format(" {}", (j < kPairs ? byte % 16 : byte / 16) - 8);
  }
  return words + ".";
}

}  // namespace

std::string block_text(const std::vector<int>& bytes) {
  if (!is_block(bytes)) return "";
  // Of what only codes have, nothing stands below the scale.
  const auto of_codes = [](const auto& number) {
    return [number](std::size_t at) {
      return at < kScaleBytes ? std::string() : std::to_string(number(at));
    };
  };
  return line_of("byte", [](std::size_t at) { return std::to_string(at); }) +
         line_of("hex", [&](std::size_t at) { return fmt::format("{:02x}", bytes[at]); }) +
         line_of("high", of_codes([](std::size_t at) { return at + kPairs - kScaleBytes; })) +
         line_of("  code", of_codes([&](std::size_t at) { return bytes[at] / 16 - 8; })) +
         line_of("low", of_codes([](std::size_t at) { return at - kScaleBytes; })) +
         line_of("  code", of_codes([&](std::size_t at) { return bytes[at] % 16 - 8; }));
}

std::string block_svg(const std::vector<int>& bytes) {
  if (!is_block(bytes)) return "";
  constexpr double kName = 36, kCell = 18, kTop = 46, kTall = 24;
  Drawing drawing(kName + kCell * kBytes, kTop + kTall + 44, words_for(bytes));
  drawing.text(0, 30, "high");
  drawing.text(0, kTop + 16, "byte");
  drawing.text(0, kTop + kTall + 18, "low");
  for (std::size_t at = 0; at < kBytes; ++at) {
    const double left = kName + kCell * static_cast<double>(at), middle = left + kCell / 2;
    const bool is_scale = at < kScaleBytes;
    drawing.rect(left + 0.5, kTop, kCell - 1, kTall, is_scale ? "idle" : "right");
    drawing.text(middle, kTop + 16, fmt::format("{:02x}", bytes[at]), "", "middle");
    if (is_scale) continue;
    const std::size_t pair = at - kScaleBytes;
    drawing.text(middle, 12, std::to_string(pair + kPairs), "soft", "middle");
    drawing.text(middle, 30, std::to_string(bytes[at] / 16 - 8), "", "middle");
    drawing.text(middle, kTop + kTall + 18, std::to_string(bytes[at] % 16 - 8), "", "middle");
    drawing.text(middle, kTop + kTall + 36, std::to_string(pair), "soft", "middle");
  }
  drawing.text(kName + kCell, 30, "d", "soft", "middle");
  return drawing.str();
}

}  // namespace nibble::report
