// PTX's ldmatrix in the engine: `matrices` (1, 2 or 4) blocks of 8 rows by 16 bytes from shared
// memory into one register a block. Lanes 8 i to 8 i + 7 say where the rows of block i start.
#pragma once

namespace nibble::simt {

void ldmatrix(unsigned* registers, int matrices, bool transposed, const void* row, const void* pc);

}  // namespace nibble::simt
