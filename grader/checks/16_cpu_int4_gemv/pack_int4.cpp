// Lab 16, pack_int4: the checks.
#include "checks/16_cpu_int4_gemv/pack_int4.hpp"

#include "checks/16_cpu_int4_gemv/packed_mistakes.hpp"

namespace nibble::judge::lab_16_cpu_int4_gemv {
namespace {

void look_at_scales(Expect& expect, const Named<Weights>& c, const Bytes& got, const Bytes& right) {
  const int n = c.shape.n;
  suspect_scales(expect, c, right);
  expect.equal("scales", parts_of(c, got, 0, n).scales, parts_of(c, right, 0, n).scales,
               {std::size_t(n), c.groups()});
}

void look_at_missing_rows(Expect& expect, const Named<Weights>& c, const Bytes& got,
                          const Bytes& right) {
  const int n = c.shape.n, end = (n + 15) / 16 * 16;
  const Parts parts = parts_of(c, got, n, end), want = parts_of(c, right, n, end);
  expect.equal("scales of missing rows", parts.scales, want.scales);
  expect.equal("nibbles of missing rows", parts.nibbles, want.nibbles);
  expect.recall("a row that is missing has the code 0, which is the nibble 8, and the scale 0");
}

/// A single code of 1 among zeros, and the byte where it has to be, worked out by hand.
Named<Weights> needle(Int4Shape shape, int j, int p, std::size_t byte, int value) {
  Weights c{shape, Codes(count_of(shape.n, shape.k), 0), {}};
  c.scales.assign(std::size_t(shape.n) * c.groups(), 1.0f);
  c.w[count_of(j, shape.k) + std::size_t(p)] = 1;
  Expect::healthy(packed_by_definition(c)[byte] == value, "the oracle is wrong");
  return {"Byte" + std::to_string(byte) + "of" + shape_text(shape), c};
}

TEST(pack_int4, CodesInTheirPlaces) {
  packed_codes.is_right(
      {needle({1, 32, 32}, 0, 0, 64, 0x89), needle({1, 32, 32}, 0, 1, 65, 0x89),
       needle({1, 32, 32}, 0, 3, 67, 0x89), needle({1, 32, 32}, 0, 4, 64, 0x98),  // high nibbles
       needle({1, 32, 32}, 0, 7, 67, 0x98),
       needle({1, 32, 32}, 0, 8, 128, 0x89),  // the second line, the last
       needle({1, 32, 32}, 0, 31, 259, 0x98),
       needle({2, 32, 32}, 1, 0, 68, 0x89),  // the second row, the last
       needle({16, 32, 32}, 15, 5, 125, 0x98),
       needle({1, 64, 32}, 0, 32, 384, 0x89),  // groups and panels
       needle({1, 64, 64}, 0, 32, 320, 0x89), needle({17, 32, 32}, 16, 0, 384, 0x89),
       needle({17, 64, 32}, 16, 0, 704, 0x89), needle({17, 64, 32}, 16, 33, 1025, 0x89)});
}

// All sixteen codes, in low and high nibbles, then whole panels at random.
TEST(pack_int4, NibblesAreExcessEight) {
  Codes each;
  for (int p = 0; p < 32; ++p) each.push_back(static_cast<std::int8_t>(p < 16 ? p - 8 : 23 - p));
  packed_codes.is_right({{"EachCode", {{1, 32, 32}, each, {1.0f}}}});
  packed_codes.is_right(
      random_weights({{16, 64, 64}, {32, 64, 32}, {5, 192, 96}, {33, 128, 32}}, seed));
}

// Powers of two, then any: one panel, two, and more groups than one.
TEST(pack_int4, ScalesLeadTheirGroup) {
  const auto packed_scales = packing(look_at_scales);
  packed_scales.is_right({{"OneRow", {{1, 32, 32}, Codes(32, 1), {0.5f}}},
                          {"TwoRows", {{2, 32, 32}, Codes(64, 1), {0.5f, 2}}},
                          {"TwoGroups", {{1, 64, 32}, Codes(64, 1), {0.5f, 2}}},
                          {"Both", {{2, 64, 32}, Codes(128, 1), {1, 2, 4, 8}}}});
  packed_scales.is_right(random_weights({{16, 128, 64}, {17, 96, 32}, {40, 256, 64}}, seed));
}

// One row in the last panel, and all but one.
TEST(pack_int4, FillsTheLastPanel) {
  packing(look_at_missing_rows)
      .is_right(random_weights({{1, 32, 32}, {15, 64, 32}, {17, 32, 32}, {31, 128, 64}}, seed));
}

TEST(pack_int4, RefusesBadInput) {
  decltype(packed_codes)::Refusals rows;
  for (const Bad& bad : bad_calls({{.what = "a byte of codes too few", .more_codes = -1},
                                   {.what = "a byte of codes too many", .more_codes = 1},
                                   {.what = "a scale too few", .more_scales = -1},
                                   {.what = "a scale too many", .more_scales = 1}})) {
    const int group = std::abs(bad.shape.group_size);
    const std::size_t groups = group == 0 ? 1 : bad.k() / std::size_t(group);
    Reals scales(bad.n() * groups + std::size_t(bad.more_scales), 1.0f);
    if (!scales.empty()) scales.back() = bad.scale;
    const Bytes q4(bad.n() * bad.k() / 2 + std::size_t(bad.more_codes));
    rows.push_back({bad.code(), bad.text(), {q4, scales, out(bad.packed()), bad.shape}});
  }
  packed_codes.refuses(random_weights({{2, 64, 32}}, seed), rows);
}

}  // namespace
}  // namespace nibble::judge::lab_16_cpu_int4_gemv
