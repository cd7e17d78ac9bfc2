// Lab 29, model_bytes: the checks.
#include "checks/29_quantized_linear/model_bytes.hpp"

#include "judge/learnt_net.hpp"

namespace nibble::judge::lab_29_quantized_linear {
namespace {

const auto kSameBytes = [](Expect& expect, const Counting::Arguments& in, std::int64_t got,
                           std::int64_t want) {
  const auto layers = static_cast<std::int64_t>(in.a.a_zero_point.size());
  expect.that(got != want - 3 * layers, "zero points are counted as one byte each: an int32 has 4",
              "N-OVERHEAD");
  expect.equal("bytes", got, want);
};

TEST(model_bytes, CountsEveryList) {
  counting.gives({{"One", {QuantizedModel{{2, 1}, {0.5f}, {3}, {4, -2}, {2}, {6}, {}}}, 2 + 8 + 16},
                  {"Outputs",
                   {QuantizedModel{{1, 4}, {1}, {0}, {1, 2, 3, 4}, {1, 1, 1, 1}, {0, 0, 0, 0}, {}}},
                   4 + 8 + 4 + 4 + 16 + 16},
                  {"Float",
                   {QuantizedModel{{1, 1, 2}, {0, 1}, {0, 4}, {5, 6}, {1, 1}, {0, 0}, {7, 8}}},
                   2 + 12 + 8 + 8 + 8 + 8 + 8},
                  {"NoNet",
                   {QuantizedModel{{2, 1}, {0.5f, 1}, {3}, {4}, {2, 3}, {}, {7}}},
                   1 + 8 + 8 + 8 + 4 + 4,
                   "lists are counted whether they fit each other or not"},
                  {"Wide",
                   {QuantizedModel{{300, 1}, {1}, {0}, Codes(300), {1}, {0}, {}}},
                   300 + 8 + 4 + 4 + 4 + 4}},
                 kSameBytes);
}

}  // namespace
}  // namespace nibble::judge::lab_29_quantized_linear
