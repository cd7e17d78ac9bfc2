"""Lab 29's quantized networks beside those that PyTorch's and ONNX Runtime's own quantizers make: the
same float weights, the same images. Per cent of images named right, by five nets that have learnt the
glyphs; in their mean no quantizer may be more than 0.3 points away from float, and none of the lab's
more than 0.3 points below another library's. Prints the table of chapter 29. Says "not run" where
onnxruntime is missing, and leaves PyTorch out where torch is.

    python3 grader/tests/quantized_nets.py KIT CXX
"""
import ctypes
import logging
import os
import platform
import sys
import tempfile
import warnings

from published import address, solution

try:
    import numpy as np
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper
    from onnxruntime import quantization
except ImportError as missing:
    sys.exit(print(f"not run: {missing}"))
try:
    import torch
except ImportError:
    torch = None

SEEDS = (1, 2, 3, 4, 5)
ALLOWED = 0.3  # points of a mean of SEEDS: of one net they would be luck
SIZES = (784, 64, 32, 10)
SEEN, UNSEEN, CALIBRATED = 4000, 4000, 200

SHIM = """
#include "quantized_linear.hpp"
#include "nibble/net/glyphs.hpp"
#include "nibble/net/train.hpp"
using namespace nibble;
extern "C" void learn(int seed, const int* sizes, int seen, int unseen, float* weights, float* biases,
                      float* seen_x, float* x, std::uint8_t* labels) {
  const Images images = make_glyphs(seen, 2 * seed), others = make_glyphs(unseen, 2 * seed + 1);
  Mlp net = untrained(std::vector<std::size_t>(sizes, sizes + 4), seed);
  train(net, images, {.epochs = 5, .seed = std::uint64_t(seed)});
  for (const Linear& layer : net.layers) {
    weights = std::ranges::copy(layer.weight, weights).out;
    biases = std::ranges::copy(layer.bias, biases).out;
  }
  std::ranges::copy(as_floats(images, 0, seen), seen_x);
  std::ranges::copy(as_floats(others, 0, unseen), x);
  std::ranges::copy(others.labels, labels);
}
extern "C" void scores(const int* sizes, const float* weights, const float* biases, const float* seen,
                       int calibrated, const float* x, int rows, int way, float* y) {
  FloatModel net{{sizes, sizes + 4}, {}, {}, false};
  std::size_t w = 0, b = 0;
  for (int l = 0; l < 3; ++l) w += sizes[l] * sizes[l + 1], b += sizes[l + 1];
  net.weights.assign(weights, weights + w);
  net.biases.assign(biases, biases + b);
  const auto model = quantize_model(net, {seen, std::size_t(calibrated) * sizes[0]}, {});
  const std::span all(x, std::size_t(rows) * sizes[0]);
  std::ranges::copy(way == 0   ? layer_inputs(net, all).back()
                    : way == 1 ? forward_weight_only(model, all)
                    : way == 2 ? forward_dynamic(model, all)
                               : forward_static(model, all), y);
}
"""


class Net:
    """A net that has learnt, and images: as arrays."""

    def __init__(self, own, seed):
        self.own, self.sizes = own, np.int32(SIZES)
        pairs = list(zip(SIZES, SIZES[1:]))
        self.weights = np.zeros(sum(a * b for a, b in pairs), np.float32)
        self.biases = np.zeros(sum(b for _, b in pairs), np.float32)
        self.seen, self.x = (np.zeros((n, SIZES[0]), np.float32) for n in (SEEN, UNSEEN))
        self.labels = np.zeros(UNSEEN, np.uint8)
        own.learn(seed, address(self.sizes), SEEN, UNSEEN, *map(address, (
            self.weights, self.biases, self.seen, self.x, self.labels)))
        ends = np.cumsum([a * b for a, b in pairs])
        self.layers = [(w.reshape(b, a), bias) for (a, b), w, bias in zip(
            pairs, np.split(self.weights, ends[:-1]), np.split(self.biases, np.cumsum(SIZES[1:-1])))]

    def percent(self, scores):
        return 100 * float(np.mean(np.argmax(scores, axis=1) == self.labels))

    def ours(self, way):
        y = np.zeros((UNSEEN, SIZES[-1]), np.float32)
        self.own.scores(*map(address, (self.sizes, self.weights, self.biases, self.seen)),
                        CALIBRATED, address(self.x), UNSEEN, way, address(y))
        return self.percent(y)


def onnx_model(net, path):
    """Gemm with transB, and Relu: as frameworks export a net."""
    nodes, constants, name = [], [], "x"
    for l, (weight, bias) in enumerate(net.layers):
        constants += [numpy_helper.from_array(weight, f"w{l}"), numpy_helper.from_array(bias, f"b{l}")]
        nodes.append(helper.make_node("Gemm", [name, f"w{l}", f"b{l}"], [f"y{l}"], transB=1))
        name = f"y{l}"
        if l + 1 < len(net.layers):
            nodes.append(helper.make_node("Relu", [name], [f"h{l}"]))
            name = f"h{l}"
    ends = [helper.make_tensor_value_info(end, TensorProto.FLOAT, [None, size])
            for end, size in (("x", SIZES[0]), (name, SIZES[-1]))]
    graph = helper.make_graph(nodes, "net", ends[:1], ends[1:], constants)
    onnx.save(helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 17)]), path)


class Samples(quantization.CalibrationDataReader):
    def __init__(self, x):
        self.rows = iter([{"x": x}])

    def get_next(self):
        return next(self.rows, None)


def onnx_runtime(net, folder):
    """Its static and its dynamic quantizer, with weights per channel."""
    paths = {way: os.path.join(folder, way + ".onnx") for way in ("float", "static", "dynamic")}
    onnx_model(net, paths["float"])
    quantization.quantize_static(
        paths["float"], paths["static"], Samples(net.seen[:CALIBRATED]), per_channel=True,
        activation_type=quantization.QuantType.QInt8, weight_type=quantization.QuantType.QInt8)
    quantization.quantize_dynamic(paths["float"], paths["dynamic"], per_channel=True,
                                  weight_type=quantization.QuantType.QInt8)
    found = {}
    for way in ("dynamic", "static"):
        session = onnxruntime.InferenceSession(paths[way], providers=["CPUExecutionProvider"])
        found["ONNX Runtime, " + way] = net.percent(session.run(None, {"x": net.x})[0])
    return found


def pytorch(net):
    """Its eager quantizers, with the engine for x86."""
    from torch.ao import quantization as ao
    torch.backends.quantized.engine = "fbgemm"
    parts = []
    for weight, bias in net.layers:
        layer = torch.nn.Linear(*reversed(weight.shape))
        layer.load_state_dict({"weight": torch.tensor(weight), "bias": torch.tensor(bias)})
        parts += [layer, torch.nn.ReLU()]
    model = torch.nn.Sequential(*parts[:-1]).eval()
    x, seen = torch.tensor(net.x), torch.tensor(net.seen[:CALIBRATED])
    dynamic = ao.quantize_dynamic(model, {torch.nn.Linear}, dtype=torch.qint8)
    static = ao.QuantWrapper(model).eval()
    static.qconfig = ao.get_default_qconfig("fbgemm")
    prepared = ao.prepare(static)
    prepared(seen)
    converted = ao.convert(prepared)
    with torch.no_grad():
        return {"PyTorch, dynamic": net.percent(dynamic(x).numpy()),
                "PyTorch, static": net.percent(converted(x).numpy())}


def main(kit, cxx):
    warnings.simplefilter("ignore")
    logging.getLogger().setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        own = solution(kit, cxx, "29_quantized_linear", "quantized_linear", SHIM, folder)
        found = {}
        for seed in SEEDS:
            net = Net(own, seed)
            one = {name: net.ours(way) for way, name in enumerate(
                ("float", "lab 29, weight-only", "lab 29, dynamic", "lab 29, static"))}
            one |= onnx_runtime(net, folder)
            if torch:
                one |= pytorch(net)
            for name, percent in one.items():
                found.setdefault(name, []).append(percent)
    print(f"onnxruntime {onnxruntime.__version__}, torch {torch.__version__ if torch else 'not here'}, "
          f"{platform.machine()}; {UNSEEN} images for each seed {SEEDS}")
    print("|  |", *(f"seed {seed} |" for seed in SEEDS), "mean |")
    print("|" + " --- |" * (len(SEEDS) + 2))
    for name, each in found.items():
        print(f"| {name} |", *(f"{one:.2f} |" for one in (*each, np.mean(each))))
    return "\n".join(too_far({name: np.mean(each) for name, each in found.items()})) or 0


def too_far(means):
    """What is further away than is allowed, from float or from another library."""
    for name, mean in means.items():
        if abs(mean - means["float"]) > ALLOWED:
            yield f"{name} is {abs(mean - means['float']):.2f} points away from float"
        ours = means.get("lab 29, " + name.split(", ")[-1], mean)
        if mean - ours > ALLOWED:
            yield f"lab 29 is {mean - ours:.2f} points below {name}"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
