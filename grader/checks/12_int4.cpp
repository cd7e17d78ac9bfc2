// Lab 12: the checks.
#include "int4.hpp"

#include "checks/marks/12_int4.hpp"
#include "judge/exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/mix.hpp"
#include "judge/picture.hpp"
#include "judge/tensors.hpp"

namespace nibble {

std::string show(Int4Layout layout) {
  if (layout == Int4Layout::kTransposed) return "kTransposed";
  if (layout == Int4Layout::kPairs) return "kPairs";
  return std::to_string(static_cast<int>(layout));
}

}  // namespace nibble

namespace nibble::judge {
namespace {

template <class T>
T as(int value) {
  return static_cast<T>(value);
}

std::uint8_t exchanged(int byte) { return as<std::uint8_t>(byte << 4 | byte >> 4); }

/// Every byte, 0 to 255.
Bytes every_byte() {
  Bytes all(256);
  std::iota(all.begin(), all.end(), std::uint8_t{0});
  return all;
}

Bytes random_bytes(std::size_t count, std::uint64_t from) {
  return code_tensor<std::uint8_t>(count, from, 0, 255);
}

// One; odd and even; one less than, as many as and one more than the codes of 32 bytes; a prime.
const std::vector<std::size_t> kCounts = {1, 2, 3, 62, 63, 64, 65, 509};

constexpr const char* kHighFirst = "as if the even code were the high nibble";
constexpr const char* kExcess = "as if a nibble were the code + 8";
constexpr const char* kUnsigned = "as if a nibble were an unsigned code";

// --- pack_int4 ----------------------------------------------------------------------------------

using Packing = Exercise<&pack_int4>;

/// What the drawing says; `pad` is the code beside the last of an odd number.
Bytes packed(const Codes& q, int pad = 0) {
  Bytes q4;
  for (std::size_t i = 0; i < q.size(); i += 2) {
    const int high = i + 1 < q.size() ? q[i + 1] : pad;
    q4.push_back(as<std::uint8_t>((q[i] + 16) % 16 + (high + 16) % 16 * 16));
  }
  return q4;
}

void suspect_packed(Expect& expect, const Packing::Arguments& in, const Bytes& right) {
  const auto& [q] = in;
  Bytes unmasked, added;
  for (std::size_t i = 0; i < q.size(); i += 2) {
    const int high = i + 1 < q.size() ? q[i + 1] : 0;
    unmasked.push_back(as<std::uint8_t>(q[i] | high * 16));
    added.push_back(as<std::uint8_t>(q[i] + high * 16));
  }
  expect.suspect("N-LAYOUT", "q4", each_of(right, exchanged), kHighFirst);
  expect.suspect("N-SIGN", "q4", unmasked, "as if the low code were not masked");
  expect.suspect("N-SIGN", "q4", added, "as if the low code were not masked");
  expect.suspect("N-SIGN", "q4", each_of(right, [](int byte) { return byte ^ 0x88; }), kExcess);
  expect.suspect(
      "N-SIGN", "q4",
      packed(each_of(q, [](int code) { return as<std::int8_t>(code < 0 ? -8 - code : code); })),
      "as if a nibble were a sign and a magnitude");
  for (const int pad : {-8, -1}) {
    expect.suspect("N-TAIL", "q4", packed(q, pad), "as if the last high nibble were not 0");
  }
  if (q.size() % 2 == 1) {
    expect.suspect("N-TAIL", "q4", packed(q, q.back()), "as if the last code were there twice");
    expect.suspect("N-TAIL", "q4", packed({q.begin(), q.end() - 1}),
                   "as if the last code were left out");
  }
  Codes halves;  // the first half of q beside the second
  const std::size_t half = (q.size() + 1) / 2;
  for (std::size_t i = 0; i < half; ++i) {
    halves.push_back(q[i]);
    if (half + i < q.size()) halves.push_back(q[half + i]);
  }
  expect.suspect("N-LAYOUT", "q4", packed(halves), "as if a byte held q[b] and q[b + count / 2]");
}

const Packing packing{{"q"}, {"q4"}, suspect_packed};

// Codes from 0 on: order, and nothing else.
TEST(pack_int4, LowNibbleIsEven) {
  packing.gives({{"OneByte", {Codes{1, 2}}, {0x21}},
                 {"TwoBytes", {Codes{0, 7, 5, 3}}, {0x70, 0x35}},
                 {"Counting", {Codes{0, 1, 2, 3, 4, 5, 6, 7}}, {0x10, 0x32, 0x54, 0x76}}});
}

// Each code beside each: every byte there is.
TEST(pack_int4, EveryPair) {
  Codes pairs;
  for (int byte = 0; byte < 256; ++byte) {
    pairs.push_back(as<std::int8_t>((byte % 16 + 8) % 16 - 8));
    pairs.push_back(as<std::int8_t>((byte / 16 + 8) % 16 - 8));
  }
  packing.gives({{"LowIsNegative", {Codes{-3, 5}}, {0x5d}},
                 {"HighIsNegative", {Codes{1, -8}}, {0x81}},
                 {"Both", {Codes{-1, -1, -8, -8}}, {0xff, 0x88}},
                 {"EveryPair", {pairs}, every_byte()}});
}

std::vector<Packing::Input> codes_of_every_count(Seed seed_of, std::size_t longest) {
  std::vector<Packing::Input> inputs;
  for (std::size_t count : kCounts) {
    if (count == kCounts.back()) count = longest;
    inputs.push_back(
        {std::to_string(count), {code_tensor<std::int8_t>(count, seed_of(count), -8, 7)}});
  }
  return inputs;
}

TEST(pack_int4, PadsWithZero) {
  packing.gives({{"Three", {Codes{-2, 1, -3}}, {0x1e, 0x0d}},
                 {"One", {Codes{-8}}, {0x08}},
                 {"None", {Codes{}}, {}}});
  packing.agrees_with([](const auto& in) { return packed(in.a); }, codes_of_every_count(seed, 509));
}

TEST(pack_int4, RefusesOtherCodes) {
  std::vector<Packing::Refused> refused;
  for (const int code : {8, -9, 15, 127, -128}) {
    refused.push_back({"", {Codes{as<std::int8_t>(code)}}});
    refused.push_back({"", {Codes{1, as<std::int8_t>(code), 2}}});
  }
  packing.refuses({{"Ends", {Codes{7, -8, -8}}, {0x87, 0x08}}}, refused);
}

// --- unpack_int4 --------------------------------------------------------------------------------

using Unpacking = Exercise<&unpack_int4>;

int code_in(int nibble) { return nibble < 8 ? nibble : nibble - 16; }
int with_plus_8(int nibble) { return nibble == 8 ? 8 : code_in(nibble); }

/// The codes of count nibbles, the low one of a byte first; `code` says what a nibble stands for.
template <class Code>
Codes unpacked(const Bytes& q4, std::size_t count, const Code& code) {
  if (q4.size() != (count + 1) / 2) throw std::invalid_argument("no such sizes");
  Codes q;
  for (std::size_t i = 0; i < count; ++i) {
    q.push_back(as<std::int8_t>(code(i % 2 == 0 ? q4[i / 2] % 16 : q4[i / 2] / 16)));
  }
  return q;
}

void suspect_unpacked(Expect& expect, const Unpacking::Arguments& in, const Codes& right) {
  const auto& [q4, count] = in;
  const auto looks = [&, &q4 = q4, count = count](const char* words, const auto& code) {
    expect.suspect("N-SIGN", "q", unpacked(q4, count, code), words);
  };
  expect.suspect("N-LAYOUT", "q", unpacked(each_of(q4, exchanged), count, code_in), kHighFirst);
  looks(kUnsigned, [](int nibble) { return nibble; });
  looks(kExcess, [](int nibble) { return nibble - 8; });
  looks("as if the nibble 8 were the code 8", with_plus_8);
  looks("as if a nibble were a sign and a magnitude",
        [](int nibble) { return nibble < 8 ? nibble : 8 - nibble; });
  looks("as if a nibble from 8 on were less 15",
        [](int nibble) { return nibble < 8 ? nibble : nibble - 15; });
  if (count % 2 == 1) {
    expect.suspect("N-TAIL", "q", unpacked(q4, count + 1, code_in));
    expect.suspect("N-TAIL", "q", Codes(right.begin(), right.end() - 1));
    Codes zero = right;
    zero.back() = 0;
    expect.suspect("N-TAIL", "q", zero);
  }
}

const Unpacking unpacking{{"q4", "count"}, {"q"}, suspect_unpacked};

TEST(unpack_int4, LowNibbleIsEven) {
  unpacking.gives({{"OneByte", {{0x21}, 2}, {1, 2}},
                   {"TwoBytes", {{0x70, 0x35}, 4}, {0, 7, 5, 3}},
                   {"Counting", {{0x10, 0x32, 0x54, 0x76}, 8}, {0, 1, 2, 3, 4, 5, 6, 7}}});
}

TEST(unpack_int4, EveryByte) {
  unpacking.gives({{"Ends", {{0x87}, 2}, {7, -8}},
                   {"MinusOne", {{0xff}, 2}, {-1, -1}},
                   {"EveryByte", {every_byte(), 512}, unpacked(every_byte(), 512, code_in)}});
}

std::vector<Unpacking::Input> bytes_of_every_count(Seed seed_of, std::size_t longest) {
  std::vector<Unpacking::Input> inputs;
  for (std::size_t count : kCounts) {
    if (count == kCounts.back()) count = longest;
    inputs.push_back(
        {std::to_string(count), {random_bytes((count + 1) / 2, seed_of(count)), count}});
  }
  return inputs;
}

// The half of a byte that nobody asks for is noise.
TEST(unpack_int4, AnyCount) {
  unpacking.gives({{"None", {Bytes{}, 0}, {}},
                   {"Half", {{0xa5}, 1}, {5}},
                   {"Three", {{0x1e, 0x7d}, 3}, {-2, 1, -3}}});
  unpacking.agrees_with([](const auto& in) { return unpacked(in.a, in.b, code_in); },
                        bytes_of_every_count(seed, 509));
}

TEST(unpack_int4, RefusesWrongSizes) {
  unpacking.refuses({{"Even", {{0x43}, 2}, {3, 4}}, {"Odd", {{0x43, 0x65}, 3}, {3, 4, 5}}},
                    {{"", {{0x11}, 3}},
                     {"", {{0x11, 0x11, 0x11}, 3}},
                     {"", {{0x11, 0x11, 0x11}, 4}},
                     {"", {Bytes{}, 1}},
                     {"", {{0x11}, 0}},
                     {"N-OVERFLOW", {Bytes{}, std::numeric_limits<std::size_t>::max()}}});
}

// --- to_excess8 ---------------------------------------------------------------------------------

using Excess = Exercise<&to_excess8>;

std::uint8_t byte_in_excess(int byte) {
  return as<std::uint8_t>(code_in(byte % 16) + 8 + (code_in(byte / 16) + 8) * 16);
}

Bytes in_excess(const Excess::Arguments& in) { return each_of(in.a, byte_in_excess); }

void suspect_excess(Expect& expect, const Excess::Arguments& in, const Bytes& right) {
  const auto& [q4] = in;
  expect.suspect("N-OVERFLOW", "u4",
                 each_of(q4, [](int byte) { return as<std::uint8_t>(byte + 0x88); }),
                 "as if 0x88 were added to the byte");
  const auto carries = [](int byte) {
    return as<std::uint8_t>((byte % 16 + 8) | ((byte / 16 + 8) % 16 * 16));
  };
  expect.suspect("N-OVERFLOW", "u4", each_of(q4, carries),
                 "as if the low nibble's sum kept its fifth bit, which is the high nibble's first");
  expect.suspect("N-LAYOUT", "u4", each_of(right, exchanged), "as if the nibbles changed places");
  const auto flips = [&, &q4 = q4](int bits, const char* words) {
    expect.suspect("N-SIGN", "u4", each_of(q4, [=](int byte) { return byte ^ bits; }), words);
  };
  flips(0x00, "as if nothing were changed");
  flips(0x08, "as if the low nibble alone were changed");
  flips(0x80, "as if the high nibble alone were changed");
  flips(0xff, "as if all bits were turned");
  expect.suspect("N-SIGN", "u4", each_of(q4, [](int byte) {
                   return (8 - code_in(byte % 16)) % 16 + (8 - code_in(byte / 16)) % 16 * 16;
                 }));
}

const Excess excess{{"q4"}, {"u4"}, suspect_excess};

TEST(to_excess8, EveryByte) {
  excess.gives({{"Ends",
                 {Bytes{0x78, 0x87}},
                 {0xf0, 0x0f},
                 "each nibble by itself: nothing is carried from the low one into the high one"},
                {"MinusOneAndOne", {Bytes{0x1f}}, {0x97}},
                {"ZerosLast", {Bytes{0x78, 0x00}}, {0xf0, 0x88}},
                {"None", {Bytes{}}, {}},
                {"EveryByte", {every_byte()}, in_excess({every_byte()})}});
}

TEST(to_excess8, IsItsOwnWayBack) {
  excess.on_each({{"OneByte", {Bytes{0x4d}}}, {"EveryByte", {every_byte()}}},
                 [](Expect& expect, const auto& in) {
                   const Bytes once = excess(in);
                   expect.that(once != in.a, "returned what it was given", "N-SIGN");
                   expect.equal("what it makes of its result", excess({once}), in.a);
                 });
}

// --- Blocks -------------------------------------------------------------------------------------
//
// Where values were worked out by hand, scales are powers of two and the values stand in the first
// places of a block; the rest of it is 0.

using Values = std::span<const float>;
using Arguments = Exercise<&quantize_q4_0>::Arguments;  // and quantize_q8_0's

/// Blocks, taken apart.
struct Parts {
  std::vector<std::uint16_t> halves;  ///< of d, one a block
  std::vector<int> codes;             ///< 32 a block, in the order of the values
};

/// One of the two formats, and what is known to go wrong with it.
struct Format {
  std::size_t size;  ///< bytes of a block
  const char* name;  ///< of the codes
  float (*d_of)(Values);
  float (*inverse_of)(Values);  ///< in one division, where the format has two
  int (*code_of)(float steps);  ///< steps: v * inverse
  template <class Way>
  struct Wrong {
    const char* code;
    Way way;
    const char* words;
  };
  std::vector<Wrong<float (*)(Values)>> wrong_ds;
  std::vector<Wrong<int (*)(float steps)>> wrong_codes;
  std::vector<Wrong<int (*)(int code)>> wrong_signs;
  std::vector<Wrong<std::size_t (*)(std::size_t)>> wrong_orders;  ///< which value is in place j
};

template <class T>
std::vector<T> operator+(std::vector<T> a, const std::vector<T>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Reals block(Reals front) {
  front.resize(kBlockValues);
  return front;
}

float extreme_of(Values v) {
  float extreme = 0;
  for (const float value : v) extreme = std::fabs(value) > std::fabs(extreme) ? value : extreme;
  return extreme;
}

bool has_inverse(float d) { return d != 0 && !std::isinf(1 / d); }

float times_inverse(float value, float d) { return has_inverse(d) ? value * (1 / d) : 0; }
float divided(float value, float d) { return has_inverse(d) ? value / d : 0; }
float by_the_half(float value, float d) {
  return times_inverse(value, float_from_half(half_from_float(d)));
}
/// Infinity and NaN become -2^31 on x86, of which four bits are 0: the u of -8 steps.
float by_infinity(float value, float d) {
  return d == 0 || has_inverse(d) ? times_inverse(value, d) : -8;
}
float times_finite(float value, float inverse) { return std::isinf(inverse) ? 0 : value * inverse; }

/// What x becomes, with this d and these codes.
Parts parts_of(const Reals& x, float (*d_of)(Values), int (*code_of)(float),
               float (*steps_of)(float value, float d) = times_inverse) {
  if (x.size() % kBlockValues != 0) throw std::invalid_argument("no whole block");
  Parts parts;
  for (std::size_t at = 0; at < x.size(); at += kBlockValues) {
    const Values v = Values(x).subspan(at, kBlockValues);
    const float d = d_of(v);
    parts.halves.push_back(half_from_float(d));
    for (const float value : v) parts.codes.push_back(code_of(steps_of(value, d)));
  }
  return parts;
}

Bytes joined(const Format& format, const Parts& parts) {
  Bytes bytes;
  for (std::size_t i = 0; i < parts.halves.size(); ++i) {
    bytes.push_back(as<std::uint8_t>(parts.halves[i] % 256));
    bytes.push_back(as<std::uint8_t>(parts.halves[i] / 256));
    const int* const codes = &parts.codes[i * kBlockValues];
    for (std::size_t j = 0; j < format.size - 2; ++j) {
      const bool two = format.size == kQ4Bytes;
      bytes.push_back(as<std::uint8_t>(two ? codes[j] + 16 * codes[j + 16] : codes[j]));
    }
  }
  return bytes;
}

Parts apart(const Format& format, const Bytes& bytes) {
  Parts parts;
  for (std::size_t at = 0; at < bytes.size(); at += format.size) {
    parts.halves.push_back(as<std::uint16_t>(bytes[at] + 256 * bytes[at + 1]));
    for (std::size_t j = 0; j < kBlockValues; ++j) {
      const int byte = bytes[at + 2 + j % (format.size - 2)];
      const bool two = format.size == kQ4Bytes;
      parts.codes.push_back(two ? (j < 16 ? byte % 16 : byte / 16) : as<std::int8_t>(byte));
    }
  }
  return parts;
}

void suspect_blocks(Expect& expect, const Format& format, const Reals& x, const Bytes& blocks) {
  const Parts right = apart(format, blocks);
  expect.suspect("N-SIGN0", "half of d", each_of(right.halves, [](int half) {
                   return half % 0x8000 == 0 ? half ^ 0x8000 : half;
                 }));
  for (const auto& [code, d_of, words] : format.wrong_ds) {
    expect.suspect(code, "half of d", parts_of(x, d_of, format.code_of).halves, words);
  }
  expect.suspect(
      "N-LAYOUT", "half of d",
      each_of(right.halves, [](int half) { return as<std::uint16_t>(half << 8 | half >> 8); }),
      "as if the high byte came first");
  const Parts inverted = parts_of(x, format.inverse_of, format.code_of, times_finite);
  expect.suspect("N-SCALE", "half of d", inverted.halves, "as if it were the inverse of d");
  expect.suspect("N-FORMULA", format.name, inverted.codes,
                 "as if the inverse were made in one division, without d");
  // Through the bytes: there a code that is too large meets its neighbour.
  const auto codes_look = [&](const char* code, const char* words, const auto&... how) {
    expect.suspect(code, format.name, apart(format, joined(format, parts_of(x, how...))).codes,
                   words);
  };
  for (const auto& [code, code_of, words] : format.wrong_codes) {
    codes_look(code, words, format.d_of, code_of);
  }
  codes_look("N-FORMULA", "as if v[j] were divided by d, and not times its inverse", format.d_of,
             format.code_of, divided);
  codes_look("N-SCALE", "as if the codes were made with the half of d", format.d_of, format.code_of,
             by_the_half);
  codes_look("N-DIV0", "", format.d_of, format.code_of, by_infinity);
  for (const auto& [code, change, words] : format.wrong_signs) {
    expect.suspect(code, format.name, each_of(right.codes, change), words);
  }
  for (const auto& [code, order, words] : format.wrong_orders) {
    std::vector<int> moved;
    for (std::size_t i = 0; i < right.codes.size(); ++i) {
      moved.push_back(right.codes[i / kBlockValues * kBlockValues + order(i % kBlockValues)]);
    }
    expect.suspect(code, format.name, moved, words);
  }
  Bytes without_scales;
  for (std::size_t at = 0; at < blocks.size(); ++at) {
    if (at % format.size >= 2) without_scales.push_back(blocks[at]);
  }
  expect.suspect("N-OVERHEAD", "blocks", without_scales, "as if a block had no d");
}

/// Part by part, as a person reads a block.
auto part_by_part(const Format& format) {
  return [&format](Expect& expect, const Arguments&, const Bytes& got, const Bytes& want) {
    if (got.size() != want.size()) {
      expect.equal("blocks", got, want);
      return;
    }
    const Parts mine = apart(format, got), right = apart(format, want);
    expect.equal("half of d", mine.halves, right.halves);
    expect.equal(format.name, mine.codes, right.codes, {right.halves.size(), kBlockValues});
  };
}

auto by_definition_of(const Format& format) {
  return [&format](const Arguments& in) {
    return joined(format, parts_of(in.a, format.d_of, format.code_of));
  };
}

/// Blocks with values as near to a tie as a float can be, on either side, where the largest is
/// `steps` steps. Random weights have no such values; those with few digits have.
Reals near_ties(std::size_t blocks, std::uint64_t from, int steps) {
  const std::size_t count = blocks * kBlockValues;
  const Reals amax = uniform_tensor(blocks, from, 0.5f, 1.0f);
  const auto ties = code_tensor<std::int16_t>(count, mix(from, 1), 1, steps - 1);
  const auto sides = code_tensor<std::int8_t>(count, mix(from, 2), -1, 1);
  Reals x;
  for (std::size_t i = 0; i < count; ++i) {
    const float most = amax[i / kBlockValues], half_steps = static_cast<float>(2 * steps);
    const float tie = most * static_cast<float>(2 * ties[i] - 1) / half_steps;
    const float value = std::nextafter(tie, sides[i] == 0 ? tie : sides[i] * kInfinity);
    x.push_back(i % kBlockValues == 3 ? most : i % 2 == 0 ? value : -value);
  }
  return x;
}

/// Blocks of weights and of near ties, and a block of zeros between others.
template <class Input>
std::vector<Input> blocks_of(Seed seed_of, std::size_t most, int steps) {
  const auto normal = [&](std::size_t blocks, int k, float size) {
    return normal_tensor(blocks * kBlockValues, seed_of(as<std::uint64_t>(k)), size);
  };
  return {{"OneBlock", {normal(1, 1, 0.02f)}},
          {"ThreeBlocks", {normal(1, 2, 1) + block({}) + normal(1, 3, 300)}},
          {"Weights", {normal(most, 4, 0.02f)}},
          {"NearTies", {near_ties(most, seed_of(5), steps)}}};
}

/// What no half can be the scale of, in the first block and in the second, first and last.
template <auto F>
std::vector<typename Exercise<F>::Refused> without_a_scale(float too_large) {
  std::vector<typename Exercise<F>::Refused> refused;
  for (const int size : {1, 31, 33})
    refused.push_back({"N-SIZE", {Reals(as<std::size_t>(size), 1)}});
  for (const float value : {kNan, kInfinity, -kInfinity, too_large, -too_large, FLT_MAX}) {
    for (const int place : {0, 1, 32, 63}) {
      Reals x(64, 1);
      x[as<std::size_t>(place)] = value;
      refused.push_back({std::isfinite(value) ? "N-INF" : "N-NAN", {x}});
    }
  }
  return refused;
}

constexpr std::uint16_t kOne = 0x3c00, kMinusOne = 0xbc00, kHalf = 0x3800;
constexpr std::uint16_t kTwoBytes = 0x2e67;  // 0.1, nearly: its bytes differ

// --- quantize_q4_0 ------------------------------------------------------------------------------

using Quantizing4 = Exercise<&quantize_q4_0>;

int clamped_u(float u) { return static_cast<int>(std::clamp(u, 0.0f, 15.0f)); }

const Format kQ4{
    .size = kQ4Bytes,
    .name = "u",
    .d_of = [](Values v) { return extreme_of(v) / -8; },
    .inverse_of = [](Values v) { return -8 / extreme_of(v); },
    .code_of = [](float steps) { return std::min(15, static_cast<int>(steps + 8.5f)); },
    .wrong_ds =
        {{"N-DIV0", [](Values v) { return max_abs(v) == 0 ? 1 : extreme_of(v) / -8; },
          "as if d were 1 for zeros"},
         {"N-ORDER",
          [](Values v) {
            float extreme = 0;
            for (const float value : v) {
              extreme = std::fabs(value) >= std::fabs(extreme) ? value : extreme;
            }
            return extreme / -8;
          },
          "as if the extreme were the last of equal ones"},
         {"N-RANGE", [](Values v) { return extreme_of(v) / 8; }, "as if d were extreme / 8"},
         {"N-RANGE", [](Values v) { return max_abs(v) / 8; }, "as if d were max |v| / 8"},
         {"N-RANGE", [](Values v) { return max_abs(v) / -8; }, "as if d were max |v| / -8"},
         {"N-RANGE", [](Values v) { return max_abs(v) / 7; }, "as if d were max |v| / 7"},
         {"N-RANGE", [](Values v) { return extreme_of(v) / -7; }, "as if d were extreme / -7"},
         {"N-RANGE", [](Values v) { return extreme_of(v) / 7; }, "as if d were extreme / 7"},
         {"N-RANGE", [](Values v) { return *std::ranges::max_element(v) / -8; },
          "as if the extreme were the largest value"}},
    .wrong_codes = {{"N-TRUNC", [](float steps) { return clamped_u(std::trunc(steps) + 8); }, ""},
                    {"N-TRUNC", [](float steps) { return clamped_u(std::floor(steps) + 8); },
                     "as if 8 were added, and not 8.5"},
                    {"N-ROUND", [](float steps) { return clamped_u(std::nearbyint(steps) + 8); },
                     "as if ties went to the even neighbour"},
                    {"N-ROUND", [](float steps) { return clamped_u(std::round(steps) + 8); },
                     "as if ties went away from 0"},
                    {"N-ROUND", [](float steps) { return clamped_u(std::ceil(steps + 7.5f)); },
                     "as if ties went down"},
                    {"N-CLAMP", [](float steps) { return static_cast<int>(steps + 8.5f); },
                     "as if u had no limit of 15"},
                    {"N-CLAMP", [](float steps) { return static_cast<int>(steps + 8.5f) % 16; },
                     "as if u had no limit of 15"}},
    .wrong_signs = {{"N-SIGN", [](int u) { return u ^ 8; },
                     "as if u were the code, and not the code + 8"},
                    {"N-RANGE", [](int u) { return std::max(u, 1); },
                     "as if the least code were -7"}},
    .wrong_orders = {{"N-LAYOUT", [](std::size_t j) { return (j + 16) % 32; },
                      "as if u[j + 16] were the low nibble, and u[j] the high one"},
                     {"N-LAYOUT", [](std::size_t j) { return j % 16 * 2 + j / 16; },
                      "as if a byte held u[2j] and u[2j+1]"},
                     {"N-LAYOUT", [](std::size_t j) { return j % 16 * 2 + 1 - j / 16; },
                      "as if a byte held u[2j+1] and u[2j]"}}};

const Quantizing4 quantizing4{
    {"x"}, {"blocks"}, [](Expect& expect, const Arguments& in, const Bytes& right) {
      suspect_blocks(expect, kQ4, in.a, right);
    }};

/// One block: u of the first values; the others are 0, whose u is 8.
Bytes q4(std::uint16_t half, std::vector<int> u) {
  u.resize(kBlockValues, 8);
  return joined(kQ4, {{half}, u});
}

void gives4(const std::vector<Quantizing4::Row>& rows) {
  quantizing4.gives(rows, part_by_part(kQ4));
}

TEST(quantize_q4_0, FollowsTheFormula) {
  gives4(
      {{"WholeSteps", {block({-8, 7, 1, -1, 0, 3, -5})}, q4(kOne, {0, 15, 9, 7, 8, 11, 3})},
       {"HalfSteps", {block({1, -4, 2, -0.5f})}, q4(kHalf, {10, 0, 12, 7})},
       {"UpAndDown", {block({-8, 2.75f, 2.25f, -2.75f, -2.25f})}, q4(kOne, {0, 11, 10, 5, 6})},
       {"Empty", {Reals{}}, {}},
       {"TwoBlocks", {block({-8, 3}) + block({-4, 3})}, q4(kOne, {0, 11}) + q4(kHalf, {0, 14})}});
}

TEST(quantize_q4_0, TheExtremeIsMinusEight) {
  gives4(
      {{"AboveZero", {block({8, 1, -2})}, q4(kMinusOne, {0, 7, 10})},
       {"BelowZero", {block({3, -8, 7, -7})}, q4(kOne, {11, 0, 15, 1})},
       {"ItsOpposite", {block({-8, 8, 7.75f, 1})}, q4(kOne, {0, 15, 15, 9})},
       {"TheFirstOfEqualOnes", {block({8, -8, -7.75f, 1})}, q4(kMinusOne, {0, 15, 15, 7})},
       {"AtTheEnd", {Reals(31) + Reals{-8}}, q4(kOne, std::vector<int>(31, 8) + std::vector{0})}});
}

// Every u has a place of its own in the first half of the block, and in the second, in another
// order.
TEST(quantize_q4_0, BytesInTheirPlaces) {
  Reals x;
  std::vector<int> u;
  for (int j = 0; j < 32; ++j) {
    u.push_back(j < 16 ? j : (7 * j + 3) % 16);
    x.push_back(float_from_half(kTwoBytes) * static_cast<float>(u.back() - 8));
  }
  gives4({{"EveryCodeTwice", {x}, q4(kTwoBytes, u)}});
}

TEST(quantize_q4_0, TiesGoUp) {
  gives4({{"AboveZero", {block({-8, 0.5f, 1.5f, 2.5f, 6.5f})}, q4(kOne, {0, 9, 10, 11, 15})},
          {"BelowZero", {block({-8, -0.5f, -1.5f, -7.5f, 0.75f})}, q4(kOne, {0, 8, 7, 1, 9})},
          {"DBelowZero", {block({8, 0.5f, 1.5f, -0.5f, -1.5f})}, q4(kMinusOne, {0, 8, 7, 9, 10})},
          {"HalfSteps", {block({-4, 0.25f, -0.75f, 1.75f})}, q4(kHalf, {0, 9, 7, 12})},
          {"HalfOfD", {block({-8 - 0x1p-8f})}, q4(kOne, {0})}});
}

// Here v * inverse lies just beside the tie on which v / d lies; and the sum with 8.5 has no room
// for the last bits of the float below -0.5. In the last row the first product is rounded up to a
// tie; the others are ties, for whoever rounds them otherwise.
TEST(quantize_q4_0, OneByOneInFloat32) {
  const auto d_of = [](float extreme) { return half_from_float(extreme / -8); };
  gives4({{"Product",
           {block({29.75f, 20.453125f, -10})},
           q4(d_of(29.75f), {0, 2, 11}),
           "v[j] is multiplied by inverse, not divided by d"},
          {"LargeProduct", {block({7.5f, 7.03125f, -2.5f})}, q4(d_of(7.5f), {0, 0, 11})},
          {"Sum", {block({-8, std::nextafter(-0.5f, -1.0f), -1.5f})}, q4(kOne, {0, 8, 7})},
          {"NotFused",
           {block({-8.00006104f, 0.500003338f, 2.50001907f, -2.50001907f})},
           q4(kOne, {0, 9, 11, 6}),
           "the product is rounded to float32 before 8.5 is added"}});
  quantizing4.agrees_with(by_definition_of(kQ4), blocks_of<Quantizing4::Input>(seed, 64, 8),
                          part_by_part(kQ4));
}

const char* const kHasAnInverse =
    "d has an inverse here: that is 0 only where d is 0, or 1 / d infinite";

// The half is subnormal, then 0, and the codes are made all the same; then d has lost a bit, which
// extreme and -8 / extreme have; then there is no inverse, though -8 / extreme is finite.
TEST(quantize_q4_0, ZerosAndTinyValues) {
  gives4({{"Zeros", {block({})}, q4(0x8000, {})},
          {"MinusZeros", {Reals(32, -0.0f)}, q4(0x8000, {})},
          {"SubnormalHalf", {block({-0x1p-17f, 0x1p-19f, 0x1p-20f})}, q4(0x0010, {0, 10, 9})},
          {"HalfIsZero", {block({-0x1p-27f, 0x1p-29f, -0x1p-30f})}, q4(0, {0, 10, 7})},
          {"LastInverse",
           {block({-0x1p-124f, 0x1p-126f, 0x1p-127f})},
           q4(0, {0, 10, 9}),
           kHasAnInverse},
          {"LostBit", {block({0x1p-124f + 0x1p-147f, 0x1.c00004p-126f})}, q4(0x8000, {0, 4})},
          {"NoInverse", {block({0x1p-125f, -0x1p-126f})}, q4(0x8000, {})},
          {"InverseOfTheExtreme", {block({0x1p-125f + 0x1p-148f})}, q4(0x8000, {})},
          {"Subnormal", {block({FLT_TRUE_MIN})}, q4(0x8000, {})},
          {"BelowZero", {block({-FLT_TRUE_MIN})}, q4(0, {})}});
}

// What is accepted are the last extremes whose half is finite.
TEST(quantize_q4_0, RefusesWhatHasNoScale) {
  const float last = std::nextafter(524160.0f, 0.0f);
  quantizing4.refuses({{"LastScale", {block({-last, last})}, q4(0x7bff, {0, 15})},
                       {"LastBelowZero", {block({last})}, q4(0xfbff, {0})}},
                      without_a_scale<&quantize_q4_0>(524160.0f), part_by_part(kQ4));
}

// --- quantize_q8_0 ------------------------------------------------------------------------------

using Quantizing8 = Exercise<&quantize_q8_0>;

int rounded(float steps) { return static_cast<int>(std::round(steps)); }

const Format kQ8{
    .size = kQ8Bytes,
    .name = "q",
    .d_of = [](Values v) { return max_abs(v) / 127; },
    .inverse_of = [](Values v) { return 127 / max_abs(v); },
    .code_of = rounded,
    .wrong_ds =
        {{"N-DIV0", [](Values v) { return max_abs(v) == 0 ? 1 : max_abs(v) / 127; },
          "as if d were 1 for zeros"},
         {"N-RANGE", [](Values v) { return max_abs(v) / 128; }, "as if d were max |v| / 128"},
         {"N-RANGE", [](Values v) { return extreme_of(v) / -128; }, "as if d were extreme / -128"},
         {"N-RANGE", [](Values v) { return extreme_of(v) / 127; }, "as if d had the sign of v"},
         {"N-RANGE", [](Values v) { return *std::ranges::max_element(v) / 127; },
          "as if d were max v / 127, and not max |v| / 127"}},
    .wrong_codes = {{"N-TRUNC", [](float steps) { return static_cast<int>(steps); }, ""},
                    {"N-TRUNC", [](float steps) { return rounded(std::floor(steps)); },
                     "as if it were rounded down"},
                    {"N-ROUND", [](float steps) { return rounded(std::nearbyint(steps)); },
                     "as if ties went to the even neighbour"},
                    {"N-ROUND", [](float steps) { return rounded(std::floor(steps + 0.5f)); },
                     "as if ties went up"}},
    .wrong_signs = {{"N-SIGN", [](int q) -> int { return as<std::int8_t>(q + 128); },
                     "as if q were q + 128"},
                    {"N-SIGN", [](int q) { return std::abs(q); }, "as if q had no sign"}},
    .wrong_orders = {{"N-LAYOUT", [](std::size_t j) { return j % 2 * 16 + j / 2; },
                      "as if q[j] and q[j + 16] stood side by side"}}};

const Quantizing8 quantizing8{
    {"x"}, {"blocks"}, [](Expect& expect, const Arguments& in, const Bytes& right) {
      suspect_blocks(expect, kQ8, in.a, right);
    }};

Bytes q8(std::uint16_t half, std::vector<int> q) {
  q.resize(kBlockValues);
  return joined(kQ8, {{half}, q});
}

void gives8(const std::vector<Quantizing8::Row>& rows) {
  quantizing8.gives(rows, part_by_part(kQ8));
}

// In the last, every place has a code of its own.
TEST(quantize_q8_0, FollowsTheFormula) {
  Reals x;
  std::vector<int> q;
  for (int j = 0; j < 32; ++j) {
    q.push_back(j == 0 ? -127 : 7 * j - 100);
    x.push_back(float_from_half(kTwoBytes) * static_cast<float>(q.back()));
  }
  gives8(
      {{"WholeSteps", {block({127, -127, 1, -1, 0, 64})}, q8(kOne, {127, -127, 1, -1, 0, 64})},
       {"BelowZero", {block({1, -63.5f, 31})}, q8(kHalf, {2, -127, 62})},
       {"UpAndDown", {block({127, 2.75f, 2.25f, -2.75f, -2.25f})}, q8(kOne, {127, 3, 2, -3, -2})},
       {"Empty", {Reals{}}, {}},
       {"TwoBlocks",
        {block({127, 3}) + block({63.5f, 3})},
        q8(kOne, {127, 3}) + q8(kHalf, {127, 6})},
       {"EveryPlace", {x}, q8(kTwoBytes, q)}});
}

TEST(quantize_q8_0, TiesGoAwayFromZero) {
  gives8({{"AboveZero", {block({127, 0.5f, 1.5f, 126.5f})}, q8(kOne, {127, 1, 2, 127})},
          {"BelowZero", {block({127, -0.5f, -1.5f, 0.75f})}, q8(kOne, {127, -1, -2, 1})},
          {"HalfSteps", {block({-63.5f, 0.25f, -0.75f, 1.25f})}, q8(kHalf, {-127, 1, -2, 3})},
          {"HalfOfD", {block({127 + 127 * 0x1p-11f})}, q8(kOne, {127})}});
}

// Half of the largest magnitude is 63.5 steps, and no tie: d and its inverse are rounded. In the
// first, v / d gives 64; in the second 63; in the third 127 / amax gives 64. In steps of d's half
// the third value of each lies on the other side of a tie. The fourth is 31.75 steps. In the last
// row the sum with 0.5 has no room for its last bit.
TEST(quantize_q8_0, OneByOneInFloat32) {
  const auto row = [](const char* name, float amax, float third, std::vector<int> q,
                      const char* rule) {
    return Quantizing8::Row{name,
                            {block({amax, amax / 2, third, amax / 4})},
                            q8(half_from_float(amax / 127), std::move(q)),
                            rule};
  };
  const char* const product = "v[j] is multiplied by inverse, not divided by d";
  gives8(
      {row("Product", 52.4375f, 28.28125f, {127, 63, 68, 32}, product),
       row("ProductAbove", 32.90625f, 8.9375f, {127, 64, 34, 32}, product),
       row("TwoDivisions", 4.53125f, 4.40625f, {127, 63, 123, 32},
           "inverse = 1 / d, of a d that is rounded"),
       {"BelowATie", {block({127, std::nextafter(0.5f, 0.0f), -0.5f})}, q8(kOne, {127, 0, -1})}});
  quantizing8.agrees_with(by_definition_of(kQ8), blocks_of<Quantizing8::Input>(seed, 64, 127),
                          part_by_part(kQ8));
}

TEST(quantize_q8_0, ZerosAndTinyValues) {
  gives8({{"Zeros", {block({})}, Bytes(34)},
          {"MinusZeros", {Reals(32, -0.0f)}, Bytes(34)},
          {"SubnormalHalf", {block({127 * 0x1p-20f, -0x1p-19f})}, q8(0x0010, {127, -2})},
          {"HalfIsZero", {block({127 * 0x1p-30f, -0x1p-29f})}, q8(0, {127, -2})},
          {"LastInverse", {block({127 * 0x1p-127f, 0x1p-126f})}, q8(0, {127, 2}), kHasAnInverse},
          {"NoInverse", {block({127 * 0x1p-128f, 0x1p-127f})}, Bytes(34)},
          {"Subnormal", {block({FLT_TRUE_MIN})}, Bytes(34)}});
}

TEST(quantize_q8_0, RefusesWhatHasNoScale) {
  const float last = std::nextafter(8321040.0f, 0.0f);
  quantizing8.refuses({{"LastScale", {block({-last, last})}, q8(0x7bff, {-127, 127})}},
                      without_a_scale<&quantize_q8_0>(8321040.0f), part_by_part(kQ8));
}

// --- matmul_int4 --------------------------------------------------------------------------------

using Multiplying = Exercise<&matmul_int4>;
using Product = Multiplying::Arguments;

constexpr auto kTransposed = Int4Layout::kTransposed, kPairs = Int4Layout::kPairs;

std::size_t bytes_for(int k) { return (static_cast<std::size_t>(k) + 1) / 2; }

/// Half `half` of a byte; 0 beyond the operand, where only a mistake looks.
int nibble_of(const Bytes& bytes, std::size_t byte, std::size_t half) {
  if (byte >= bytes.size()) return 0;
  return half % 2 == 0 ? bytes[byte] % 16 : bytes[byte] / 16;
}

/// How a product is read: the definition, but for what a mistake changes in it.
struct Reading {
  Int4Layout layout;
  int k;
  std::size_t pitch;           ///< bytes from row to row of a
  bool along_n = false;        ///< two columns of b share a byte: the wrong axis
  std::size_t pitch_b;         ///< of transposed b
  int (*code)(int) = code_in;  ///< what a nibble of a stands for
  int (*code_b)(int) = code_in;

  explicit Reading(const Product& in)
      : layout(in.c), k(in.d.k), pitch(bytes_for(k)), pitch_b(pitch) {}
};

template <class Sum = std::int32_t>
Sums product(const Product& in, const Reading& reading) {
  const auto& [a4, b4, layout, shape] = in;
  const std::size_t m = as<std::size_t>(shape.m), n = as<std::size_t>(shape.n);
  const std::size_t bytes = bytes_for(shape.k);
  if (a4.size() != m * bytes || b4.size() != n * bytes)
    throw std::invalid_argument("no such sizes");
  Sums c;
  for (std::size_t at = 0; at < m * n; ++at) {
    const std::size_t i = at / n, j = at % n;
    Sum sum = 0;
    for (std::size_t p = 0; p < as<std::size_t>(reading.k); ++p) {
      const int a = nibble_of(a4, i * reading.pitch + p / 2, p);
      const int b = reading.along_n            ? nibble_of(b4, p * ((n + 1) / 2) + j / 2, j)
                    : reading.layout == kPairs ? nibble_of(b4, p / 2 * n + j, p)
                                               : nibble_of(b4, j * reading.pitch_b + p / 2, p);
      sum = static_cast<Sum>(sum + reading.code(a) * reading.code_b(b));
    }
    c.push_back(static_cast<std::int32_t>(sum));
  }
  return c;
}

Sums by_definition(const Product& in) { return product(in, Reading(in)); }

void suspect_sums(Expect& expect, const Product& in, const Sums& right) {
  const auto looks = [&](const char* code, const char* words, const auto& change) {
    Product read = in;
    Reading reading(in);
    change(reading, read);
    expect.suspect(code, "c", product(read, reading), words);
  };
  const bool is_odd = in.d.k % 2 == 1;
  const auto plain = [](int nibble) { return nibble; };
  looks("N-SIGN", kUnsigned, [&](Reading& r, auto&) { r.code = r.code_b = plain; });
  looks("N-SIGN", "as if the codes of a were unsigned", [&](Reading& r, auto&) { r.code = plain; });
  looks("N-SIGN", "as if the codes of b were unsigned",
        [&](Reading& r, auto&) { r.code_b = plain; });
  looks("N-SIGN", kExcess,
        [](Reading& r, auto&) { r.code = r.code_b = [](int nibble) { return nibble - 8; }; });
  looks("N-SIGN", "as if the nibble 8 were the code 8",
        [](Reading& r, auto&) { r.code = r.code_b = with_plus_8; });
  looks("N-TRANS", "as if the two layouts were exchanged",
        [](Reading& r, auto&) { r.layout = r.layout == kPairs ? kTransposed : kPairs; });
  looks("N-LAYOUT", "as if two columns of b shared a byte",
        [](Reading& r, auto&) { r.along_n = true; });
  looks("N-LAYOUT", "as if a row of a had k / 2 bytes, rounded down",
        [](Reading& r, auto&) { r.pitch = as<std::size_t>(r.k / 2); });
  looks("N-LAYOUT", "as if all rows had k / 2 bytes, rounded down",
        [](Reading& r, auto&) { r.pitch = r.pitch_b = as<std::size_t>(r.k / 2); });
  looks("N-TAIL", "as if the last high nibble counted, too",
        [&](Reading& r, auto&) { r.k += is_odd; });
  looks("N-TAIL", "as if the last code of an odd k were left out",
        [&](Reading& r, auto&) { r.k -= is_odd; });
  looks("N-LAYOUT", "as if the even code of b were the high nibble",
        [](auto&, Product& read) { read.b = each_of(read.b, exchanged); });
  looks("N-LAYOUT", "as if the even code of a were the high nibble",
        [](auto&, Product& read) { read.a = each_of(read.a, exchanged); });
  looks("N-LAYOUT", kHighFirst, [](auto&, Product& read) {
    read.a = each_of(read.a, exchanged);
    read.b = each_of(read.b, exchanged);
  });
  Sums columns;
  for (std::size_t at = 0; at < right.size(); ++at) {
    const std::size_t m = as<std::size_t>(in.d.m), n = as<std::size_t>(in.d.n);
    columns.push_back(right[at % m * n + at / m]);
  }
  expect.suspect("N-TRANS", "c", columns);
  expect.suspect("N-OVERFLOW", "c", each_of(right, [](int sum) { return as<std::int16_t>(sum); }));
  expect.suspect("N-OVERFLOW", "c", each_of(right, [](int sum) { return as<std::int8_t>(sum); }));
  expect.suspect("N-FLOAT32", "c", product<float>(in, Reading(in)));
}

const Multiplying multiplying{{"a4", "b4", "layout", "m", "n", "k"}, {"c"}, suspect_sums};

void same_sums(Expect& expect, const Product& in, const Sums& got, const Sums& want) {
  const auto& shape = in.d;
  expect.equal("c", got, want, {as<std::size_t>(shape.m), as<std::size_t>(shape.n)});
}

/// Every nibble is noise, those that only pad too.
Multiplying::Input random_product(MatmulShape shape, Int4Layout layout, std::uint64_t from) {
  const std::size_t pitch = bytes_for(shape.k);
  return {show(layout) + "," + size_text(shape),
          {random_bytes(as<std::size_t>(shape.m) * pitch, from),
           random_bytes(as<std::size_t>(shape.n) * pitch, mix(from, 1)), layout, shape}};
}

// a = [[1, 2, -3, 4]], [[5, -6, 7, -8]]; b, column by column: [1, 2, 3, -4], [-5, 6, 7, -8].
const Bytes kA = {0x21, 0x4d, 0xa5, 0x87};

TEST(matmul_int4, MultipliesTransposed) {
  multiplying.gives(
      {{"OneProduct",
        {{0x73}, {0x65}, kTransposed, {1, 1, 1}},
        {15},
        "where k is 1, the high nibbles mean nothing"},
       {"BelowZero", {{0x2f}, {0x38}, kTransposed, {1, 1, 1}}, {8}},
       {"OneByte", {{0x21}, {0x43}, kTransposed, {1, 1, 2}}, {11}},
       {"TwoByTwo", {kA, {0x21, 0xc3, 0x6b, 0x87}, kTransposed, {2, 2, 4}}, {-20, -46, 46, 52}}},
      same_sums);
  multiplying.agrees_with(by_definition,
                          {random_product({2, 2, 4}, kTransposed, seed(1)),
                           random_product({2, 4, 6}, kTransposed, seed(2)),
                           random_product({6, 4, 32}, kTransposed, seed(3))},
                          same_sums);
}

TEST(matmul_int4, MultipliesPairs) {
  multiplying.gives(
      {{"OneByte", {{0x21}, {0x43}, kPairs, {1, 1, 2}}, {11}},
       {"TwoByTwo", {kA, {0x21, 0x6b, 0xc3, 0x87}, kPairs, {2, 2, 4}}, {-20, -46, 46, 52}}},
      same_sums);
  multiplying.agrees_with(
      by_definition,
      {random_product({1, 2, 4}, kPairs, seed(1)), random_product({2, 4, 6}, kPairs, seed(2)),
       random_product({6, 4, 32}, kPairs, seed(3))},
      same_sums);
}

// Nothing at all; odd sizes, each by itself and together; flat, tall, and longer than a vector.
std::vector<Multiplying::Input> every_shape(Seed seed_of, MatmulShape largest) {
  std::vector<Multiplying::Input> inputs;
  for (const MatmulShape shape : {MatmulShape{1, 1, 1},
                                  {1, 1, 3},
                                  {2, 1, 3},
                                  {1, 2, 3},
                                  {2, 3, 5},
                                  {3, 2, 4},
                                  {1, 9, 31},
                                  {9, 1, 33},
                                  {5, 7, 65},
                                  largest}) {
    for (const Int4Layout layout : {kTransposed, kPairs}) {
      inputs.push_back(random_product(shape, layout, seed_of(inputs.size())));
    }
  }
  return inputs;
}

TEST(matmul_int4, EveryShape) {
  multiplying.gives({{"NoRows", {Bytes{}, {0x21}, kTransposed, {0, 1, 2}}, {}},
                     {"NoColumns", {{0x21}, Bytes{}, kPairs, {1, 0, 2}}, {}},
                     {"NoK", {Bytes{}, Bytes{}, kPairs, {2, 1, 0}}, {0, 0}},
                     {"OddK", {{0x21, 0x83}, {0x11, 0x82}, kTransposed, {1, 1, 3}}, {9}},
                     {"OddKInPairs", {{0x21, 0x83}, {0x11, 0x82}, kPairs, {1, 1, 3}}, {9}},
                     {"RowsOfOddK",
                      {{0x21, 0x83, 0x54, 0x76}, {0x11, 0x81}, kTransposed, {2, 1, 3}},
                      {6, 15},
                      "where k is odd, too, a row begins with a new byte"}},
                    same_sums);
  multiplying.agrees_with(by_definition, every_shape(seed, {17, 13, 67}), same_sums);
}

// 64 * 1000 is no int16; 49 * 400001 is odd, and more than the 2^24 to which a float32 counts.
TEST(matmul_int4, LongSums) {
  const auto all = [](const char* name, int k, std::uint8_t byte, std::int32_t sum) {
    return Multiplying::Row{
        name,
        {Bytes(bytes_for(k), byte), Bytes(bytes_for(k), byte), kTransposed, {1, 1, k}},
        {sum}};
  };
  multiplying.gives({all("1000", 1000, 0x88, 64'000), all("400001", 400'001, 0x99, 19'600'049)},
                    same_sums);
}

TEST(matmul_int4, RefusesBadInput) {
  const Bytes three{1, 2, 3};
  const auto no_layout = static_cast<Int4Layout>(2);
  multiplying.refuses({{"OneByTwo", {{0x21}, {0x43, 0x05}, kTransposed, {1, 2, 2}}, {11, 5}},
                       {"LongestK", {Bytes{}, Bytes{}, kPairs, {0, 0, 33'554'431}}, {}}},
                      {{"", {three, three, kTransposed, {1, 1, 4}}},
                       {"", {{0x21}, three, kTransposed, {1, 2, 2}}},
                       {"", {three, {0x21}, kPairs, {2, 1, 2}}},
                       {"", {{0x21}, {0x43, 0x05}, kPairs, {1, 1, 1}}},
                       {"", {{0x21}, Bytes{}, kPairs, {1, 1, 1}}},
                       {"", {{0x21, 0x43}, {0x05}, kTransposed, {1, 1, 1}}},
                       {"", {Bytes{}, {0x05}, kTransposed, {1, 1, 1}}},
                       {"", {{0x21}, Bytes{}, kPairs, {1, 1, 0}}},
                       {"", {Bytes{}, {0x05}, kTransposed, {1, 1, 0}}},
                       {"", {Bytes{}, Bytes{}, kTransposed, {0, 1, 2}}},
                       {"", {Bytes{}, Bytes{}, kPairs, {1, 0, 2}}},
                       {"N-RANGE", {Bytes{}, Bytes{}, kTransposed, {0, -1, 0}}},
                       {"N-RANGE", {Bytes{}, Bytes{}, kTransposed, {-1, 1, 0}}},
                       {"N-RANGE", {Bytes{}, Bytes{}, kTransposed, {-1, 0, 0}}},
                       {"N-RANGE", {Bytes{}, Bytes{}, kTransposed, {-1, -1, 0}}},
                       {"N-RANGE", {Bytes{}, Bytes{}, kTransposed, {0, 0, -1}}},
                       {"N-OVERFLOW", {Bytes{}, Bytes{}, kTransposed, {65536, 0, 131072}}},
                       {"N-OVERFLOW", {Bytes{}, Bytes{}, kTransposed, {0, 65536, 131072}}},
                       {"N-OVERFLOW", {Bytes{}, Bytes{}, kPairs, {0, 0, 33'554'432}}},
                       {"N-OVERFLOW", {Bytes{}, Bytes{}, kPairs, {0, 0, 67'108'864}}},
                       {"N-RANGE", {{0x03}, {0x05}, static_cast<Int4Layout>(-1), {1, 1, 1}}},
                       {"N-RANGE", {Bytes{}, Bytes{}, no_layout, {0, 0, 0}}}});
}

// --- The picture --------------------------------------------------------------------------------

/// The block of docs/examples/12_block.cpp.
const Reals kDrawnWeights = {0.11f,  -0.07f, 0.02f,  0.19f,  -0.25f, 0.05f,  0.00f,  -0.13f,
                             0.08f,  0.31f,  -0.02f, -0.18f, 0.14f,  0.06f,  -0.09f, 0.03f,
                             -0.40f, 0.21f,  0.12f,  -0.05f, 0.01f,  0.38f,  -0.16f, 0.09f,
                             -0.22f, 0.04f,  0.17f,  -0.11f, 0.07f,  -0.03f, 0.26f,  -0.01f};

void draw_block(Picture& picture) {
  draw_answer(picture, "quantize_q4_0", [&] {
    const Bytes block = call<&quantize_q4_0>(kDrawnWeights);
    if (block.size() == kQ4Bytes) {
      picture.block.assign(block.begin(), block.end());
    } else {
      picture.notes.push_back("quantize_q4_0: a block has 18 bytes, not " +
                              std::to_string(block.size()));
    }
  });
}
const bool has_picture = register_picture({"quantize_q4_0"}, draw_block);

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt. The longest input is longer than any public one.

TEST(pack_int4, EqualsTheReference) {
  packing.agrees_with(packing.reference, codes_of_every_count(hidden_seed, 10'007));
}

TEST(unpack_int4, EqualsTheReference) {
  unpacking.agrees_with(unpacking.reference, bytes_of_every_count(hidden_seed, 10'007));
}

TEST(to_excess8, EqualsTheReference) {
  excess.agrees_with(excess.reference, {{"1", {random_bytes(1, hidden_seed(1))}},
                                        {"33", {random_bytes(33, hidden_seed(33))}},
                                        {"5003", {random_bytes(5003, hidden_seed(5003))}}});
}

TEST(quantize_q4_0, EqualsTheReference) {
  const auto inputs = blocks_of<Quantizing4::Input>(hidden_seed, 256, 8);
  Expect::healthy(distinct(apart(kQ4, quantizing4.reference(inputs[2].in)).codes) == 16,
                  "a code is missing");
  quantizing4.agrees_with(quantizing4.reference, inputs, part_by_part(kQ4));
}

TEST(quantize_q8_0, EqualsTheReference) {
  const auto inputs = blocks_of<Quantizing8::Input>(hidden_seed, 256, 127);
  Expect::healthy(distinct(apart(kQ8, quantizing8.reference(inputs[2].in)).codes) > 200,
                  "few distinct codes");
  quantizing8.agrees_with(quantizing8.reference, inputs, part_by_part(kQ8));
}

TEST(matmul_int4, EqualsTheReference) {
  const auto inputs = every_shape(hidden_seed, {33, 31, 131});
  Expect::healthy(distinct(multiplying.reference(inputs.back().in)) > 100, "few different sums");
  multiplying.agrees_with(multiplying.reference, inputs, same_sums);
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
