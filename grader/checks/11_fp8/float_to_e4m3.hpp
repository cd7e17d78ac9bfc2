// Lab 11, float_to_e4m3: what is right, and what people write instead.
#pragma once

#include "fp8.hpp"

#include "checks/11_fp8/code_suspects.hpp"
#include "checks/11_fp8/formats.hpp"
#include "checks/11_fp8/wrong_codes.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_11_fp8 {

inline const ToE4m3 to_e4m3{{"x", "overflow"}, {"codes"}, suspect_codes<kFour>};

// A NaN whose only bit is its last, a quiet one, one of all bits; and one that is not quiet.
inline const Reals kEachNan = {from_bits(0x7F800001), from_bits(0x7FC00000), from_bits(0x7FFFFFFF),
                               from_bits(0xFF800001), from_bits(0xFFC00000), from_bits(0xFFFFFFFF),
                               from_bits(0xFFA00000)};

}  // namespace nibble::judge::lab_11_fp8
