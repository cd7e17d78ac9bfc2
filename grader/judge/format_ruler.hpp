// Float formats side by side: where the numbers are that all their codes stand for.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "judge/call.hpp"
#include "judge/picture.hpp"
#include "nibble/float_format.hpp"

namespace nibble::judge {

using record::RulerRow;

/// The four bits of MXFP4 and NVFP4: 0, 0.5, 1, 1.5, 2, 3, 4, 6, and no code for anything else.
using E2m1Format = simt::FloatFormat<2, 1, 7, 7>;

/// How many of `numbers` lie between each power of two and the next.
inline std::map<int, int> count_by_exponent(const std::set<float>& numbers) {
  std::map<int, int> counts;
  for (const float number : numbers) counts[std::ilogb(number)] += number > 0.0f ? 1 : 0;
  return counts;
}

/// Of the fullest of four powers of two: the bits that tell its numbers apart; '.': it has none.
inline char sign_of_bits(const std::map<int, int>& counts, int first_exponent) {
  unsigned most = 0;
  for (int exponent = first_exponent; exponent < first_exponent + 4; ++exponent) {
    if (counts.contains(exponent)) most = std::max<unsigned>(most, counts.at(exponent));
  }
  return most == 0 ? '.' : "0123456789abcdef"[std::min<int>(std::bit_width(most - 1), 15)];
}

/// `values`: what the codes stand for, all of them, in any order.
inline RulerRow ruler_row(std::string name, const std::vector<float>& values) {
  std::set<float> numbers;
  for (const float value : values) {
    if (std::isfinite(value) && value >= 0.0f) numbers.insert(value);
  }
  RulerRow row;
  row.name = std::move(name);
  for (int eighths = 0; eighths <= 64; ++eighths) {
    row.marks += numbers.contains(static_cast<float>(eighths) / 8) ? '|' : '-';
  }
  std::map<int, int> counts = count_by_exponent(numbers);
  for (int exponent = -136; exponent < 128; exponent += 4) {
    row.bits += sign_of_bits(counts, exponent);
  }
  row.up_to_two = counts[0];
  const auto smallest = numbers.upper_bound(0.0f);
  if (smallest != numbers.end()) {
    row.smallest = *smallest;
    row.largest = *numbers.rbegin();
  }
  return row;
}

/// Of the format as the kit has it.
template <class Format>
RulerRow kit_row(std::string name) {
  std::vector<float> values;
  for (std::uint32_t code = 0; code < 2 * Format::kSign; ++code) {
    values.push_back(simt::decode<Format>(code));
  }
  return ruler_row(std::move(name), values);
}

/// What `decode`, a function of the submission, makes of all codes.
template <auto decode, class Code>
void draw_row(Picture& picture, std::string name, int codes) {
  draw_answer(picture, name, [&] {
    std::vector<Code> all;
    for (int code = 0; code < codes; ++code) all.push_back(static_cast<Code>(code));
    picture.ruler.push_back(ruler_row(name, call<decode>(all)));
  });
}

}  // namespace nibble::judge
