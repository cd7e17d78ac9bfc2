// attack: includes the published solution by way of the kit's own headers
// rule: V13
// expect: no_compile
// expect: says a kernel file may include
// leg: simt
#include "nibble/../../solutions/19_cuda_quantize/cuda_quantize.cu"
// @HEAD@
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);
