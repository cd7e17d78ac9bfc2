// Lab 33, rotate_rows: the checks.
#include "checks/33_smoothquant_awq/rotate_rows.hpp"

namespace nibble::judge::lab_33_smoothquant_awq {
namespace {

TEST(rotate_rows, SignsThenTransform) {
  rotating.gives({{"Two", {{3, 1}, {-1, 1}}, {-std::sqrt(2), -std::sqrt(8)}},
                  {"Rows",
                   {{8, 0, 0, 0, 0, 8, 0, 0, 1, 2, 3, 6}, {-1, 1, 1, 1}},
                   {-4, -4, -4, -4, 4, -4, 4, -4, 5, -3, -4, 0},
                   "each row is transformed by itself"},
                  {"One", {{5, 7}, {-1}}, {-5, -7}, "1 is a power of two"}},
                 kSameRows);
}

TEST(rotate_rows, KeepsProducts) {
  std::vector<Rotating::Input> inputs = rotations(seed, {1, 4, 16, 32});
  constexpr std::size_t kLong = 1 << 17;
  inputs.push_back({"one long row", {sparse(kLong, seed(7)), some_signs(kLong, seed(8))}});
  rotating.on_each(inputs, [](Expect& expect, const Rotating::Arguments& in) {
    const Doubles want = rotated(in.a, in.b), got = rotating(in);
    kSameRows(expect, in, got, want);
    if (expect.failure()) return;
    const std::size_t n = in.b.size();
    Doubles before, after;
    for (std::size_t r = 0; r < got.size() / n; ++r) {
      double one = 0, other = 0;
      for (std::size_t i = 0; i < n; ++i) {
        one += in.a[i] * in.a[r * n + i];
        other += got[i] * got[r * n + i];
      }
      before.push_back(one), after.push_back(other);
    }
    expect_reals(expect, "products with the first row", after, before);
  });
}

TEST(rotate_rows, RefusesWhatIsNoSign) {
  rotating.refuses({{"Fine", {{8, 0, 0, 0}, {1, 1, 1, 1}}, {4, 4, 4, 4}}},
                   {{"", {{8, 0}, {1, 0}}},
                    {"", {{8, 0}, {2, 1}}},
                    {"N-SIZE", {{8, 0, 0}, {1, 1}}},
                    {"N-SIZE", {{1, 2, 3}, {1, 1, 1}}},
                    {"N-SIZE", {{1}, std::vector<std::int32_t>{}}},
                    {"N-SIZE", {Doubles{}, {1, 1}}},
                    {"N-NAN", {{double{kNan}, 1}, {1, 1}}}},
                   kSameRows);
}

}  // namespace
}  // namespace nibble::judge::lab_33_smoothquant_awq
