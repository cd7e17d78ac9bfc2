// Lab 03: what more than one of its exercises needs.
#pragma once

#include "symmetric.hpp"

#include "judge/exercise.hpp"

namespace nibble::judge::lab_03_symmetric {

inline int qmax_of(int num_bits) { return signed_range(num_bits).qmax; }

// One value; one less than, as many as and one more than 32 bytes of codes; and one more.
inline std::vector<std::size_t> lengths(std::size_t longest) { return {1, 31, 32, 33, longest}; }

}  // namespace nibble::judge::lab_03_symmetric
