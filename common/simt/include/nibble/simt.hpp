// The SIMT engine's face towards a .cu file: CUDA's words, made of ordinary C++.
#pragma once

// clang-format off
#include "nibble/simt/types.hpp"
#include "nibble/simt/launch.hpp"
#include "nibble/simt/variable.hpp"
#include "nibble/simt/device.hpp"
#include "nibble/simt/cache_hints.hpp"
#include "nibble/simt/atomics.hpp"
#include "nibble/simt/integer_intrinsics.hpp"
#include "nibble/simt/conversions.hpp"
#include "nibble/simt/warp.hpp"
#include "nibble/simt/runtime.hpp"
// clang-format on
