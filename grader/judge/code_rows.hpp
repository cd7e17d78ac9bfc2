// Rows of int8 codes, as they are given to what packs them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "judge/expect.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/named_case.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {

struct CodeRows {
  int rows, k;
  std::vector<std::int8_t> codes;  ///< [rows,k]
  static constexpr std::array names{"rows", "k", "codes"};
};

inline Named<CodeRows> code_rows(int rows, int k, const std::vector<std::int8_t>& codes) {
  return {std::to_string(rows) + "x" + std::to_string(k), {rows, k, codes}};
}

inline Named<CodeRows> random_rows(int rows, int k, std::uint64_t seed) {
  const auto codes = code_tensor<std::int8_t>(std::size_t(rows) * std::size_t(k), seed, -128, 127);
  if (codes.size() > 1000) Expect::healthy(distinct(codes) > 100, "few different codes");
  return code_rows(rows, k, codes);
}

inline std::vector<Named<CodeRows>> smaller(const Named<CodeRows>& c) {
  std::vector<Named<CodeRows>> all;
  for (const MatmulShape to : smaller_shapes({1, c.rows, c.k})) {
    all.push_back(code_rows(to.n, to.k, corner(c.codes, c.k, to.n, to.k)));
  }
  return all;
}

}  // namespace nibble::judge
