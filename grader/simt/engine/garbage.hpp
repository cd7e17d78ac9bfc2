// What memory holds that nobody has written yet.
#pragma once

namespace nibble::simt {

/// No code, no count and no float that a lab expects, and the same in every kind of memory.
inline constexpr unsigned char kGarbage = 0xA7;

}  // namespace nibble::simt
