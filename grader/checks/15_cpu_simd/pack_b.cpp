// Lab 15, pack_b: the checks.
#include "checks/15_cpu_simd/pack_b.hpp"

#include "judge/exercise.hpp"

namespace nibble::judge::lab_15_cpu_simd {
namespace {

/// n columns of k codes, all different from their neighbours and from 0.
Named<CodeRows> numbered(int n, int k) {
  Codes codes;
  for (int at = 0; at < n * k; ++at) codes.push_back(static_cast<std::int8_t>(at % 127 + 1));
  return code_rows(n, k, codes);
}

/// Sizes are in panels: 3 stands for three panels of this isa.
std::vector<Packable> whole_panels(const std::vector<std::pair<int, int>>& sizes) {
  std::vector<Packable> all;
  for (const Isa isa : isas_to_check()) {
    for (const auto& [n, k] : sizes) all.emplace_back(isa, numbered(n * panel_width(isa), k));
  }
  return all;
}

TEST(pack_b, QuadsOfOnePanel) { panels.is_right(whole_panels({{1, 4}, {1, 8}, {1, 20}})); }

TEST(pack_b, PanelAfterPanel) { panels.is_right(whole_panels({{2, 4}, {2, 12}, {3, 8}})); }

/// Columns of rising sums, of both signs, beyond an int16.
TEST(pack_b, SumsOfColumns) {
  Codes rising;
  for (int j = 0; j < 20; ++j) {
    rising.insert(rising.end(), 1027, static_cast<std::int8_t>(j * 13 - 128));
  }
  column_sums.is_right(whole_panels({{1, 4}}));
  column_sums.is_right({code_rows(20, 1027, rising)});
}

// One column too many for a panel, one too few; every rest of a quad; nothing at all.
TEST(pack_b, PadsWithZeros) {
  std::vector<Packable> all;
  for (const Isa isa : isas_to_check()) {
    const int w = panel_width(isa);
    const std::vector<std::pair<int, int>> sizes = {{1, 1},         {w, 1}, {w - 1, 4}, {w + 1, 2},
                                                    {2 * w - 1, 7}, {3, 0}, {0, 3},     {0, 0}};
    for (const auto& [n, k] : sizes) all.emplace_back(isa, numbered(n, k));
  }
  panels.is_right(all);
  column_sums.is_right(all);
}

TEST(pack_b, RefusesWhatItMust) {
  const MatmulShape shape{0, 3, 5}, longer{1, 1, kLongestK + 1};
  refuses_on_every_isa(panels, numbered(3, 5), [&](Isa isa) -> decltype(panels)::Refusals {
    const std::size_t size = packed_size(isa, shape), long_size = packed_size(isa, longer);
    return {{"N-SIZE", "16 codes for 3x5", {isa, Codes(16), out(size), shape}},
            {"N-SIZE", "64 packed bytes too many", {isa, Codes(15), out(size + 64), shape}},
            {"N-SIZE", "n = -1", {isa, {}, out(0), {1, -1, 0}}},
            {"N-SIZE", "k = -1", {isa, {}, out(0), {1, 0, -1}}},
            {"N-OVERFLOW", "k = 131072", {isa, Codes(kLongestK + 1), out(long_size), longer}}};
  });
}

}  // namespace
}  // namespace nibble::judge::lab_15_cpu_simd
