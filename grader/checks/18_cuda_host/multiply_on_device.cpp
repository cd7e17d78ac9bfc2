// Lab 18, multiply_on_device: the checks.
#include "checks/18_cuda_host/multiply_on_device.hpp"

namespace nibble::judge::lab_18_cuda_host {
namespace {

// Halves of equal size, within a block of any usual shape.
TEST(multiply_on_device, EveryOrderOfStreams) {
  multiplying.is_right(random_products({{2, 3, 4}, {4, 2, 3}, {8, 7, 20}, {8, 5, 600}}, seed));
}

// Of one row; one row more in one of the halves; one less than, as many as, one more than what
// blocks have along either side; tall, flat. And of nothing, at the ends of the codes, of the
// longest sum.
const std::vector<MatmulShape> kShapes = {{1, 1, 1},   {1, 5, 3},    {3, 2, 5},    {5, 7, 3},
                                          {2, 40, 2},  {7, 31, 33},  {15, 32, 8},  {17, 33, 16},
                                          {33, 17, 5}, {70, 65, 20}, {2, 300, 10}, {301, 2, 10}};

TEST(multiply_on_device, EverySize) {
  multiplying.is_right({table_of_products(5, 6)});
  multiplying.is_right(random_products(kShapes, seed));
  multiplying.is_right(empty_products(3));
  multiplying.is_right(extreme_products({3, 2, 5}));
  multiplying.is_right({constant_product("Longest", {2, 1, 131071}, -128, -128)});
}

// Most of their memory is b's: who takes it twice is far beyond what all three matrices have.
const std::vector<MatmulShape> kMostlyB = {{1, 40, 30}, {2, 40, 30}, {5, 33, 50}};

TEST(multiply_on_device, RunsClean) {
  multiplying.runs_clean(empty_products(2));
  multiplying.runs_clean(random_products(kMostlyB, seed), [](Expect& expect, const Product& c,
                                                             const auto& answer) {
    if (c.shape.m > 1) uses_both_streams(expect, answer);
    const std::uint64_t once = c.a.size() + c.b_t.size() + 4 * c.outputs();
    const std::uint64_t taken = answer.work.taken_bytes;
    expect.that(taken <= once + once / 2,
                "takes " + std::to_string(taken) + " bytes of memory: the three matrices have " +
                    std::to_string(once) + ", and one b is enough for both streams",
                "N-MEMORY");
  });
}

TEST(multiply_on_device, EveryErrorComesBack) {
  multiplying.returns_every_error(random_products({{3, 5, 4}}, seed));
}

}  // namespace
}  // namespace nibble::judge::lab_18_cuda_host
