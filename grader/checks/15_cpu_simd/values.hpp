// Lab 15: what more than one of its exercises needs. Every check runs on each instruction set that
// this machine has, scalar at least, so it is worth its points anywhere.
#pragma once

#include "cpu_simd.hpp"

#include "judge/code_rows.hpp"
#include "judge/exercise.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_15_cpu_simd {

inline std::size_t area(int rows, int columns) { return std::size_t(rows) * std::size_t(columns); }

inline Codes random_codes(std::size_t count, std::uint64_t seed) {
  return code_tensor<std::int8_t>(count, seed, -128, 127);
}

}  // namespace nibble::judge::lab_15_cpu_simd
