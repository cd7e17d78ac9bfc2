// Where the elements of a WMMA fragment lie. CUDA leaves it open; this is what nvcc 13 makes of it
// on sm_80 to sm_90, read off its code, and the traffic follows from it.
//
// A fragment is made of blocks of 8 lines. A line is a row of a, a column of b: always along k.
// Lane 4 g + t holds of each block
//
//              position   0 1 2 3   4 5 6 7   ...                  16-byte lines: 4 elements of 8 bits
//     line g              t = 0     t = 1     t = 2     t = 3      or 2 of 16; of an accumulator 2
//
// In an accumulator lines are rows; in one of 8 x 32 they are columns, because there the tensor
// cores work out the transposed product. b with 32 columns is then what a is elsewhere.
#pragma once

#include <cstddef>

#include "nibble/simt/fragment.hpp"

namespace nibble::simt {

struct Block {
  std::size_t line, position;  ///< of its first element
};

struct FragmentMap {
  std::size_t blocks;
  std::size_t per_lane;      ///< neighbouring elements of a block in one lane
  std::size_t element_size;  ///< bytes
  bool straight;             ///< a line's elements are neighbours in memory, too
  Block block[8];
};

std::size_t element_size(Element element);

/// Whether its lines are the 16 of the first operand of the instruction, not the 8 of the second.
bool is_first_operand(const Fragment& fragment);

FragmentMap fragment_map(const Fragment& fragment, bool row_major);

}  // namespace nibble::simt
