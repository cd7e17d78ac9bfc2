// Lab 18, quantize_in_chunks: what is right, and what people write instead.
#pragma once

#include "cuda_host.hpp"

#include "checks/18_cuda_host/right.hpp"
#include "judge/host_exercise.hpp"
#include "judge/named_case.hpp"
#include "judge/product.hpp"

namespace nibble::judge::lab_18_cuda_host {

struct Chunks {
  Reals x;
  float scale;
  std::int64_t part;
  static constexpr std::array names{"x", "scale", "chunk"};
};

inline const auto in_chunks = host_exercise<&quantize_in_chunks>(
    [](const Named<Chunks>& c) { return std::tuple(c.x, out(c.x.size()), c.scale, c.part); },
    [](Expect& expect, const Chunks& c, const auto& answer) {
      const auto n = std::int64_t(c.x.size()), whole = n / c.part * c.part;
      if (whole > 0 && answer.error == 0 && answer.work.launches > 0) {
        const Codes right = quantized(c.x, c.scale);
        expect.that(!is_wrong_from(std::size_t(whole), answer.output(), right),
                    "the last chunk is shorter than the others, and it alone is wrong", "N-TAIL");
      }
      look_at_codes(expect, c, answer);
    });

}  // namespace nibble::judge::lab_18_cuda_host
