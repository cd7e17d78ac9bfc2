// Problems, and the sums that plain loops find for them.
#pragma once

#include "inherited_arena.hpp"
#include "problem.hpp"

namespace nibble::peers {

/// A problem, and what is right about it.
struct Posed {
  Problem problem;
  const std::int32_t* sums = nullptr;       ///< [m,n]
  const std::int32_t* int4_sums = nullptr;  ///< [n], of the upper four bits of b_t; m = 1 only
};

/// Codes over the whole range of int8, a quarter of them -128 or 127: small random ones would hide
/// what saturates.
Posed pose_product(InheritedArena& arena, MatmulShape shape);

Posed pose_conversion(InheritedArena& arena, std::int64_t count);

}  // namespace nibble::peers
