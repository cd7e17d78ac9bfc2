// Lab 01, fake_quantize: the checks.
#include "checks/01_grid/fake_quantize.hpp"

#include "grid.hpp"

#include "judge/near_ties.hpp"

namespace nibble::judge::lab_01_grid {
namespace {

TEST(fake_quantize, SnapsToTheGrid) {
  gives(snapping, "x_hat",
        {{"OfTheDrawing", {{-0.875f, 0.625f, 1.375f, 0}, {0.5f, 3, 0, 7}}, {-1, 0.5f, 1.5f, 0}},
         {"Coarse", {{-7, 5, 1, 0}, {4, 0, -8, 7}}, {-8, 4, 0, 0}}});
}

TEST(fake_quantize, TiesGoToEven) {
  gives(snapping, "x_hat",
        {{"AboveZero", {{0.5f, 1.5f, 2.5f, 0}, {1, 0, -8, 7}}, {0, 2, 2, 0}},
         {"OddZeroPoint", {{0.25f, 0.75f, -0.25f}, {0.5f, 7, 0, 15}}, {0, 1, 0}},
         {"OneDivision",
          {kTiesInFloat32, kElevenTenths},
          {2 * 1.1f, 8 * 1.1f, 8 * 1.1f, 24 * 1.1f, 2 * 1.1f}},
         {"BesideTies", {kBesideTies, kFourBits}, {1, 1, 3, -1, 0}, kNoTies}});
}

TEST(fake_quantize, ClampsToTheGrid) {
  gives(snapping, "x_hat",
        {{"BothEnds", {{127, -128, 0}, {1, 0, -128, 127}}, {127, -128, 0}},
         {"Beyond", {{200, -200, 0}, {1, 0, -128, 127}}, {127, -128, 0}},
         {"Shifted", {{100, -100, 2.25f, 0}, {0.5f, 3, 0, 7}}, {2, -1.5f, 2, 0}},
         {"BeyondInt32", {{3e9f, -3e9f, 0}, {1, 5, 0, 255}}, {250, -5, 0}},
         {"WidestGrid", {{-1e6f, -98000, 0}, kWidest}, {-98303, -98000, 0}, kManySteps}});
}

TEST(fake_quantize, NanAndInfinity) {
  gives(snapping, "x_hat",
        {{"NaN", {{NAN, -NAN, 0.5f}, {0.5f, 3, 0, 7}}, {0, 0, 0.5f}, "a NaN becomes 0"},
         {"Inf",
          {{INFINITY, -INFINITY, 0.5f}, {0.5f, 3, 0, 7}},
          {2, -1.5f, 0.5f},
          "an infinity becomes the nearer end of the grid, and is no NaN"}});
}

TEST(fake_quantize, EveryValueWithinHalfAStep) {
  snapping.on_each(
      every_length<Snapping>(kUsualGrids, seed, 1.0f), [](Expect& expect, const auto& in) {
        const auto& [x, grid] = in;
        const Reals got = snapping(in);
        suspect_tail(expect, "x_hat", x);
        expect.near("x_hat", got, x, half_a_step(grid));
        // Near is not enough: x itself is near. There are few points on a grid.
        expect.equal("x_hat of x_hat", snapping({got, grid}), got);
        const auto points = static_cast<std::size_t>(grid.qmax - grid.qmin) + 1;
        expect.that(distinct(got) <= points, "more values than the grid has points", "N-FORMULA");
      });
}

TEST(fake_quantize, RefusesWhatIsNoGrid) {
  snapping.refuses({{"Fine", {{1.25f, 2}, kFourBits}, {1, 2}}, {"Empty", {{}, kFourBits}, {}}},
                   without_a_grid<Snapping>(Reals{1.25f, 2}));
}

}  // namespace
}  // namespace nibble::judge::lab_01_grid
