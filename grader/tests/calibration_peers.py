"""Lab 07's solution beside NumPy and SciPy, and PyTorch where it is: the same clips, the same codes.

    python3 grader/tests/calibration_peers.py KIT CXX
"""
import ctypes
import sys
import tempfile

from published import address, solution

try:
    import numpy as np
    from scipy.stats import entropy
except ImportError as missing:
    sys.exit(print(f"not run: {missing}"))
try:
    import torch
    from torch.ao.quantization import MovingAverageMinMaxObserver
except ImportError:
    torch = None
    print("moving average: not compared, torch is not here")

SHIM = """
#include "calibration.hpp"
using namespace nibble;
extern "C" {
float percentile(const float* x, std::size_t n, int share) { return percentile_clip({x, n}, share); }
float mse(const float* x, std::size_t n, int bits) { return mse_clip({x, n}, bits); }
float kl(const float* x, std::size_t n, int batch) { return entropy_clip({x, n}, batch); }
void moving(float* ends, const float* x, std::size_t n) {
  const RangeObserver after = moving_average_observe({ends[0], ends[1], true, false}, {x, n});
  ends[0] = after.lo, ends[1] = after.hi;
}
void rows(const float* x, std::size_t n, int columns, std::int8_t* q, float* scales) {
  const DynamicRows result = quantize_dynamic_rows({x, n}, columns);
  std::ranges::copy(result.q, q);
  std::ranges::copy(result.scales, scales);
}
}
"""


def ask(function, x, argument):
    return function(address(x), ctypes.c_size_t(x.size), ctypes.c_int(argument))


def codes(x, scale, qmin, qmax):
    return np.clip(np.rint(x / scale), qmin, qmax).astype(np.float32)


def mse_of_numpy(x, bits):
    qmax = np.float32(2 ** (bits - 1) - 1)
    clips = np.abs(x).max() * (np.arange(100, 0, -1, dtype=np.float32) / np.float32(100))
    scales = np.maximum(clips / qmax, np.float32(2.0 ** -126))
    off = [(s * codes(x, s, -qmax - 1, qmax)).astype(np.float64) - x.astype(np.float64)
           for s in scales]
    return clips[np.argmin([np.sum(o * o) for o in off])]


def kl_of_scipy(x):
    a = np.abs(x).astype(np.float64)
    width = a.max() / 2048
    count = np.bincount(np.maximum(np.ceil(a / width).astype(int) - 1, 0), minlength=2048)
    best = None
    for k in range(2048, 127, -16):
        p, kept = count[:k].astype(float), count[:k].astype(float)
        p[-1] += count[k:].sum()
        level = np.arange(k) * 128 // k
        used = np.bincount(level, kept > 0, 128)
        q = np.where(kept > 0, (np.bincount(level, kept, 128) / np.maximum(used, 1))[level], 0)
        lost = entropy(p, q) if q.any() else np.inf
        if best is None or lost < best[0]:
            best = lost, k
    return np.float32(best[1] * width)


def moving_of_torch(ends, x):
    observer = MovingAverageMinMaxObserver()
    observer(torch.tensor(ends))
    observer(torch.from_numpy(x))
    return observer.min_val.item(), observer.max_val.item()


def compare(ours, rounds=400):
    random, differ = np.random.default_rng(7), {}
    for turn in range(rounds):
        n = int(random.integers(1, 3000))
        x = (random.standard_normal(n), random.laplace(size=n), random.standard_t(4, n))[turn % 3]
        x = x.astype(np.float32)

        def same(what, got, want):
            wrong, all_of_them = differ.get(what, (0, 0))
            differ[what] = wrong + (not np.array_equal(got, want)), all_of_them + 1

        share, bits = int(random.integers(1, 1_000_001)), int(random.integers(2, 9))
        same("percentile", ask(ours.percentile, x, share),
             np.percentile(np.abs(x).astype(np.float64), share / 1e4, method="inverted_cdf"))
        same("mse", ask(ours.mse, x, bits), mse_of_numpy(x, bits))
        if turn % 8 == 0:
            same("entropy", ask(ours.kl, x, n), kl_of_scipy(x))
        columns = next(c for c in (7, 5, 3, 2, 1) if n % c == 0)
        q, scales = np.zeros(n, np.int8), np.zeros(n // columns, np.float32)
        ours.rows(address(x), ctypes.c_size_t(n), columns, address(q), address(scales))
        matrix = x.reshape(-1, columns)
        want = np.abs(matrix).max(axis=1) / np.float32(127)
        same("scales", scales, want)
        same("codes", q.reshape(-1, columns), codes(matrix, want[:, None], -127, 127))
        if torch is None:
            continue
        ends = np.sort(random.standard_normal(2)).astype(np.float32)
        got = ends.copy()
        ours.moving(address(got), address(x), ctypes.c_size_t(n))
        same("moving average", got, np.float32(moving_of_torch(ends, x)))
    return differ


with tempfile.TemporaryDirectory() as folder:
    ours = solution(sys.argv[1], sys.argv[2], "07_calibration", "calibration", SHIM, folder)
    for name in ("percentile", "mse", "kl"):
        getattr(ours, name).restype = ctypes.c_float
    differ = compare(ours)
for what, (wrong, of) in differ.items():
    print(f"{what}: {wrong} of {of} differ")
sys.exit(any(wrong for wrong, _ in differ.values()))
