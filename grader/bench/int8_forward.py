"""Lab 29's network of codes on lab 15's kernels, beside the same codes in ONNX Runtime: times of one
call on one thread, in turn, and how far the answers are from lab 29's own.

    python3 grader/bench/int8_forward.py KIT CXX [--rounds N] [--json FILE]

Both are called from Python, with buffers that are there already. ONNX Runtime gets the codes as
DequantizeLinear and QuantizeLinear around each Gemm, of which it makes QGemm: with activations in
int8, in uint8, and "exact", with its session.x64quantprecision. Without that it adds two products in
an int16 where there is no VNNI. Says "not run" where onnx or onnxruntime is missing. Ours and the
exact one have to be equal to lab 29's answer in every bit.
"""
import argparse
import ctypes
import json
import os
import platform
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from published import address, solution

try:
    import numpy as np
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper
except ImportError as missing:
    sys.exit(print(f"not run: {missing}"))

NETS = ((784, 128, 64, 10), (784, 1024, 1024, 10), (384, 1536, 384))
BATCHES = (1, 32)
KINDS = {"int8": np.int8, "uint8": np.uint8, "exact": np.uint8}  # activations, in ONNX Runtime
SEEN = 256  # rows that a net is quantized for
LEAST_TIME = 2e-4  # seconds in which a call is repeated, so that the clock has something to see

HEAD = """\
| net | batch | ours | exact | int8 | uint8 | ours to exact | ours to the fastest | the fastest is off by |
| --- | --: | --: | --: | --: | --: | --: | --: | --: |"""

LAB_29 = """
#include "quantized_linear.hpp"
#include "nibble/net/train.hpp"
using namespace nibble;
extern "C" void* quantized(const int* sizes, int count, int seed, const float* x, int rows) {
  const Mlp net = untrained(std::vector<std::size_t>(sizes, sizes + count), seed);
  FloatModel model{{sizes, sizes + count}, {}, {}, false};
  for (const Linear& layer : net.layers) {
    model.weights.insert(model.weights.end(), layer.weight.begin(), layer.weight.end());
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      model.biases.push_back(0.01f * float(int(o % 7) - 3));  // untrained() has only zeros
    }
  }
  return new QuantizedModel(quantize_model(model, {x, std::size_t(rows) * sizes[0]}, {}));
}
extern "C" void lists(const void* model, std::int8_t* weight, float* w_scale, std::int32_t* bias,
                      float* a_scale, std::int32_t* a_zero_point) {
  const auto& from = *static_cast<const QuantizedModel*>(model);
  std::ranges::copy(from.weight, weight);
  std::ranges::copy(from.w_scale, w_scale);
  std::ranges::copy(from.bias, bias);
  std::ranges::copy(from.a_scale, a_scale);
  std::ranges::copy(from.a_zero_point, a_zero_point);
}
extern "C" void forward(const void* model, const float* x, int rows, float* y) {
  const auto& net = *static_cast<const QuantizedModel*>(model);
  std::ranges::copy(forward_static(net, {x, std::size_t(rows) * net.sizes[0]}), y);
}
"""

# What a program for a net would do around the kernel. To enter takes lab 29's zero point, which lab
# 15's quantize() has not. A bias joins a sum on its way to a code, with what the zero point adds to
# each of them.
# The code of real 0 is -128 behind a ReLU, so clamping to int8 is the ReLU.
LAB_15 = """
#include "cpu_simd.hpp"
using namespace nibble;
struct Layer {
  int inputs, outputs;
  float a_scale;
  std::int32_t a_zero_point;
  std::span<std::int8_t> packed;
  std::vector<std::int32_t> bias;
  std::vector<float> factor;
};
struct Net {
  Isa isa = best_isa(isas_here(), Isa::kAmxInt8);
  std::vector<Layer> layers;
  std::vector<std::int8_t> codes;
  std::vector<std::int32_t> acc;
};
extern "C" void* make() { return new Net; }
extern "C" const char* isa_of(const void* net) {
  return name_of(static_cast<const Net*>(net)->isa).data();
}
extern "C" void add(void* net, int inputs, int outputs, const std::int8_t* weight,
                    const std::int32_t* bias, const float* factor, float a_scale,
                    std::int32_t a_zero_point) {
  Net& all = *static_cast<Net*>(net);
  const MatmulShape shape{1, outputs, inputs};
  const std::size_t bytes = packed_size(all.isa, shape), n = outputs, k = inputs;
  auto* packed = static_cast<std::int8_t*>(::operator new(bytes, std::align_val_t{64}));
  pack_b(all.isa, {weight, n * k}, {packed, bytes}, shape);
  Layer layer{inputs,          outputs,          a_scale,           a_zero_point,
              {packed, bytes}, {bias, bias + n}, {factor, factor + n}};
  for (std::size_t i = 0; i < n * k; ++i) layer.bias[i / k] -= a_zero_point * weight[i];
  all.layers.push_back(layer);
}
static void enter(const float* __restrict x, float scale, float zero_point,
                  std::int8_t* __restrict q, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const float code = std::nearbyint(x[i] / scale) + zero_point;
    q[i] = std::int8_t(std::min(std::max(code, -128.0f), 127.0f));
  }
}
static void hand_on(const std::int32_t* __restrict acc, const std::int32_t* __restrict bias,
                    const float* __restrict factor, float zero_point, std::int8_t* __restrict q,
                    std::size_t count) {
  for (std::size_t o = 0; o < count; ++o) {
    const float code = std::nearbyint(float(acc[o] + bias[o]) * factor[o]) + zero_point;
    q[o] = std::int8_t(std::min(std::max(code, -128.0f), 127.0f));
  }
}
static void leave(const std::int32_t* __restrict acc, const std::int32_t* __restrict bias,
                  const float* __restrict factor, float* __restrict y, std::size_t count) {
  for (std::size_t o = 0; o < count; ++o) y[o] = float(acc[o] + bias[o]) * factor[o];
}
extern "C" void forward(void* net, const float* x, int rows, float* y) {
  auto& [isa, layers, codes, acc] = *static_cast<Net*>(net);
  codes.resize(std::size_t(rows) * layers[0].inputs);
  enter(x, layers[0].a_scale, float(layers[0].a_zero_point), codes.data(), codes.size());
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const Layer& layer = layers[l];
    const std::size_t n = layer.outputs;
    acc.resize(rows * n);
    multiply_packed(isa, codes, layer.packed, acc, {rows, layer.outputs, layer.inputs});
    if (l + 1 < layers.size()) codes.resize(acc.size());
    for (int r = 0; r < rows; ++r) {
      const std::int32_t* const sums = &acc[r * n];
      if (l + 1 < layers.size()) {
        hand_on(sums, layer.bias.data(), layer.factor.data(), float(layers[l + 1].a_zero_point),
                &codes[r * n], n);
      } else {
        leave(sums, layer.bias.data(), layer.factor.data(), y + r * n, n);
      }
    }
  }
}
"""


def declare(library, **functions):
    """Says which arguments a function has: i, f and p, and p before it where it returns one."""
    kinds = {"i": ctypes.c_int, "f": ctypes.c_float, "p": ctypes.c_void_p, "s": ctypes.c_char_p}
    for name, (result, arguments) in functions.items():
        function = getattr(library, name)
        function.restype = kinds.get(result)
        function.argtypes = [kinds[one] for one in arguments]


class Layer:
    def __init__(self, weight, w_scale, bias, a_scale, a_zero_point):
        self.weight, self.w_scale, self.bias = weight, w_scale, bias
        self.a_scale, self.a_zero_point = a_scale, int(a_zero_point)
        self.unit = a_scale * w_scale  # of a sum, float32


class Net:
    """A net of lab 29, for rows of numbers from 0 to 1."""

    def __init__(self, lab, sizes):
        self.lab, self.sizes = lab, sizes
        self.x = np.random.default_rng(1).random((SEEN, sizes[0]), dtype=np.float32)
        self.model = lab.quantized(address(np.int32(sizes)), len(sizes), 1, address(self.x), SEEN)
        shapes = list(zip(sizes[1:], sizes))
        weight = np.zeros(sum(n * k for n, k in shapes), np.int8)
        w_scale, bias = (np.zeros(sum(sizes[1:]), kind) for kind in (np.float32, np.int32))
        a_scale, a_zero_point = (np.zeros(len(shapes), kind) for kind in (np.float32, np.int32))
        lab.lists(self.model, *map(address, (weight, w_scale, bias, a_scale, a_zero_point)))
        ends, rows = np.cumsum([n * k for n, k in shapes]), np.cumsum(sizes[1:])
        parts = zip(shapes, np.split(weight, ends), np.split(w_scale, rows), np.split(bias, rows),
                    a_scale, a_zero_point)
        self.layers = [Layer(w.reshape(shape), *rest) for shape, w, *rest in parts]

    def answers(self, rows):
        y = np.zeros((rows, self.sizes[-1]), np.float32)
        self.lab.forward(self.model, address(self.x), rows, address(y))
        return y


def on_kernels(kernels, net):
    made = kernels.make()
    for layer, after in zip(net.layers, net.layers[1:] + [None]):
        factor = layer.unit / after.a_scale if after else layer.unit
        kernels.add(made, *reversed(layer.weight.shape),
                    *map(address, (layer.weight, layer.bias, np.ascontiguousarray(factor))),
                    layer.a_scale, layer.a_zero_point)
    return made


def onnx_model(net, kind):
    """The codes in ONNX, with activations as int8 or uint8."""
    nodes, constants, name = [], [], "x"
    shift = 128 if kind is np.uint8 else 0

    def constant(name, value):
        constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    for l, layer in enumerate(net.layers):
        scale, zero_point = constant(f"s{l}", layer.a_scale), constant(f"z{l}", kind(layer.a_zero_point + shift))
        # Without zero points, if only of zeros, QGemm is not made of it.
        weight = [constant(f"w{l}", layer.weight), constant(f"ws{l}", layer.w_scale),
                  constant(f"wz{l}", np.zeros_like(layer.w_scale, np.int8))]
        bias = [constant(f"b{l}", layer.bias), constant(f"bs{l}", layer.unit),
                constant(f"bz{l}", np.zeros_like(layer.bias))]
        nodes += [helper.make_node("QuantizeLinear", [name, scale, zero_point], [f"q{l}"]),
                  helper.make_node("DequantizeLinear", [f"q{l}", scale, zero_point], [f"a{l}"]),
                  helper.make_node("DequantizeLinear", weight, [f"wf{l}"], axis=0),
                  helper.make_node("DequantizeLinear", bias, [f"bf{l}"], axis=0),
                  helper.make_node("Gemm", [f"a{l}", f"wf{l}", f"bf{l}"], [f"y{l}"], transB=1)]
        name = f"y{l}"
        if l + 1 < len(net.layers):
            nodes.append(helper.make_node("Relu", [name], [f"h{l}"]))
            name = f"h{l}"
    ends = [helper.make_tensor_value_info(end, TensorProto.FLOAT, [None, size])
            for end, size in (("x", net.sizes[0]), (name, net.sizes[-1]))]
    graph = helper.make_graph(nodes, "net", ends[:1], ends[1:], constants)
    return helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 17)])


class Runtime:
    """A model in ONNX Runtime, on one thread."""

    def __init__(self, model, folder, exact=False):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        if exact:  # weights become uint8, whose products are added in 32 bits on any x86-64
            options.add_session_config_entry("session.x64quantprecision", "1")
        options.optimized_model_filepath = os.path.join(folder, "optimized.onnx")
        self.session = onnxruntime.InferenceSession(model.SerializeToString(), options,
                                                    providers=["CPUExecutionProvider"])
        self.nodes = [node.op_type for node in onnx.load(options.optimized_model_filepath).graph.node]

    def bound(self, x, y):
        """A call with these buffers."""
        ends = self.session.io_binding()
        ends.bind_input("x", "cpu", 0, np.float32, x.shape, x.ctypes.data)
        ends.bind_output(self.session.get_outputs()[0].name, "cpu", 0, np.float32, y.shape, y.ctypes.data)
        return lambda: self.session.run_with_iobinding(ends)


def seconds_of(call):
    begin, calls = time.perf_counter(), 0
    while (spent := time.perf_counter() - begin) < LEAST_TIME or calls == 0:
        call()
        calls += 1
    return spent / calls


def interval(values):
    """The median, and where the middle 95 % of 1,000 resampled medians lie."""
    values = np.array(values)
    drawn = np.random.default_rng(1).choice(values, (1000, len(values)))
    return [float(np.median(values)), *map(float, np.percentile(np.median(drawn, axis=1), (2.5, 97.5)))]


def measured(calls, rounds):
    """Seconds of each call, in turn."""
    for call in calls.values():
        call()
    times = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            times[name].append(seconds_of(call))
    return times


def compare(net, made, kernels, runtimes, rows, rounds):
    x = np.ascontiguousarray(net.x[:rows])
    found = {name: np.zeros((rows, net.sizes[-1]), np.float32) for name in ("ours", *runtimes)}
    to, start = address(found["ours"]), address(x)
    calls = {"ours": lambda: kernels.forward(made, start, rows, to)}
    calls |= {name: one.bound(x, found[name]) for name, one in runtimes.items()}
    times = measured(calls, rounds)
    fastest = min(runtimes, key=lambda name: np.median(times[name]))
    answers = net.answers(rows)
    return {
        "net": list(net.sizes), "batch": rows,
        "microseconds": {name: [1e6 * one for one in interval(each)] for name, each in times.items()},
        "fastest": fastest,
        "ratio_to_exact": ratio(times, "exact"), "ratio_to_fastest": ratio(times, fastest),
        "off": {name: float(np.abs(found[name] - answers).max()) for name in found},
        "largest": float(np.abs(answers).max()),
    }


def ratio(times, name):
    return interval([a / b for a, b in zip(times["ours"], times[name])])


def row(one):
    times = [f"{one['microseconds'][name][0]:.1f}" for name in ("ours", "exact", "int8", "uint8")]
    ratios = ["{:.2f} ({:.2f} to {:.2f})".format(*one[name])
              for name in ("ratio_to_exact", "ratio_to_fastest")]
    off = f"{100 * one['off'][one['fastest']] / one['largest']:.1f} %"
    return "| " + " | ".join(["-".join(map(str, one["net"])), str(one["batch"]), *times, *ratios, off]) + " |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kit")
    parser.add_argument("cxx")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--json")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lab = solution(words.kit, words.cxx, "29_quantized_linear", "quantized_linear", LAB_29, folder)
        declare(lab, quantized=("p", "piipi"), lists=("", "pppppp"), forward=("", "ppip"))
        kernels = solution(words.kit, words.cxx, "15_cpu_simd", "cpu_simd", LAB_15, folder,
                           "-O3", *(["-march=x86-64-v3"] if platform.machine() == "x86_64" else []))
        declare(kernels, make=("p", ""), isa_of=("s", "p"), add=("", "piipppfi"), forward=("", "ppip"))
        found = []
        for sizes in NETS:
            net = Net(lab, sizes)
            made = on_kernels(kernels, net)
            runtimes = {name: Runtime(onnx_model(net, kind), folder, name == "exact")
                        for name, kind in KINDS.items()}
            found += [compare(net, made, kernels, runtimes, rows, words.rounds) for rows in BATCHES]
        isa = kernels.isa_of(made).decode()
        nodes = sorted({node for one in runtimes.values() for node in one.nodes})
    print(f"onnxruntime {onnxruntime.__version__} ({', '.join(nodes)}), ours on {isa}, one thread, "
          f"{words.rounds} rounds; us a call\n")
    print(HEAD, *map(row, found), sep="\n")
    if words.json:
        about = {"onnxruntime": onnxruntime.__version__, "isa": isa, "rounds": words.rounds, "nodes": nodes}
        Path(words.json).write_text(json.dumps({**about, "rows": found}, indent=1) + "\n")
    wrong = [one for one in found if one["off"]["ours"] or one["off"]["exact"]]
    return f"not lab 29's answer: {wrong}" if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
