// Lab 18, copy_through_device: what is right, and what people write instead.
#pragma once

#include "cuda_host.hpp"

#include <span>

#include "checks/18_cuda_host/right.hpp"
#include "judge/host_exercise.hpp"
#include "judge/mix.hpp"
#include "judge/named_case.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_18_cuda_host {

/// x.size() bytes are there, and another is not.
inline bool is_cut_short(const Reals& got, const Reals& x) {
  const auto bytes = std::as_bytes(std::span(got)), right = std::as_bytes(std::span(x));
  return is_wrong_from(x.size(), std::vector(bytes.begin(), bytes.end()),
                       std::vector(right.begin(), right.end()));
}

inline const auto copying = host_exercise<&copy_through_device>(
    [](const Named<Values>& c) { return std::tuple(c.x, out(c.x.size())); },
    [](Expect& expect, const Values& c, const auto& answer) {
      if (c.x.empty()) {
        did_nothing(answer, expect);
        expect.that(answer.work.calls == 0, "calls CUDA for an empty x", "N-LAUNCH");
        return;
      }
      if (!succeeded(answer, 0, expect)) return;
      expect.that(!is_cut_short(answer.output(), c.x),
                  "as many bytes are copied as x has elements: sizes of CUDA are bytes",
                  "N-UNWRITTEN");
      expect.equal("y", answer.output(), c.x);
    });

inline std::vector<Named<Values>> copies(const Sizes& sizes, std::uint64_t salt) {
  std::vector<Named<Values>> cases;
  for (const std::size_t n : sizes) {
    cases.push_back({std::to_string(n), {normal_tensor(n, mix(salt, n), 2.0f)}});
  }
  return cases;
}

}  // namespace nibble::judge::lab_18_cuda_host
