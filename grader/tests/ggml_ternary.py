"""The bytes of lab 13 beside ggml's TQ1_0: the same five digits in base three, in another order.

    python3 grader/tests/ggml_ternary.py KIT CXX      needs the Python package gguf
"""
import ctypes
import sys
import tempfile

from published import address, solution

try:
    import numpy as np
    from gguf.quants import TQ1_0
except ImportError as missing:
    sys.exit(print(f"not run: {missing}"))

SHIM = """
#include "binary.hpp"
extern "C" void pack(const std::int8_t* trits, std::uint8_t* bytes, std::int64_t count) {
  std::ranges::copy(nibble::pack_ternary({trits, std::size_t(count)}), bytes);
}
extern "C" void unpack(const std::uint8_t* bytes, std::int8_t* trits, std::int64_t count) {
  const std::size_t size = (std::size_t(count) + 4) / 5;
  std::ranges::copy(nibble::unpack_ternary({bytes, size}, int(count)), trits);
}
"""

# Every byte stands somewhere: 243 blocks of 256 trits have 48 bytes of five trits each. The first
# trit of a block is 1, so that its largest magnitude, which is ggml's scale, is 1.
blocks = np.random.default_rng(13).integers(-1, 2, (243, 256)).astype(np.int8)
every = np.array(list(np.ndindex(3, 3, 3, 3, 3))) - 1
blocks[:, 7:160:32] = every
blocks[:, 0] = 1
quantized = TQ1_0.quantize_blocks(blocks.astype(np.float32))

# ggml keeps a byte as a fraction of 256, rounded up; 243 times that, and the number is back.
theirs = (quantized[:, :48].astype(np.uint16) * 243 >> 8).astype(np.uint8)

# Its five trits stand 32 apart in the first 160 of a block, 16 apart in the next 80, highest first.
first = blocks[:, :160].reshape(-1, 5, 32)
second = blocks[:, 160:240].reshape(-1, 5, 16)
trits = np.concatenate([first, second], axis=2).transpose(0, 2, 1)[:, :, ::-1]
trits = np.ascontiguousarray(trits)
ours, back = np.empty_like(theirs), np.empty_like(trits)
with tempfile.TemporaryDirectory() as folder:
    lab = solution(sys.argv[1], sys.argv[2], "13_binary", "binary", SHIM, folder)
    lab.pack(address(trits), address(ours), ctypes.c_int64(trits.size))
    lab.unpack(address(ours), address(back), ctypes.c_int64(trits.size))

agreeing, different = np.count_nonzero(ours == theirs), len(set(theirs.flat))
print(f"{agreeing} of {theirs.size} bytes agree, {different} different ones")
sys.exit(0 if agreeing == theirs.size and different == 243 and np.array_equal(back, trits) else 1)
