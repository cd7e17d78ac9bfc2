// What the contracts of the kernel labs include first: all of lab.hpp, what this CPU can do, and
// its intrinsics. One header, so that it is compiled once, ahead of time.
#pragma once

#include <cstring>
#include <string_view>

#include "nibble/cpu.hpp"
#include "nibble/lab.hpp"
#include "nibble/matmul_shape.hpp"
#include "nibble/target.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif
