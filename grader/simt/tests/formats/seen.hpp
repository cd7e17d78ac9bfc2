// Functions of one statement, compiled as a learner's file is for checking, and the accesses to
// their arrays that the checks should see: no more, no fewer, and none in two parts.
#pragma once

#include <span>

#include "nibble/simt/bfloat16.hpp"
#include "nibble/simt/fp8.hpp"
#include "nibble/simt/half.hpp"

namespace nibble::simt {

struct Arrays {
  alignas(16) float f[8];
  float2 f2[4];
  float4 f4[4];
  __half h[8];
  __half2 h2[4];
  __nv_bfloat16 b[8];
  __nv_fp8_e4m3 e[8];
  __nv_fp8x2_e4m3 e2[4];
  __nv_fp8x4_e4m3 e4[4];
  char4 c4[4];
  int i[4];
};

struct Statement {
  const char* text;
  void (*run)(Arrays&);
  const char* accesses;  ///< such as "r4 r4 w2": bytes read, read, written
};

std::span<const Statement> statements();

}  // namespace nibble::simt
