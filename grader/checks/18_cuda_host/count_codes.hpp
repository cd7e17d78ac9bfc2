// Lab 18, count_codes: what is right, and what people write instead.
#pragma once

#include "cuda_host.hpp"

#include "checks/18_cuda_host/right.hpp"
#include "judge/host_exercise.hpp"
#include "judge/mix.hpp"
#include "judge/named_case.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_18_cuda_host {

struct CodeList {
  Codes q;
  static constexpr std::array names{"q"};
};

inline std::vector<Named<CodeList>> code_lists(const Sizes& sizes, std::uint64_t salt) {
  std::vector<Named<CodeList>> cases;
  for (const std::size_t n : sizes) {
    cases.push_back({std::to_string(n), {code_tensor<std::int8_t>(n, mix(salt, n), -128, 127)}});
  }
  return cases;
}

inline Counts counted(const Codes& q) {
  Counts counts(256);
  for (const std::int8_t code : q) ++counts[static_cast<std::size_t>(code + 128)];
  return counts;
}

/// Some codes have been counted, none too often, and others not.
inline bool is_part_of(const Counts& got, const Counts& want) {
  std::int64_t counted = 0, missing = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (got[i] < 0 || got[i] > want[i]) return false;
    counted += got[i];
    missing += want[i] - got[i];
  }
  return counted > 0 && missing > 0;
}

inline const auto counting = host_exercise<&count_codes>(
    [](const Named<CodeList>& c) { return std::tuple(c.q, out(256)); },
    [](Expect& expect, const CodeList& c, const auto& answer) {
      // Of nothing, the 256 zeros need no device.
      const bool is_done =
          c.q.empty() ? expect.equal("the error", answer.error, 0) : succeeded(answer, 1, expect);
      if (!is_done) return;
      const Counts want = counted(c.q);
      expect.that(!is_part_of(answer.output(), want),
                  "some codes are not counted, and none too often", "N-TAIL");
      Counts ones = want, bytes(256);
      for (std::int32_t& count : ones) count += 0x01010101;
      for (const std::int8_t code : c.q) ++bytes[static_cast<std::uint8_t>(code)];
      expect.suspect("N-FORMULA", "counts", ones,
                     "counts begin at 0x01010101, and not at 0: cudaMemset sets bytes");
      expect.suspect("N-SIGN", "counts", bytes,
                     "code c is counted at c & 255, and belongs to c + 128");
      expect.equal("counts", answer.output(), want);
    });

}  // namespace nibble::judge::lab_18_cuda_host
