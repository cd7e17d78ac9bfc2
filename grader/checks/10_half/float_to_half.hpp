// Lab 10, float_to_half: what is right, and what people write instead.
#pragma once

#include "half.hpp"

#include "checks/10_half/code_suspects.hpp"
#include "checks/10_half/formats.hpp"

namespace nibble::judge::lab_10_half {

inline const ToHalf to_half{{"x"}, {"codes"}, suspect_codes<kHalf>};

}  // namespace nibble::judge::lab_10_half
