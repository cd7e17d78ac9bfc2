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
    [](Expect& expect, const Chunks& c, const auto& answer) { look_at_codes(expect, c, answer); });

}  // namespace nibble::judge::lab_18_cuda_host
