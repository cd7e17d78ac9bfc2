"""Compares the conversions of lab 10's solution with NumPy's float16 and with the bfloat16 of
ml_dtypes (JAX, TensorFlow): every code, every tie between two neighbours with the floats beside it,
and floats of any bits. NaN is counted apart. Says "not run" of what is not installed.

    python3 grader/tests/half_arrays.py KIT CXX
"""
import ctypes
import sys
import tempfile

from published import address, solution

SHIM = """
#include "half.hpp"
#define SHIM(TO, FROM)                                                                        \\
  extern "C" void TO(const float* x, std::uint16_t* codes, std::size_t count) {               \\
    std::ranges::copy(nibble::TO({x, count}), codes);                                         \\
  }                                                                                           \\
  extern "C" void FROM(const std::uint16_t* codes, float* x, std::size_t count) {             \\
    std::ranges::copy(nibble::FROM({codes, count}), x);                                       \\
  }
SHIM(float_to_half, half_to_float)
SHIM(float_to_bfloat16, bfloat16_to_float)
"""


def by_c(function, given, dtype):
    made = np.empty(len(given), dtype)
    function(address(given), address(made), ctypes.c_size_t(len(given)))
    return made


def around_ties(values):
    """Of neighbours in order: what lies between them, and the floats beside it."""
    ties = np.float32((np.float64(values[1:]) + np.float64(values[:-1])) / 2)
    beside = [np.nextafter(ties, np.float32(end)) for end in (0, np.inf)]
    positive = np.concatenate([ties, *beside])
    return np.concatenate([positive, -positive])


def compare(what, own, theirs, nan):
    differ = own != theirs
    print(f"{what}: {len(own) - nan.sum():,} numbers, {(differ & ~nan).sum():,} differ; "
          f"{nan.sum():,} NaN, {(differ & nan).sum():,} differ")
    return bool((differ & ~nan).any())


def compare_format(name, theirs, to, of, infinity):
    codes = np.arange(0x10000, dtype=np.uint16)
    with np.errstate(all="ignore"):
        real = codes.view(theirs).astype(np.float32)
        wrong = compare(f"{name}, codes", by_c(of, codes, np.float32).view(np.uint32),
                        real.view(np.uint32), np.isnan(real))
        largest = float(real[infinity - 1])
        beyond = 2 * largest - float(real[infinity - 2])
        ties = around_ties(np.append(np.float64(real[:infinity]), beyond))
        random = np.random.default_rng(10).integers(0, 2**32, 4_000_000, dtype=np.uint32)
        x = np.concatenate([ties, random.view(np.float32)])
        wrong |= compare(f"{name}, {len(ties) // 3:,} ties and other floats",
                         by_c(to, x, np.uint16), x.astype(theirs).view(np.uint16), np.isnan(x))
    return wrong


def main(kit, cxx):
    with tempfile.TemporaryDirectory() as folder:
        ours = solution(kit, cxx, "10_half", "half", SHIM, folder)
        wrong = compare_format("NumPy's float16", np.float16, ours.float_to_half,
                               ours.half_to_float, 0x7C00)
        wrong |= compare_format("ml_dtypes' bfloat16", ml_dtypes.bfloat16, ours.float_to_bfloat16,
                                ours.bfloat16_to_float, 0x7F80)
    return wrong


if __name__ == "__main__":
    try:
        import ml_dtypes
        import numpy as np
    except ImportError as missing:
        sys.exit(f"not run: {missing}")
    sys.exit(main(*sys.argv[1:]))
