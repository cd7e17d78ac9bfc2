// Lab 10, float_to_bfloat16: what is right, and what people write instead.
#pragma once

#include "half.hpp"

#include "checks/10_half/code_suspects.hpp"
#include "checks/10_half/formats.hpp"

namespace nibble::judge::lab_10_half {

inline const ToBfloat16 to_bfloat16{{"x"}, {"codes"}, suspect_codes<kBfloat16>};

}  // namespace nibble::judge::lab_10_half
