"""Lab 09's folded layer beside ONNX Runtime's QGemm, code for code: int8 codes of both operands, a
scale an output, both zero points, an int32 bias. QGemm takes the zero point of its input off itself;
the lab's layer has it in its bias. Says "not run" where onnx or onnxruntime is missing.

    python3 grader/tests/folded_codes.py KIT CXX
"""
import ctypes
import sys
import tempfile

from published import address, solution

try:
    import numpy as np
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper
except ImportError as missing:
    sys.exit(print(f"not run: {missing}"))

SHIM = """
#include "fake_quant.hpp"
using namespace nibble;
extern "C" void folded(const float* x, int rows, int inputs, const float* weight,
                       const float* weight_scales, const float* bias, int outputs,
                       const float* scales, const int* zeros, std::int8_t* codes,
                       std::int8_t* weight_codes, std::int32_t* biases, float* y) {
  const FakeLayer layer{{weight, weight + outputs * inputs}, {weight_scales, weight_scales + outputs},
                        {bias, bias + outputs}, scales[0], zeros[0], scales[1], zeros[1]};
  const std::span all(x, std::size_t(rows) * inputs);
  const IntegerLayer integers = fold_to_integers(layer);
  std::vector<std::int8_t> q;
  for (const float value : all) {
    q.push_back(std::int8_t(std::clamp(std::nearbyint(value / scales[0]) + zeros[0], -128.f, 127.f)));
  }
  std::ranges::copy(integer_linear(q, integers), codes);
  std::ranges::copy(integers.weight, weight_codes);
  std::ranges::copy(integers.bias, biases);
  std::ranges::copy(fake_linear(all, layer), y);
}
"""


def gemm_of_onnx_runtime(q, layer, weight_codes, bias):
    names = ["q", "xs", "xz", "w", "ws", "wz", "b", "ys", "yz"]
    values = [q, layer["scales"][0], np.int8(layer["zeros"][0]), weight_codes,
              layer["weight_scales"], np.zeros(len(bias), np.int8), bias, layer["scales"][1],
              np.int8(layer["zeros"][1])]
    values = [np.asarray(value) for value in values]
    inputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(v.dtype), v.shape)
              for name, v in zip(names, values)]
    node = helper.make_node("QGemm", names, ["y"], domain="com.microsoft", transB=1)
    output = helper.make_tensor_value_info("y", TensorProto.INT8, [len(q), len(bias)])
    model = helper.make_model(
        helper.make_graph([node], "gemm", inputs, [output]), ir_version=10,
        opset_imports=[helper.make_opsetid("", 13), helper.make_opsetid("com.microsoft", 1)])
    session = onnxruntime.InferenceSession(model.SerializeToString(),
                                           providers=["CPUExecutionProvider"])
    return session.run(None, dict(zip(names, values)))[0]


def compare(own, seed, decimal):
    """How many codes there are, and how many differ: from ONNX Runtime, from the trained form."""
    random = np.random.default_rng(seed)
    rows, inputs, outputs = (int(random.integers(1, top)) for top in (9, 300, 40))
    scales = np.float32([0.1, 0.1] if decimal else random.uniform(0.01, 0.1, 2))
    scales[1] *= np.float32(np.ceil(np.sqrt(inputs) / 4))
    layer = {"scales": scales, "zeros": np.int32(random.integers(-128, 128, 2)),
             "weight_scales": np.full(outputs, 0.1, np.float32) if decimal
             else np.float32(random.uniform(0.005, 0.1, outputs))}
    x = np.float32(random.normal(size=(rows, inputs)))
    weight, bias = (np.float32(random.normal(size=size)) for size in ((outputs, inputs), outputs))
    codes, y = np.zeros((rows, outputs), np.int8), np.zeros((rows, outputs), np.float32)
    weight_codes, biases = np.zeros(weight.shape, np.int8), np.zeros(outputs, np.int32)
    own.folded(address(x), rows, inputs, address(weight), address(layer["weight_scales"]),
               address(bias), outputs, address(scales), address(layer["zeros"]), address(codes),
               address(weight_codes), address(biases), address(y))
    zero = layer["zeros"][0]
    q = np.clip(np.rint(x / scales[0]) + zero, -128, 127).astype(np.int8)
    unfolded = biases + zero * weight_codes.sum(axis=1, dtype=np.int32)
    theirs = gemm_of_onnx_runtime(q, layer, weight_codes, unfolded)
    real = scales[1] * np.float32(codes.astype(np.int32) - layer["zeros"][1])
    return codes.size, int((codes != theirs).sum()), int((real != y).sum())


def main(kit, cxx):
    differ = 0
    with tempfile.TemporaryDirectory() as folder:
        own = solution(kit, cxx, "09_fake_quant", "fake_quant", SHIM, folder)
        for decimal in (False, True):
            counts = np.sum([compare(own, seed, decimal) for seed in range(300)], axis=0)
            print(f"{'decimal' if decimal else 'random'} scales, ONNX Runtime "
                  f"{onnxruntime.__version__}: of {counts[0]} codes {counts[1]} differ; "
                  f"{counts[2]} from the trained form")
            differ += counts[1] + counts[2]
    sys.exit(int(differ > 0))


main(*sys.argv[1:])
