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

inline const auto in_blocks = host_exercise<&quantize_on_device>(
    [](const Named<Blocks>& c) { return std::tuple(c.x, out(c.x.size()), c.scale, c.part); },
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
