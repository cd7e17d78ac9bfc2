// Where the __device__ and __constant__ variables of a .cu file lie. The rewriter adds one line
// behind each; the records stand in a section of their own, so that no code has to run before main,
// and the engine walks from __start_nibble_simt_variables to __stop_nibble_simt_variables.
#pragma once

#include <cstddef>

namespace nibble::simt {

struct Variable {
  const void* address;
  std::size_t size;
  const char* name;
  int is_constant;  ///< kernels may not write it
};

}  // namespace nibble::simt

#define NIBBLE_SIMT_VARIABLE(...) NIBBLE_SIMT_RECORD_(__COUNTER__, 0, __VA_ARGS__)
#define NIBBLE_SIMT_CONSTANT(...) NIBBLE_SIMT_RECORD_(__COUNTER__, 1, __VA_ARGS__)
#define NIBBLE_SIMT_RECORD_(NUMBER, IS_CONSTANT, ...) \
  NIBBLE_SIMT_RECORD_AS_(NUMBER, IS_CONSTANT, __VA_ARGS__)
#define NIBBLE_SIMT_RECORD_AS_(NUMBER, IS_CONSTANT, ...)                                      \
  __attribute__((section("nibble_simt_variables"),                                            \
                 used)) static const ::nibble::simt::Variable nibble_simt_variable_##NUMBER { \
    const_cast<const void*>(static_cast<const volatile void*>(&(__VA_ARGS__))),               \
        sizeof(__VA_ARGS__), #__VA_ARGS__, IS_CONSTANT                                        \
  }
