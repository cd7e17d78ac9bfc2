// Lab 12: the checks.
#include "int4.hpp"

#include "checks/marks/12_int4.hpp"
#include "judge/exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/mix.hpp"
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

using Bytes = std::vector<std::uint8_t>;
using Codes = std::vector<std::int8_t>;
using Reals = std::vector<float>;
using Sums = std::vector<std::int32_t>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

template <class T>
T as(int value) {
  return static_cast<T>(value);
}

template <class From, class Change>
auto each_of(const From& list, const Change& change) {
  std::vector<decltype(change(list.front()))> all;
  for (const auto value : list) all.push_back(change(value));
  return all;
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
  expect.suspect("N-LAYOUT", "q4", each_of(right, exchanged));
  expect.suspect("N-SIGN", "q4", unmasked);
  expect.suspect("N-SIGN", "q4", added);
  expect.suspect("N-SIGN", "q4", each_of(right, [](int byte) { return byte ^ 0x88; }));
  for (const int pad : {-8, -1}) expect.suspect("N-TAIL", "q4", packed(q, pad));
  if (q.size() % 2 == 1) {
    expect.suspect("N-TAIL", "q4", packed(q, q.back()));
    expect.suspect("N-TAIL", "q4", packed({q.begin(), q.end() - 1}));
  }
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
  packing.gives({{"One", {Codes{5}}, {0x05}},
                 {"OneBelowZero", {Codes{-8}}, {0x08}},
                 {"Three", {Codes{-2, 1, -3}}, {0x1e, 0x0d}},
                 {"None", {Codes{}}, {}}});
  packing.agrees_with([](const auto& in) { return packed(std::get<0>(in)); },
                      codes_of_every_count(seed, 509));
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

/// The codes of count nibbles, the low one of a byte first, if `code` says what a nibble stands for.
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
  expect.suspect("N-LAYOUT", "q", unpacked(each_of(q4, exchanged), count, code_in));
  expect.suspect("N-SIGN", "q", unpacked(q4, count, [](int nibble) { return nibble; }));
  expect.suspect("N-SIGN", "q", unpacked(q4, count, [](int nibble) { return nibble - 8; }));
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
  unpacking.agrees_with(
      [](const auto& in) { return unpacked(std::get<0>(in), std::get<1>(in), code_in); },
      bytes_of_every_count(seed, 509));
}

TEST(unpack_int4, RefusesWrongSizes) {
  unpacking.refuses({{"Even", {{0x43}, 2}, {3, 4}}, {"Odd", {{0x43, 0x05}, 3}, {3, 4, 5}}},
                    {{"", {{0x11}, 3}},
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

Bytes in_excess(const Excess::Arguments& in) { return each_of(std::get<0>(in), byte_in_excess); }

void suspect_excess(Expect& expect, const Excess::Arguments& in, const Bytes& right) {
  const auto& [q4] = in;
  expect.suspect("N-OVERFLOW", "u4",
                 each_of(q4, [](int byte) { return as<std::uint8_t>(byte + 0x88); }));
  expect.suspect("N-LAYOUT", "u4", each_of(right, exchanged));
  expect.suspect("N-TAIL", "u4", each_of(q4, [](int byte) { return byte ^ 0x08; }));
  expect.suspect("N-TAIL", "u4", each_of(q4, [](int byte) { return byte ^ 0x80; }));
}

const Excess excess{{"q4"}, {"u4"}, suspect_excess};

TEST(to_excess8, EveryByte) {
  excess.gives({{"Zeros", {Bytes{0x00}}, {0x88}},
                {"Ends", {Bytes{0x78, 0x87}}, {0xf0, 0x0f}},
                {"MinusOneAndOne", {Bytes{0x1f}}, {0x97}},
                {"None", {Bytes{}}, {}},
                {"EveryByte", {every_byte()}, in_excess({every_byte()})}});
}

TEST(to_excess8, IsItsOwnWayBack) {
  excess.on_each({{"OneByte", {Bytes{0x4d}}}, {"EveryByte", {every_byte()}}},
                 [](Expect& expect, const auto& in) {
                   const Bytes once = excess(in);
                   expect.that(once != std::get<0>(in), "returned what it was given", "N-SIGN");
                   expect.equal("what it makes of its result", excess({once}), std::get<0>(in));
                 });
}

// --- Blocks -------------------------------------------------------------------------------------
//
// Where values were worked out by hand, scales are powers of two and stand in the first places;
// the rest of the block is 0.

using Values = std::span<const float>;

Reals block(Reals front) {
  front.resize(kBlockValues);
  return front;
}

template <class T>
std::vector<T> operator+(std::vector<T> a, const std::vector<T>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// give(block, list) for every block of x: all that it appends.
template <class T, class Give>
std::vector<T> of_each_block(const Reals& x, const Give& give) {
  if (x.size() % kBlockValues != 0) throw std::invalid_argument("no whole block");
  std::vector<T> all;
  for (std::size_t at = 0; at < x.size(); at += kBlockValues) {
    give(Values(x).subspan(at, kBlockValues), all);
  }
  return all;
}

/// The halves of what `d_of` gives for each block.
template <class D>
std::vector<std::uint16_t> halves(const Reals& x, const D& d_of) {
  return of_each_block<std::uint16_t>(
      x, [&](Values v, auto& all) { all.push_back(half_from_float(d_of(v))); });
}

/// code(value, d, inverse) of every value, where `d_of` gives the d of its block.
template <class D, class Code>
std::vector<int> codes(const Reals& x, const D& d_of, const Code& code) {
  return of_each_block<int>(x, [&](Values v, auto& all) {
    const float d = d_of(v), inverse = d == 0 || std::isinf(1 / d) ? 0 : 1 / d;
    for (const float value : v) all.push_back(as<int>(code(value, d, inverse)));
  });
}

float amax_of(Values v) { return max_abs(v); }
float extreme_of(Values v) {
  float extreme = 0;
  for (const float value : v) extreme = std::fabs(value) > std::fabs(extreme) ? value : extreme;
  return extreme;
}

/// The halves with which blocks of so many bytes begin.
std::vector<std::uint16_t> halves_in(const Bytes& blocks, std::size_t size) {
  std::vector<std::uint16_t> all;
  for (std::size_t at = 0; at < blocks.size(); at += size) {
    all.push_back(as<std::uint16_t>(blocks[at] + 256 * blocks[at + 1]));
  }
  return all;
}

/// A half, if its bytes were exchanged.
std::vector<std::uint16_t> high_byte_first(const std::vector<std::uint16_t>& all) {
  return each_of(all, [](int half) { return as<std::uint16_t>(half << 8 | half >> 8); });
}

/// All of x without the bytes of its scales.
Bytes without_scales(const Bytes& blocks, std::size_t size) {
  Bytes all;
  for (std::size_t at = 0; at < blocks.size(); at += size) {
    all.insert(all.end(), blocks.begin() + long(at) + 2, blocks.begin() + long(at + size));
  }
  return all;
}

float stored(float d) { return float_from_half(half_from_float(d)); }

/// Blocks with values as near to half a step of `steps` as a float can be, on either side, in
/// blocks of any scale. Random weights have no such values; those with few digits have.
Reals near_ties(std::size_t blocks, std::uint64_t from, int steps) {
  const Reals amax = uniform_tensor(blocks, from, 0.5f, 1.0f);
  const auto halves_of =
      code_tensor<std::int16_t>(blocks * kBlockValues, mix(from, 1), 1, steps - 1);
  const auto off = code_tensor<std::int8_t>(blocks * kBlockValues, mix(from, 2), -1, 1);
  Reals x;
  for (std::size_t i = 0; i < blocks * kBlockValues; ++i) {
    const float most = amax[i / kBlockValues];
    const float tie =
        most * static_cast<float>(2 * halves_of[i] - 1) / static_cast<float>(2 * steps);
    const float moved = std::nextafter(tie, off[i] == 0 ? tie : off[i] * kInfinity);
    x.push_back(i % kBlockValues == 3 ? most : i % 2 == 0 ? moved : -moved);
  }
  return x;
}

/// Blocks of weights and of near ties, and a block of zeros between others.
template <class Input>
std::vector<Input> blocks_of(Seed seed_of, std::size_t most, int steps) {
  return {{"OneBlock", {normal_tensor(kBlockValues, seed_of(1), 0.02f)}},
          {"ThreeBlocks",
           {normal_tensor(kBlockValues, seed_of(2)) + block({}) +
            normal_tensor(kBlockValues, seed_of(3), 300.0f)}},
          {"Weights", {normal_tensor(most * kBlockValues, seed_of(4), 0.02f)}},
          {"NearTies", {near_ties(most, seed_of(5), steps)}}};
}

/// Zeros are all the same; of tiny values the half is 0, and the codes are not.
template <auto F>
std::vector<typename Exercise<F>::Refused> without_a_scale(float too_large) {
  const auto second = [](float value) { return block({1, -2}) + block({0, 0, value, 1}); };
  return {{"N-SIZE", {Reals(31, 1.0f)}},
          {"N-SIZE", {Reals(33, 1.0f)}},
          {"N-SIZE", {Reals{-8}}},
          {"N-NAN", {block({kNan, 1})}},
          {"N-NAN", {block({1, kNan})}},
          {"N-NAN", {second(kNan)}},
          {"N-NAN", {block({kInfinity})}},
          {"N-NAN", {second(-kInfinity)}},
          {"N-OVERFLOW", {block({too_large})}},
          {"N-OVERFLOW", {second(-too_large)}},
          {"N-OVERFLOW", {block({-FLT_MAX})}}};
}

// --- quantize_q4_0 ------------------------------------------------------------------------------

using Quantizing4 = Exercise<&quantize_q4_0>;

float d_of_q4(Values v) { return extreme_of(v) / -8; }

int u_by_definition(float value, float, float inverse) {
  return std::min(15, static_cast<int>(value * inverse + 8.5f));
}

/// Blocks with these halves and nibbles, 32 to a block.
Bytes q4_blocks(const std::vector<std::uint16_t>& scales, const std::vector<int>& u) {
  Bytes bytes;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    bytes.push_back(as<std::uint8_t>(scales[i] % 256));
    bytes.push_back(as<std::uint8_t>(scales[i] / 256));
    for (std::size_t j = 32 * i; j < 32 * i + 16; ++j) {
      bytes.push_back(as<std::uint8_t>(u[j] + 16 * u[j + 16]));
    }
  }
  return bytes;
}

/// One block: u of the first values; the others are 0, whose u is 8.
Bytes q4_block(std::uint16_t half, std::vector<int> u) {
  u.resize(32, 8);
  return q4_blocks({half}, u);
}

Bytes q4_by_definition(const Quantizing4::Arguments& in) {
  const auto& [x] = in;
  return q4_blocks(halves(x, d_of_q4), codes(x, d_of_q4, u_by_definition));
}

std::vector<int> u_in(const Bytes& blocks) {
  std::vector<int> u;
  for (std::size_t at = 0; at < blocks.size(); at += kQ4Bytes) {
    for (std::size_t j = 0; j < 16; ++j) u.push_back(blocks[at + 2 + j] % 16);
    for (std::size_t j = 0; j < 16; ++j) u.push_back(blocks[at + 2 + j] / 16);
  }
  return u;
}

/// The nibbles u, moved within their block: j becomes from(j).
template <class From>
std::vector<int> moved(const std::vector<int>& u, const From& from) {
  std::vector<int> all;
  for (std::size_t i = 0; i < u.size(); ++i) all.push_back(u[i / 32 * 32 + from(i % 32)]);
  return all;
}

void suspect_q4(Expect& expect, const Quantizing4::Arguments& in, const Bytes& right) {
  const auto& [x] = in;
  const auto d_looks = [&, &x = x](const char* code, const auto& d_of) {
    expect.suspect(code, "half of d", halves(x, d_of));
  };
  d_looks("N-RANGE", [](Values v) { return extreme_of(v) / 8; });
  d_looks("N-RANGE", [](Values v) { return amax_of(v) / 8; });
  d_looks("N-RANGE", [](Values v) { return amax_of(v) / -8; });
  d_looks("N-RANGE", [](Values v) { return amax_of(v) / 7; });
  d_looks("N-RANGE", [](Values v) { return extreme_of(v) / -7; });
  d_looks("N-RANGE", [](Values v) { return *std::ranges::max_element(v) / -8; });
  d_looks("N-SCALE", [](Values v) { return -8 / extreme_of(v); });
  expect.suspect("N-LAYOUT", "half of d", high_byte_first(halves(x, d_of_q4)));

  const std::vector<int> u = u_in(right);
  const auto u_looks = [&, &x = x](const char* code, const auto& u_of) {
    expect.suspect(code, "u", codes(x, d_of_q4, u_of));
  };
  const auto rounded = [](float (*round)(float)) {
    return [round](float value, float, float inverse) {
      return std::clamp(round(value * inverse) + 8, 0.0f, 15.0f);
    };
  };
  u_looks("N-TRUNC", rounded([](float steps) { return std::trunc(steps); }));
  u_looks("N-TRUNC", rounded([](float steps) { return std::floor(steps); }));
  u_looks("N-ROUND", rounded([](float steps) { return std::nearbyint(steps); }));
  u_looks("N-ROUND", rounded([](float steps) { return std::round(steps); }));
  u_looks("N-ROUND", rounded([](float steps) { return std::ceil(steps - 0.5f); }));
  u_looks("N-CLAMP", [](float value, float, float inverse) {
    return static_cast<int>(value * inverse + 8.5f) % 16;
  });
  u_looks("N-RANGE", [](float value, float, float inverse) {
    return std::clamp(static_cast<int>(value * inverse + 8.5f), 1, 15);
  });
  u_looks("N-SCALE", [](float value, float d, float) {
    return stored(d) == 0 ? 8 : u_by_definition(value, d, 1 / stored(d));
  });
  expect.suspect("N-SIGN", "u", each_of(u, [](int nibble) { return nibble ^ 8; }));
  expect.suspect("N-LAYOUT", "u", moved(u, [](std::size_t j) { return (j + 16) % 32; }));
  expect.suspect("N-LAYOUT", "u", moved(u, [](std::size_t j) { return j % 16 * 2 + j / 16; }));
  expect.suspect("N-LAYOUT", "u", moved(u, [](std::size_t j) { return j % 16 * 2 + 1 - j / 16; }));
  expect.suspect("N-OVERHEAD", "blocks", without_scales(right, kQ4Bytes));
}

const Quantizing4 quantizing4{{"x"}, {"blocks"}, suspect_q4};

/// Part by part, as a person reads a block.
void same_q4(Expect& expect, const Quantizing4::Arguments&, const Bytes& got, const Bytes& want) {
  if (got.size() != want.size()) {
    expect.equal("blocks", got, want);
    return;
  }
  expect.equal("half of d", halves_in(got, kQ4Bytes), halves_in(want, kQ4Bytes));
  expect.equal("u", u_in(got), u_in(want), {want.size() / kQ4Bytes, kBlockValues});
}

constexpr std::uint16_t kOne = 0x3c00, kMinusOne = 0xbc00, kHalf = 0x3800;

TEST(quantize_q4_0, FollowsTheFormula) {
  quantizing4.gives(
      {{"WholeSteps", {block({-8, 7, 1, -1, 0, 3, -5})}, q4_block(kOne, {0, 15, 9, 7, 8, 11, 3})},
       {"HalfSteps", {block({1, -4, 2, -0.5f})}, q4_block(kHalf, {10, 0, 12, 7})},
       {"UpAndDown",
        {block({-8, 2.75f, 2.25f, -2.75f, -2.25f})},
        q4_block(kOne, {0, 11, 10, 5, 6})},
       {"Empty", {Reals{}}, {}},
       {"TwoBlocks",
        {block({-8, 3}) + block({-4, 3})},
        q4_blocks({kOne, kHalf}, u_in(q4_block(0, {0, 11}) + q4_block(0, {0, 14})))}},
      same_q4);
  quantizing4.agrees_with(q4_by_definition,
                          {{"OneBlock", {normal_tensor(kBlockValues, seed(1), 0.02f)}}}, same_q4);
}

TEST(quantize_q4_0, TheExtremeIsMinusEight) {
  quantizing4.gives(
      {{"AboveZero", {block({8, 1, -2})}, q4_block(kMinusOne, {0, 7, 10})},
       {"BelowZero", {block({3, -8, 7, -7})}, q4_block(kOne, {11, 0, 15, 1})},
       {"ItsOpposite", {block({-8, 8, 7.75f, 1})}, q4_block(kOne, {0, 15, 15, 9})},
       {"TheFirstOfEqualOnes", {block({8, -8, -7.75f, 1})}, q4_block(kMinusOne, {0, 15, 15, 7})},
       {"AtTheEnd",
        {Reals(31, 2.0f) + Reals{-8}},
        q4_blocks({kOne}, std::vector<int>(31, 10) + std::vector<int>{0})}},
      same_q4);
}

// Every u has a value of its own in the first half of the block, and in the second, in another
// order. The bytes of the half differ: 2e 67.
TEST(quantize_q4_0, BytesInTheirPlaces) {
  const float d = float_from_half(0x2e67);
  Reals x;
  std::vector<int> u;
  for (int j = 0; j < 32; ++j) {
    u.push_back(j < 16 ? j : (7 * j + 3) % 16);
    x.push_back(d * static_cast<float>(u.back() - 8));
  }
  quantizing4.gives({{"EveryCodeTwice", {x}, q4_blocks({0x2e67}, u)}}, same_q4);
}

TEST(quantize_q4_0, TiesGoUp) {
  quantizing4.gives(
      {{"AboveZero", {block({-8, 0.5f, 1.5f, 2.5f, 6.5f})}, q4_block(kOne, {0, 9, 10, 11, 15})},
       {"BelowZero", {block({-8, -0.5f, -1.5f, -2.5f, -7.5f})}, q4_block(kOne, {0, 8, 7, 6, 1})},
       {"WithANegativeScale",
        {block({8, 0.5f, 1.5f, -0.5f, -1.5f})},
        q4_block(kMinusOne, {0, 8, 7, 9, 10})},
       {"HalfSteps", {block({-4, 0.25f, -0.75f, 1.75f})}, q4_block(kHalf, {0, 9, 7, 12})}},
      same_q4);
}

// Here v * inverse lies just beside the tie on which v / d lies; and the sum with 8.5 has no room
// for the last bits of the float below -0.5.
TEST(quantize_q4_0, OneByOneInFloat32) {
  const auto half_of = [](float extreme) { return half_from_float(extreme / -8); };
  quantizing4.gives({{"Product", {block({29.75f, 20.453125f})}, q4_block(half_of(29.75f), {0, 2})},
                     {"LargeProduct", {block({7.5f, 7.03125f})}, q4_block(half_of(7.5f), {0, 0})},
                     {"Sum", {block({-8, std::nextafter(-0.5f, -1.0f)})}, q4_block(kOne, {0, 8})}},
                    same_q4);
  quantizing4.agrees_with(q4_by_definition, blocks_of<Quantizing4::Input>(seed, 64, 8), same_q4);
}

TEST(quantize_q4_0, ZerosAndTinyValues) {
  quantizing4.gives(
      {{"Zeros", {block({})}, q4_block(0x8000, {})},
       {"MinusZeros", {Reals(32, -0.0f)}, q4_block(0x8000, {})},
       {"SubnormalHalf", {block({-0x1p-17f, 0x1p-19f, 0x1p-20f})}, q4_block(0x0010, {0, 10, 9})},
       {"HalfIsZero", {block({-0x1p-27f, 0x1p-29f, -0x1p-30f})}, q4_block(0x0000, {0, 10, 7})},
       {"LastFiniteInverse",
        {block({-0x1p-124f, 0x1p-126f, 0x1p-127f})},
        q4_block(0x0000, {0, 10, 9})},
       {"InfiniteInverse", {block({0x1p-125f, -0x1p-126f})}, q4_block(0x8000, {})},
       {"Subnormal", {block({FLT_TRUE_MIN})}, q4_block(0x8000, {})}},
      same_q4);
}

// The last extremes whose half is finite, beside each other.
TEST(quantize_q4_0, RefusesWhatHasNoScale) {
  const float last = std::nextafter(524160.0f, 0.0f);
  quantizing4.refuses({{"LastScale", {block({-last, last})}, q4_block(0x7bff, {0, 15})},
                       {"LastNegativeScale", {block({last})}, q4_block(0xfbff, {0})}},
                      without_a_scale<&quantize_q4_0>(524160.0f));
}

// --- quantize_q8_0 ------------------------------------------------------------------------------

using Quantizing8 = Exercise<&quantize_q8_0>;

float d_of_q8(Values v) { return amax_of(v) / 127; }

Bytes q8_blocks(const std::vector<std::uint16_t>& scales, const std::vector<int>& q) {
  Bytes bytes;
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (i % 32 == 0) bytes.push_back(as<std::uint8_t>(scales[i / 32] % 256));
    if (i % 32 == 0) bytes.push_back(as<std::uint8_t>(scales[i / 32] / 256));
    bytes.push_back(as<std::uint8_t>(q[i]));
  }
  return bytes;
}

Bytes q8_block(std::uint16_t half, std::vector<int> q) {
  q.resize(32);
  return q8_blocks({half}, q);
}

float away(float steps) { return std::round(steps); }

Bytes q8_by_definition(const Quantizing8::Arguments& in) {
  const auto& [x] = in;
  return q8_blocks(halves(x, d_of_q8), codes(x, d_of_q8, [](float value, float, float inverse) {
                     return away(value * inverse);
                   }));
}

std::vector<int> q_in(const Bytes& blocks) {
  return each_of(without_scales(blocks, kQ8Bytes),
                 [](std::uint8_t byte) { return int{static_cast<std::int8_t>(byte)}; });
}

void suspect_q8(Expect& expect, const Quantizing8::Arguments& in, const Bytes& right) {
  const auto& [x] = in;
  const auto d_looks = [&, &x = x](const char* code, const auto& d_of) {
    expect.suspect(code, "half of d", halves(x, d_of));
  };
  d_looks("N-RANGE", [](Values v) { return amax_of(v) / 128; });
  d_looks("N-RANGE", [](Values v) { return extreme_of(v) / -128; });
  d_looks("N-RANGE", [](Values v) { return extreme_of(v) / 127; });
  d_looks("N-RANGE", [](Values v) { return *std::ranges::max_element(v) / 127; });
  d_looks("N-SCALE", [](Values v) { return 127 / amax_of(v); });
  expect.suspect("N-LAYOUT", "half of d", high_byte_first(halves(x, d_of_q8)));

  const std::vector<int> q = q_in(right);
  const auto q_looks = [&, &x = x](const char* code, float (*round)(float)) {
    expect.suspect(code, "q", codes(x, d_of_q8, [round](float value, float, float inverse) {
                     return round(value * inverse);
                   }));
  };
  q_looks("N-TRUNC", [](float steps) { return std::trunc(steps); });
  q_looks("N-TRUNC", [](float steps) { return std::floor(steps); });
  q_looks("N-ROUND", [](float steps) { return std::nearbyint(steps); });
  q_looks("N-ROUND", [](float steps) { return std::floor(steps + 0.5f); });
  expect.suspect(
      "N-SCALE", "q", codes(x, d_of_q8, [](float value, float d, float) {
        return stored(d) == 0 ? 0 : std::clamp(away(value * (1 / stored(d))), -128.0f, 127.0f);
      }));
  expect.suspect("N-SIGN", "q",
                 each_of(q, [](int code) { return int{as<std::int8_t>(code + 128)}; }));
  expect.suspect("N-SIGN", "q", each_of(q, [](int code) { return std::abs(code); }));
  expect.suspect("N-LAYOUT", "q", moved(q, [](std::size_t j) { return j % 2 * 16 + j / 2; }));
  expect.suspect("N-OVERHEAD", "blocks", without_scales(right, kQ8Bytes));
}

const Quantizing8 quantizing8{{"x"}, {"blocks"}, suspect_q8};

void same_q8(Expect& expect, const Quantizing8::Arguments&, const Bytes& got, const Bytes& want) {
  if (got.size() != want.size()) {
    expect.equal("blocks", got, want);
    return;
  }
  expect.equal("half of d", halves_in(got, kQ8Bytes), halves_in(want, kQ8Bytes));
  expect.equal("q", q_in(got), q_in(want), {want.size() / kQ8Bytes, kBlockValues});
}

// In the last, every place has a code of its own, and the bytes of the half differ.
TEST(quantize_q8_0, FollowsTheFormula) {
  const float d = float_from_half(0x2e67);
  Reals x;
  std::vector<int> q;
  for (int j = 0; j < 32; ++j) {
    q.push_back(j == 0 ? -127 : 7 * j - 100);
    x.push_back(d * static_cast<float>(q.back()));
  }
  quantizing8.gives({{"WholeSteps",
                      {block({127, -127, 1, -1, 0, 64, -63})},
                      q8_block(kOne, {127, -127, 1, -1, 0, 64, -63})},
                     {"BelowZero", {block({1, -63.5f, 31})}, q8_block(kHalf, {2, -127, 62})},
                     {"UpAndDown",
                      {block({127, 2.75f, 2.25f, -2.75f, -2.25f})},
                      q8_block(kOne, {127, 3, 2, -3, -2})},
                     {"Empty", {Reals{}}, {}},
                     {"TwoBlocks",
                      {block({127, 3}) + block({63.5f, 3})},
                      q8_block(kOne, {127, 3}) + q8_block(kHalf, {127, 6})},
                     {"EveryPlace", {x}, q8_blocks({0x2e67}, q)}},
                    same_q8);
  quantizing8.agrees_with(q8_by_definition,
                          {{"OneBlock", {normal_tensor(kBlockValues, seed(1), 0.02f)}}}, same_q8);
}

TEST(quantize_q8_0, TiesGoAwayFromZero) {
  quantizing8.gives(
      {{"AboveZero", {block({127, 0.5f, 1.5f, 2.5f, 126.5f})}, q8_block(kOne, {127, 1, 2, 3, 127})},
       {"BelowZero",
        {block({127, -0.5f, -1.5f, -2.5f, -126.5f})},
        q8_block(kOne, {127, -1, -2, -3, -127})},
       {"HalfSteps", {block({-63.5f, 0.25f, -0.75f, 1.25f})}, q8_block(kHalf, {-127, 1, -2, 3})}},
      same_q8);
}

// Half of the largest magnitude is 63.5 steps, and no tie: d and its inverse are rounded. In the
// first, v / d gives 64; in the second 63; in the third 127 / amax gives 64.
TEST(quantize_q8_0, OneByOneInFloat32) {
  const auto row = [](const char* name, float amax, int q) {
    return Quantizing8::Row{
        name, {block({amax, amax / 2})}, q8_block(half_from_float(amax / 127), {127, q})};
  };
  quantizing8.gives({row("Product", 52.4375f, 63), row("ProductAbove", 32.90625f, 64),
                     row("TwoDivisions", 4.53125f, 63)},
                    same_q8);
  quantizing8.agrees_with(q8_by_definition, blocks_of<Quantizing8::Input>(seed, 64, 127), same_q8);
}

TEST(quantize_q8_0, ZerosAndTinyValues) {
  quantizing8.gives(
      {{"Zeros", {block({})}, Bytes(34)},
       {"MinusZeros", {Reals(32, -0.0f)}, Bytes(34)},
       {"SubnormalHalf", {block({127 * 0x1p-20f, -0x1p-19f})}, q8_block(0x0010, {127, -2})},
       {"HalfIsZero", {block({-127 * 0x1p-30f, 0x1p-29f})}, q8_block(0, {-127, 2})},
       {"LastFiniteInverse", {block({127 * 0x1p-127f, 0x1p-126f})}, q8_block(0, {127, 2})},
       {"InfiniteInverse", {block({127 * 0x1p-128f, 0x1p-127f})}, Bytes(34)},
       {"Subnormal", {block({FLT_TRUE_MIN})}, Bytes(34)}},
      same_q8);
}

TEST(quantize_q8_0, RefusesWhatHasNoScale) {
  const float last = std::nextafter(8321040.0f, 0.0f);
  quantizing8.refuses({{"LastScale", {block({-last, last})}, q8_block(0x7bff, {-127, 127})}},
                      without_a_scale<&quantize_q8_0>(8321040.0f));
}

// --- matmul_int4 --------------------------------------------------------------------------------

using Multiplying = Exercise<&matmul_int4>;
using Product = Multiplying::Arguments;

constexpr auto kTransposed = Int4Layout::kTransposed, kPairs = Int4Layout::kPairs;

std::size_t bytes_for(int k) { return (static_cast<std::size_t>(k) + 1) / 2; }

/// The nibble of a[i,p] or b[p,j]; 0 beyond the operand, where only a mistake looks.
int nibble_of(const Bytes& bytes, std::size_t byte, std::size_t p) {
  if (byte >= bytes.size()) return 0;
  return p % 2 == 0 ? bytes[byte] % 16 : bytes[byte] / 16;
}

/// c, with k and `layout` as given, if `code` says what a nibble stands for.
template <class Sum = std::int32_t, class Code>
Sums product(const Product& in, int k, Int4Layout layout, const Code& code) {
  const auto& [a4, b4, its_layout, shape] = in;
  const std::size_t m = as<std::size_t>(shape.m), n = as<std::size_t>(shape.n);
  const std::size_t pitch = bytes_for(shape.k);
  if (a4.size() != m * pitch || b4.size() != n * pitch)
    throw std::invalid_argument("no such sizes");
  Sums c;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      Sum sum = 0;
      for (std::size_t p = 0; p < as<std::size_t>(k); ++p) {
        const std::size_t b_byte = layout == kPairs ? p / 2 * n + j : j * pitch + p / 2;
        sum = static_cast<Sum>(sum + code(nibble_of(a4, i * pitch + p / 2, p)) *
                                         code(nibble_of(b4, b_byte, p)));
      }
      c.push_back(static_cast<std::int32_t>(sum));
    }
  }
  return c;
}

Sums by_definition(const Product& in) {
  return product(in, std::get<3>(in).k, std::get<2>(in), code_in);
}

/// b4 as if two columns shared a byte, [k, (n+1)/2]: the wrong axis.
Sums packed_along_n(const Product& in) {
  const auto& [a4, b4, layout, shape] = in;
  const std::size_t n = as<std::size_t>(shape.n), k = as<std::size_t>(shape.k);
  const std::size_t pitch = bytes_for(shape.k);
  Sums c;
  for (std::size_t i = 0; i < as<std::size_t>(shape.m); ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      int sum = 0;
      for (std::size_t p = 0; p < k; ++p) {
        sum += code_in(nibble_of(a4, i * pitch + p / 2, p)) *
               code_in(nibble_of(b4, p * ((n + 1) / 2) + j / 2, j));
      }
      c.push_back(sum);
    }
  }
  return c;
}

void suspect_sums(Expect& expect, const Product& in, const Sums& right) {
  const auto& [a4, b4, layout, shape] = in;
  const int k = shape.k;
  const auto unsigned_nibble = [](int nibble) { return nibble; };
  expect.suspect("N-SIGN", "c", product(in, k, layout, unsigned_nibble));
  expect.suspect("N-SIGN", "c", product(in, k, layout, [](int nibble) { return nibble - 8; }));
  expect.suspect("N-TRANS", "c", product(in, k, layout == kPairs ? kTransposed : kPairs, code_in));
  expect.suspect("N-LAYOUT", "c", packed_along_n(in));
  for (const bool both : {false, true}) {  // the other nibble first, in b or in both
    Product other = in;
    std::get<1>(other) = each_of(b4, exchanged);
    if (both) std::get<0>(other) = each_of(a4, exchanged);
    expect.suspect("N-LAYOUT", "c", product(other, k, layout, code_in));
  }
  if (k % 2 == 1) {
    expect.suspect("N-TAIL", "c", product(in, k + 1, layout, code_in));
    expect.suspect("N-TAIL", "c", product(in, k - 1, layout, code_in));
  }
  expect.suspect("N-OVERFLOW", "c", each_of(right, [](int sum) { return as<std::int16_t>(sum); }));
  expect.suspect("N-OVERFLOW", "c", each_of(right, [](int sum) { return as<std::int8_t>(sum); }));
  expect.suspect("N-FLOAT32", "c", product<float>(in, k, layout, code_in));
}

const Multiplying multiplying{{"a4", "b4", "layout", "m", "n", "k"}, {"c"}, suspect_sums};

void same_sums(Expect& expect, const Product& in, const Sums& got, const Sums& want) {
  const auto& shape = std::get<3>(in);
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
      {{"OneProduct", {{0x03}, {0x05}, kTransposed, {1, 1, 1}}, {15}},
       {"BelowZero", {{0x0f}, {0x08}, kTransposed, {1, 1, 1}}, {8}},
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
                     {"OddK", {{0x21, 0x83}, {0x11, 0x81}, kTransposed, {1, 1, 3}}, {6}},
                     {"OddKInPairs", {{0x21, 0x83}, {0x11, 0x81}, kPairs, {1, 1, 3}}, {6}}},
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
                       {"N-RANGE", {Bytes{}, Bytes{}, kTransposed, {-1, 0, 0}}},
                       {"N-RANGE", {Bytes{}, Bytes{}, kTransposed, {0, -1, 0}}},
                       {"N-RANGE", {Bytes{}, Bytes{}, kTransposed, {0, 0, -1}}},
                       {"N-OVERFLOW", {Bytes{}, Bytes{}, kTransposed, {65536, 0, 131072}}},
                       {"N-OVERFLOW", {Bytes{}, Bytes{}, kTransposed, {0, 65536, 131072}}},
                       {"N-OVERFLOW", {Bytes{}, Bytes{}, kPairs, {0, 0, 33'554'432}}},
                       {"N-RANGE", {{0x03}, {0x05}, no_layout, {1, 1, 1}}},
                       {"N-RANGE", {{0x03}, {0x05}, static_cast<Int4Layout>(-1), {1, 1, 1}}}});
}

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
  Expect::healthy(distinct(u_in(quantizing4.reference(inputs[2].in))) == 16, "a code is missing");
  quantizing4.agrees_with(quantizing4.reference, inputs, same_q4);
}

TEST(quantize_q8_0, EqualsTheReference) {
  const auto inputs = blocks_of<Quantizing8::Input>(hidden_seed, 256, 127);
  Expect::healthy(distinct(q_in(quantizing8.reference(inputs[2].in))) > 200, "few distinct codes");
  quantizing8.agrees_with(quantizing8.reference, inputs, same_q8);
}

TEST(matmul_int4, EqualsTheReference) {
  const auto inputs = every_shape(hidden_seed, {33, 31, 131});
  Expect::healthy(distinct(multiplying.reference(inputs.back().in)) > 100, "few different sums");
  multiplying.agrees_with(multiplying.reference, inputs, same_sums);
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
