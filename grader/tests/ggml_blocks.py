"""Compares the blocks of lab 12's solution with those of ggml, byte for byte: with `gguf`, the
Python package of llama.cpp, and with ggml's own C functions, where a package brings its library
(libggml-base; pywhispercpp does). Says "not run" of what is not installed.

    python3 grader/tests/ggml_blocks.py KIT CXX [BLOCKS]
"""
import ctypes
import glob
import os
import sys
import sysconfig
import tempfile

from published import address, solution

FORMATS = {"q4_0": 18, "q8_0": 34}
SHIM = """
#include <cstring>
#include "int4.hpp"
#define SHIM(NAME)                                                                     \\
  extern "C" void NAME(const float* x, std::uint8_t* blocks, std::int64_t count) {     \\
    const auto bytes = nibble::quantize_##NAME({x, static_cast<std::size_t>(count)});  \\
    std::memcpy(blocks, bytes.data(), bytes.size());                                   \\
  }
SHIM(q4_0)
SHIM(q8_0)
"""


def by_c(function, x, size):
    blocks = np.empty((len(x), size), np.uint8)
    function(address(x), address(blocks), ctypes.c_int64(x.size))
    return blocks


def inputs(count):
    """Blocks [.., 32]: of any magnitude that has a scale, and of ties at any power of two."""
    random = np.random.default_rng(12)
    exponent = random.integers(-150, 17, (count, 1))
    of_any_size = np.ldexp(random.standard_normal((count, 32)), exponent)
    of_weights = 0.02 * random.standard_normal((count, 32))
    halves = random.integers(-16, 17, (count, 32)) / 2
    halves[:, 0] = random.choice([8, -8], count)
    halves_of_127 = random.integers(-254, 255, (count, 32)) / 2
    halves_of_127[:, 5] = random.choice([127, -127], count)
    near = np.float32(halves_of_127) * np.float32(1 + 2**-23 * random.integers(-2, 3, (count, 32)))
    ties = [np.ldexp(x, random.integers(-30, 12, (count, 1)))
            for x in (halves, halves_of_127, near)]
    signs = np.where(random.random((count, 32)) < 0.5, 3.0, -3.0)
    few = np.where(random.random((count, 32)) < 0.9, np.copysign(0.0, of_weights), of_weights)
    return np.float32(np.concatenate([of_any_size, of_weights, *ties, signs, few]))


def compare(name, other, x, own, theirs, left_out):
    differ = (own != theirs).any(axis=1) & ~left_out
    print(f"{name}: {len(x) - left_out.sum():,} blocks against {other}: {differ.sum()} differ, "
          f"{left_out.sum():,} left out")
    for block in np.flatnonzero(differ)[:3]:
        print("  x", x[block].tolist(), "\n  own  ", own[block].tobytes().hex(),
              "\n  other", theirs[block].tobytes().hex())
    return bool(differ.any())


def main(kit, cxx, count=50_000):
    x = inputs(int(count))
    zero = (x == 0).all(axis=1)
    found = glob.glob(os.path.join(sysconfig.get_paths()["platlib"], "libggml-base.so*"))
    ggml = ctypes.CDLL(found[0]) if found else None
    if not ggml:
        print("not run against ggml's C functions: no package here brings libggml-base")
    wrong = False
    with tempfile.TemporaryDirectory() as folder:
        ours = solution(kit, cxx, "12_int4", "int4", SHIM, folder)
        for name, size in FORMATS.items():
            own = by_c(ours[name], x, size)
            # 1/d is infinite: what ggml makes of it is undefined.
            d = np.abs(x).max(axis=1) / np.float32(8 if name == "q4_0" else 127)
            undefined = (d != 0) & (d <= np.float32(2**-128))
            # gguf takes the sign of the first zero, C that of +0.
            minus_zero = zero & np.signbit(x[:, 0]) & (name == "q4_0")
            with np.errstate(all="ignore"):
                theirs = gguf.quants.quantize(x, gguf.GGMLQuantizationType[name.upper()])
            wrong |= compare(name, "gguf", x, own, theirs, undefined | minus_zero)
            if ggml:
                theirs = by_c(ggml[f"quantize_row_{name}_ref"], x, size)
                wrong |= compare(name, "ggml's C", x, own, theirs, undefined)
    return wrong


if __name__ == "__main__":
    try:
        import gguf
        import gguf.quants
        import numpy as np
    except ImportError as missing:
        sys.exit(f"not run: {missing}")
    sys.exit(main(*sys.argv[1:]))
