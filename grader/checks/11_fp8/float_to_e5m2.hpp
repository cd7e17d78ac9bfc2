// Lab 11, float_to_e5m2: what is right, and what people write instead.
#pragma once

#include "fp8.hpp"

#include "checks/11_fp8/code_suspects.hpp"
#include "checks/11_fp8/formats.hpp"
#include "checks/11_fp8/wrong_codes.hpp"

namespace nibble::judge::lab_11_fp8 {

inline const ToE5m2 to_e5m2{{"x", "overflow"}, {"codes"}, suspect_codes<kFive>};

}  // namespace nibble::judge::lab_11_fp8
