// Lab 05, dequantize_per_channel: the checks.
#include "checks/05_per_channel/dequantize_per_channel.hpp"

#include "per_channel.hpp"

#include "judge/tensors.hpp"

namespace nibble::judge::lab_05_per_channel {
namespace {

// -128 never comes out of quantize_per_channel, and is legal in a tensor that one is given.
TEST(dequantize_per_channel, MultipliesByTheScale) {
  multiplies(from_channels, {{"OneChannel", {{{-128, -1, 0, 127}, {0.25f}, {0}, {1, 4}, 0}}},
                             {"NoColumns", {{{}, {1, 2}, {0, 0}, {2, 0}, 0}}},
                             {"NoChannels", {{{}, {}, {}, {2, 0}, 1}}}});
}

// The codes below a zero point: a difference in uint8 would wrap, and -255 and 255 leave int8.
TEST(dequantize_per_channel, SubtractsTheZeroPoint) {
  multiplies(from_channels,
             {{"OneChannel", {{{-8, -3, 0, 7}, {0.5f}, {-3}, {1, 4}, 0}}},
              {"Farthest", {{{127, -128, -128, 127}, {1, 1}, {-128, 127}, {2, 2}, 0}}},
              {"Columns", {{{5, 5, 5, 9, 9, 9}, {1, 2, 4}, {5, 6, -7}, {2, 3}, 1}}}});
}

TEST(dequantize_per_channel, TakesTheScaleOfItsChannel) {
  multiplies(from_channels,
             {{"2x2-axis0", {{{1, 2, 3, 4}, {1, 16}, {0, 0}, {2, 2}, 0}}},
              {"2x2-axis1", {{{1, 2, 3, 4}, {1, 16}, {0, 0}, {2, 2}, 1}}},
              {"2x3-axis0", {{{1, 2, 3, 4, 5, 6}, {1, 16}, {0, 0}, {2, 3}, 0}}},
              {"2x3-axis1", {{{1, 2, 3, 4, 5, 6}, {1, 16, 0.5f}, {0, 0, 0}, {2, 3}, 1}}}});
}

TEST(dequantize_per_channel, OneToFourDimensions) { multiplies(from_channels, every_tensor(seed)); }

TEST(dequantize_per_channel, RefusesWhatDoesNotFit) {
  from_channels.refuses({{"Fits", {{{1, 2, 3, 4}, {1, 2}, {0, 0}, {2, 2}, 1}}, {1, 4, 3, 8}}},
                        {{"N-DIV0", {{{1, 2, 3, 4}, {1, 0}, {0, 0}, {2, 2}, 0}}},
                         {"N-DIV0", {{{1, 2, 3, 4}, {1, -1}, {0, 0}, {2, 2}, 0}}},
                         {"N-DIV0", {{{1, 2, 3, 4}, {1, FLT_MIN / 4}, {0, 0}, {2, 2}, 0}}},
                         {"N-DIV0", {{{1, 2, 3, 4}, {1, kInfinity}, {0, 0}, {2, 2}, 0}}},
                         {"N-NAN", {{{1, 2, 3, 4}, {1, kNan}, {0, 0}, {2, 2}, 0}}},
                         {"N-AXIS", {{{1, 2, 3, 4}, {1, 2}, {0, 0}, {2, 2}, 2}}},
                         {"N-AXIS", {{{1, 2, 3, 4}, {1, 2}, {0, 0}, {2, 2}, -1}}},
                         {"N-SIZE", {{{1, 2, 3, 4}, {1, 2, 3}, {0, 0}, {2, 2}, 0}}},
                         {"N-SIZE", {{{1, 2, 3}, {1, 2}, {0, 0}, {2, 2}, 0}}},
                         {"N-SIZE", {{{1, 2, 3, 4}, {1}, {0}, {1, 1, 2, 1, 2}, 0}}},
                         {"N-SIZE", {{{}, {}, {}, {0, -1}, 0}}},
                         {"N-SIZE", {{{1, 2, 3, 4}, {1, 2}, {0}, {2, 2}, 0}}},
                         {"N-SIZE", {{{1, 2, 3, 4}, {1, 2}, {0, 0, 0}, {2, 2}, 0}}},
                         {"N-RANGE", {{{1, 2, 3, 4}, {1, 2}, {0, 128}, {2, 2}, 0}}},
                         {"N-RANGE", {{{1, 2, 3, 4}, {1, 2}, {-129, 0}, {2, 2}, 0}}}});
}

}  // namespace
}  // namespace nibble::judge::lab_05_per_channel
