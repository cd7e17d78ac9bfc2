"""Lab 04's quantize_asymmetric beside ONNX Runtime's DynamicQuantizeLinear: scale, zero point and
codes of a million random tensors of 1 to 64 values, around 0 and beside it, from 2^-40 to 2^40. The
lab's rules for zeros alone and for steps below FLT_MIN are its own. Says "not run" where onnx or
onnxruntime is missing.

    python3 grader/tests/dynamic_codes.py KIT CXX [TENSORS]
"""
import ctypes
import sys
import tempfile

from published import address, solution

try:
    import numpy as np
    import onnxruntime
    from onnx import TensorProto, helper
except ImportError as missing:
    sys.exit(print(f"not run: {missing}"))

SHIM = """
#include "asymmetric.hpp"
extern "C" int quantize(const float* x, std::size_t count, float* scale, std::uint8_t* codes) {
  const auto tensor = nibble::quantize_asymmetric({x, count});
  std::ranges::copy(tensor.q, codes);
  *scale = tensor.scale;
  return tensor.zero_point;
}
"""


def dynamic_quantize_linear():
    tensor = helper.make_tensor_value_info
    outputs = [tensor("q", TensorProto.UINT8, ["n"]), tensor("scale", TensorProto.FLOAT, []),
               tensor("zero_point", TensorProto.UINT8, [])]
    node = helper.make_node("DynamicQuantizeLinear", ["x"], [output.name for output in outputs])
    graph = helper.make_graph([node], "quantize", [tensor("x", TensorProto.FLOAT, ["n"])], outputs)
    model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 13)])
    return onnxruntime.InferenceSession(model.SerializeToString(),
                                        providers=["CPUExecutionProvider"])


def random_tensor(random):
    count = int(random.integers(1, 65))
    middle = random.choice([0.0, 0.0, 1.0, -1.0, 30.0])
    return np.float32((random.normal(size=count) + middle) * 2.0 ** random.integers(-40, 41))


def main(kit, cxx, tensors="1000000"):
    session, random = dynamic_quantize_linear(), np.random.default_rng(4)
    with tempfile.TemporaryDirectory() as folder:
        own = solution(kit, cxx, "04_asymmetric", "asymmetric", SHIM, folder)
        differ, codes, scale = 0, np.zeros(64, np.uint8), ctypes.c_float()
        for _ in range(int(tensors)):
            x = random_tensor(random)
            q, wanted_scale, wanted_zero_point = session.run(None, {"x": x})
            zero_point = own.quantize(address(x), ctypes.c_size_t(len(x)), ctypes.byref(scale),
                                      address(codes))
            same = (zero_point == wanted_zero_point and scale.value == wanted_scale
                    and np.array_equal(codes[:len(x)], q))
            differ += not same
    print(f"{tensors} tensors beside ONNX Runtime {onnxruntime.__version__}: {differ} differ")
    sys.exit(differ > 0)


main(*sys.argv[1:])
