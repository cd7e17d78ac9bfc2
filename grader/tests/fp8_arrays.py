"""Compares lab 11's solution with the float8_e4m3fn and float8_e5m2 of ml_dtypes (JAX, TensorFlow):
every code, every tie with the floats beside it, and one float of 257 (all of them where
NIBBLE_EVERY_FLOAT is set), NaN included; tensors and blocks with what NumPy makes of the formulas.
Where onnx and onnxruntime are installed, its Cast says what saturates. Says "not run" of what is
not installed.

    python3 grader/tests/fp8_arrays.py KIT CXX
"""
import ctypes
import os
import sys
import tempfile

from published import address, solution

SHIM = """
#include "fp8.hpp"
#define SHIM(TO, FROM)                                                                        \\
  extern "C" void TO(const float* x, std::uint8_t* codes, std::size_t count, int overflow) {  \\
    std::ranges::copy(nibble::TO({x, count}, nibble::Overflow{overflow}), codes);             \\
  }                                                                                           \\
  extern "C" void FROM(const std::uint8_t* codes, float* x, std::size_t count) {              \\
    std::ranges::copy(nibble::FROM({codes, count}), x);                                       \\
  }
SHIM(float_to_e4m3, e4m3_to_float)
SHIM(float_to_e5m2, e5m2_to_float)
extern "C" float quantize_fp8(const float* x, std::uint8_t* codes, std::size_t count, int format) {
  const auto tensor = nibble::quantize_fp8({x, count}, nibble::Fp8Format{format});
  std::ranges::copy(tensor.codes, codes);
  return tensor.scale;
}
extern "C" void quantize_mx(const float* x, std::uint8_t* codes, std::size_t count, int format,
                            std::uint8_t* scales) {
  const auto tensor = nibble::quantize_mx({x, count}, nibble::Fp8Format{format});
  std::ranges::copy(tensor.codes, codes);
  std::ranges::copy(tensor.scales, scales);
}
"""
SATURATE, NON_FINITE = 0, 1


def encoded(function, x, how):
    codes = np.empty(len(x), np.uint8)
    function(address(x), address(codes), ctypes.c_size_t(len(x)), how)
    return codes


def decoded(function, codes):
    x = np.empty(len(codes), np.float32)
    function(address(codes), address(x), ctypes.c_size_t(len(codes)))
    return x


def report(what, own, theirs):
    differ = int((own != theirs).sum())
    print(f"{what}: {len(own):,}, {differ:,} differ")
    return differ > 0


def saturated(x, theirs):
    """What ml_dtypes, which never saturates, makes of x when it cannot overflow."""
    largest = ml_dtypes.finfo(theirs).max.astype(np.float32)
    return np.clip(x, -largest, largest).astype(theirs).view(np.uint8)


def around_ties(theirs):
    """What lies between two neighbours, of whom the last has no code, and the floats beside it."""
    values = np.arange(128, dtype=np.uint8).view(theirs).astype(np.float64)
    values = values[np.isfinite(values)]
    values = np.append(values, 2 * values[-1] - values[-2])
    ties = np.float32((values[1:] + values[:-1]) / 2)
    positive = np.concatenate([ties, *(np.nextafter(ties, np.float32(end)) for end in (0, np.inf))])
    return np.concatenate([positive, -positive])


def floats(theirs):
    """Around ties; then all there are, or one of 257, 2^24 at a time."""
    yield around_ties(theirs)
    stride = 1 if os.environ.get("NIBBLE_EVERY_FLOAT") else 257
    for first in range(0, 2**32, 2**24 * stride):
        last = min(first + 2**24 * stride, 2**32)
        yield np.arange(first, last, stride, dtype=np.uint64).astype(np.uint32).view(np.float32)


def cast_of_onnxruntime(theirs):
    """x -> codes by ONNX Runtime, saturating; None where it is not installed."""
    try:
        import onnx
        import onnxruntime
    except ImportError as missing:
        print(f"ONNX Runtime not asked: {missing}")
        return None
    types = {ml_dtypes.float8_e4m3fn: onnx.TensorProto.FLOAT8E4M3FN,
             ml_dtypes.float8_e5m2: onnx.TensorProto.FLOAT8E5M2}
    info = onnx.helper.make_tensor_value_info
    nodes = [onnx.helper.make_node("Cast", ["x"], ["y"], to=types[theirs], saturate=1),
             onnx.helper.make_node("Cast", ["y"], ["z"], to=onnx.TensorProto.FLOAT)]
    graph = onnx.helper.make_graph(nodes, "cast", [info("x", onnx.TensorProto.FLOAT, [None])],
                                   [info("z", onnx.TensorProto.FLOAT, [None])])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 19)])
    model.ir_version = 9
    session = onnxruntime.InferenceSession(model.SerializeToString(),
                                           providers=["CPUExecutionProvider"])
    return lambda x: session.run(None, {"x": x})[0]


def compare_format(name, theirs, to, of):
    codes = np.arange(256, dtype=np.uint8)
    wrong = report(f"{name}, codes", decoded(of, codes).view(np.uint32),
                   codes.view(theirs).astype(np.float32).view(np.uint32))
    count, differ = 0, [0, 0]
    for x in floats(theirs):
        count += len(x)
        differ[0] += int((encoded(to, x, NON_FINITE) != x.astype(theirs).view(np.uint8)).sum())
        differ[1] += int((encoded(to, x, SATURATE) != saturated(x, theirs)).sum())
    print(f"{name}, floats: {count:,}, {differ[0]:,} differ; saturated {differ[1]:,}")
    cast = cast_of_onnxruntime(theirs)
    if cast:
        x = np.random.default_rng(11).integers(0, 2**32, 4_000_000, dtype=np.uint32)
        x = np.concatenate([x.view(np.float32), np.float32([464, 465, -1e9, np.inf, -np.inf])])
        own, ort = decoded(of, encoded(to, x, SATURATE)), cast(x)
        nan = np.isnan(x)
        wrong |= report(f"{name}, ONNX Runtime's saturating Cast", own[~nan], ort[~nan])
        wrong |= report(f"{name}, its NaN", np.isnan(own[nan]), np.isnan(ort[nan]))
    return wrong or any(differ)


def in_tensor(ours, x, format, theirs):
    codes = np.empty(len(x), np.uint8)
    ours.quantize_fp8.restype = ctypes.c_float
    scale = ours.quantize_fp8(address(x), address(codes), ctypes.c_size_t(len(x)), format)
    right = np.abs(x).max() / ml_dtypes.finfo(theirs).max.astype(np.float32)
    return np.float32(scale) != right or (codes != saturated(x / right, theirs)).any()


def in_blocks(ours, x, format, theirs, top):
    codes, scales = np.empty(len(x), np.uint8), np.empty(len(x) // 32, np.uint8)
    ours.quantize_mx(address(x), address(codes), ctypes.c_size_t(len(x)), format, address(scales))
    blocks = x.reshape(-1, 32)
    _, exponent = np.frexp(np.abs(blocks).max(1))  # [0.5, 1) * 2^exponent
    right = np.maximum(exponent - 1 - top, -127)
    e8m0 = scales.view(ml_dtypes.float8_e8m0fnu).astype(np.float64)
    steps = np.ldexp(np.float64(blocks), -right[:, None]).astype(np.float32)
    return (e8m0 != np.exp2(right)).any() or (codes != saturated(steps, theirs).ravel()).any()


def main(kit, cxx):
    with tempfile.TemporaryDirectory() as folder, np.errstate(all="ignore"):
        ours = solution(kit, cxx, "11_fp8", "fp8", SHIM, folder)
        e4m3, e5m2 = ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2
        wrong = compare_format("E4M3", e4m3, ours.float_to_e4m3, ours.e4m3_to_float)
        wrong |= compare_format("E5M2", e5m2, ours.float_to_e5m2, ours.e5m2_to_float)
        random, bad = np.random.default_rng(11), [0, 0]
        for i in range(1000):
            x = np.ldexp(random.standard_normal(4096), i % 200 - 100).astype(np.float32)
            x = np.ldexp(x, random.integers(-20, 20, 128).repeat(32)).astype(np.float32)
            for format, theirs, top in ((0, e4m3, 8), (1, e5m2, 15)):
                bad[0] += in_tensor(ours, x, format, theirs)
                bad[1] += in_blocks(ours, x, format, theirs, top)
        print(f"2,000 tensors of 4,096 values: {bad[0]} differ, in blocks {bad[1]}")
    return wrong or any(bad)


if __name__ == "__main__":
    try:
        import ml_dtypes
        import numpy as np
    except ImportError as missing:
        sys.exit(f"not run: {missing}")
    sys.exit(main(*sys.argv[1:]))
