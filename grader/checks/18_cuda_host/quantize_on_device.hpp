// Lab 18, quantize_on_device: what is right, and what people write instead.
#pragma once

#include "cuda_host.hpp"

#include "checks/18_cuda_host/right.hpp"
#include "judge/host_exercise.hpp"
#include "judge/named_case.hpp"
#include "judge/product.hpp"

namespace nibble::judge::lab_18_cuda_host {

struct Blocks {
  Reals x;
  float scale;
  int part;
  static constexpr std::array names{"x", "scale", "block_size"};
};

inline auto arguments(const Blocks& c) { return std::tuple(c.x, out(c.x.size()), c.scale, c.part); }

/// Who answers for the device answers with an error of his own.
inline void asks_the_device(const Blocks& c, Expect& expect) {
  const auto answer = std::apply(
      [](const auto&... each) { return watched_host<&quantize_on_device>(each...); }, arguments(c));
  constexpr int kRefused = 9;  // cudaErrorInvalidConfiguration
  const bool has_asked = answer.work.calls > 0 || answer.error == 0 || answer.error == kRefused;
  expect.that(has_asked,
              "returns " + detail::name_of_error(answer.error) +
                  " and has not asked the device: its own answer has to come back",
              "N-UNCHECKED");
}

inline const auto in_blocks = host_exercise<&quantize_on_device>(
    [](const Named<Blocks>& c) { return arguments(c); },
    [](Expect& expect, const Blocks& c, const auto& answer) {
      look_at_codes(expect, c, answer);
      const auto size = static_cast<std::uint64_t>(c.part), blocks = (c.x.size() + size - 1) / size;
      const auto& work = answer.work;
      expect_at(work.launched_at, expect, work.blocks == blocks && work.threads == blocks * size,
                "launches " + std::to_string(work.threads) + " threads in " +
                    std::to_string(work.blocks) + " blocks: " + std::to_string(blocks) +
                    " of block_size are as many as x needs",
                "N-LAUNCH");
    });

}  // namespace nibble::judge::lab_18_cuda_host
