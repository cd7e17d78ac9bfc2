"""Compares lab 08's solution with LiteRT (TFLite), code for code. Models of one operation, written
with LiteRT's own schema, are run by its reference kernels, by its optimized kernels, and as it runs
them by itself (XNNPACK). The reference kernels have to agree with one of the two roundings in every
code; what the others do is counted. Says "not run" where the package ai-edge-litert is missing.

    python3 grader/tests/litert_codes.py KIT CXX
"""
import ctypes
import sys
import tempfile

from published import address, solution

try:
    import flatbuffers
    import numpy as np
    from ai_edge_litert import interpreter as litert
    from ai_edge_litert import schema_py_generated as schema
except ImportError as missing:
    sys.exit(print(f"not run: {missing}"))

KERNELS = {
    "reference": litert.OpResolverType.BUILTIN_REF,
    "optimized": litert.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
    "default": litert.OpResolverType.BUILTIN,
}
ROUNDINGS = {"single": 0, "double": 1}
SEEDS = (1, 2, 3)
SHIM = """
#include "requantization.hpp"
using namespace nibble;
using Codes = std::vector<std::int8_t>;

extern "C" void added(const std::int8_t* a, float a_scale, int za, const std::int8_t* b,
                      float b_scale, int zb, std::int64_t count, float c_scale, int zc,
                      int rounding, std::int8_t* c) {
  const QuantizedTensor left{Codes(a, a + count), a_scale, za};
  const QuantizedTensor right{Codes(b, b + count), b_scale, zb};
  std::ranges::copy(add_quantized(left, right, c_scale, zc, Rounding(rounding)), c);
}

extern "C" void averaged(const std::int8_t* x, std::int64_t count, int channels, int window,
                         std::int8_t* c) {
  std::ranges::copy(average_quantized({x, std::size_t(count)}, channels, window), c);
}

extern "C" void requantized(const std::int32_t* acc, std::int64_t count, const std::int32_t* bias,
                            const double* factors, std::int64_t n, int activation, float c_scale,
                            int zero_point, int rounding, std::int8_t* c) {
  const std::span all(acc, std::size_t(count)), biases(bias, std::size_t(n));
  const QuantizedMultiplier quantized = quantize_multiplier({factors, std::size_t(n)});
  std::ranges::copy(
      activation < 0 ? requantize(all, biases, quantized, zero_point, Rounding(rounding))
                     : requantize_relu(all, biases, quantized, c_scale, zero_point,
                                       Activation(activation), Rounding(rounding)),
      c);
}
"""


def call(function, count, *arguments):
    """function(*arguments, c), where c has room for so many codes; arrays go by their address."""
    c = np.empty(count, np.int8)
    words = []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            words.append(address(argument))
        else:
            words.append(argument)
    function(*words, address(c))
    return c.astype(int)


class Model:
    """Tensors and one operation, as the bytes of a .tflite file."""

    def __init__(self):
        self.graph = schema.SubGraphT()
        self.graph.tensors, self.graph.inputs = [], []
        self.buffers = [schema.BufferT()]

    def tensor(self, shape, scales, zero_point, values=None, dtype="int8"):
        tensor = schema.TensorT()
        tensor.shape = list(shape)
        tensor.type = {"int8": schema.TensorType.INT8, "int32": schema.TensorType.INT32}[dtype]
        tensor.quantization = schema.QuantizationParametersT()
        tensor.quantization.scale = [float(s) for s in scales]
        tensor.quantization.zeroPoint = [int(zero_point)] * len(scales)
        tensor.quantization.quantizedDimension = 0
        if values is not None:
            tensor.buffer = len(self.buffers)
            self.buffers.append(schema.BufferT())
            self.buffers[-1].data = list(values.astype(dtype).tobytes())
        else:
            tensor.buffer = 0
        self.graph.tensors.append(tensor)
        return len(self.graph.tensors) - 1

    def finish(self, operator, version, options_type, options, inputs, fed, output):
        code = schema.OperatorCodeT()
        code.builtinCode = code.deprecatedBuiltinCode = operator
        code.version = version
        node = schema.OperatorT()
        node.inputs, node.outputs = inputs, [output]
        node.builtinOptionsType, node.builtinOptions = options_type, options
        self.graph.operators = [node]
        self.graph.inputs, self.graph.outputs = fed, [output]
        model = schema.ModelT()
        model.version = 3
        model.subgraphs, model.operatorCodes, model.buffers = [self.graph], [code], self.buffers
        builder = flatbuffers.Builder(1 << 16)
        builder.Finish(model.Pack(builder), b"TFL3")
        return bytes(builder.Output())


def run(model, kernels, values):
    asked = litert.Interpreter(model_content=model, num_threads=1,
                               experimental_op_resolver_type=kernels)
    asked.allocate_tensors()
    for where, value in zip(asked.get_input_details(), values):
        asked.set_tensor(where["index"], value)
    asked.invoke()
    return asked.get_tensor(asked.get_output_details()[0]["index"]).ravel().astype(int)


def codes(random, shape):
    return random.integers(-128, 128, shape).astype(np.int8)


def scale(random):
    return float(np.float32(np.exp(random.uniform(np.log(1e-3), np.log(1.0)))))


def power_of_two(random):
    return float(2.0 ** random.integers(-4, 0))


def added(random, own):
    a, b = (np.repeat(np.arange(-128, 128), 256).astype(np.int8),
            np.tile(np.arange(-128, 128), 256).astype(np.int8))
    if random.integers(2):
        a_scale, b_scale = scale(random), scale(random)
        c_scale = float(np.float32(max(a_scale, b_scale) * random.uniform(0.5, 2)))
    else:  # halves are exact here, and the two roundings send them to different sides
        a_scale, b_scale = power_of_two(random), power_of_two(random)
        c_scale = 2 * max(a_scale, b_scale)
    za, zb, zc = (int(z) for z in random.integers(-128, 128, 3))
    model, options = Model(), schema.AddOptionsT()
    inputs = [model.tensor([1, len(a)], [a_scale], za), model.tensor([1, len(b)], [b_scale], zb)]
    output = model.tensor([1, len(a)], [c_scale], zc)
    content = model.finish(schema.BuiltinOperator.ADD, 2, schema.BuiltinOptions.AddOptions, options,
                           inputs, inputs, output)
    grids = [[q, ctypes.c_float(scale), zero_point]
             for q, scale, zero_point in ((a, a_scale, za), (b, b_scale, zb))]
    ours = {name: call(own.added, len(a), *grids[0], *grids[1], ctypes.c_int64(len(a)),
                       ctypes.c_float(c_scale), zc, r) for name, r in ROUNDINGS.items()}
    return content, [a[None], b[None]], ours


def averaged(random, own):
    windows, window, channels = 40, int(random.integers(1, 9)), 16
    rows = windows * window - (window == 2)  # SAME puts the row that is missing at the end
    x = codes(random, (rows, channels))
    model, options = Model(), schema.Pool2DOptionsT()
    options.padding = schema.Padding.SAME if window == 2 else schema.Padding.VALID
    options.strideH = options.filterHeight = window
    options.strideW = options.filterWidth = 1
    grid = [scale(random)], int(random.integers(-128, 128))
    source = model.tensor([1, rows, 1, channels], *grid)
    output = model.tensor([1, windows, 1, channels], *grid)
    content = model.finish(schema.BuiltinOperator.AVERAGE_POOL_2D, 2,
                           schema.BuiltinOptions.Pool2DOptions, options, [source], [source], output)
    ours = call(own.averaged, windows * channels, x, ctypes.c_int64(x.size), channels, window)
    return content, [x.reshape(1, -1, 1, channels)], {name: ours for name in ROUNDINGS}


def connected(random, own):
    m, n, k = 64, 32, 48
    a, weights = codes(random, (m, k)), random.integers(-127, 128, (n, k)).astype(np.int8)
    bias = random.integers(-20000, 20000, n).astype(np.int32)
    a_scale, w_scales = scale(random), [scale(random) for _ in range(n)]
    za, zc = (int(z) for z in random.integers(-128, 128, 2))
    acc = (a.astype(np.int64) - za) @ weights.T.astype(np.int64)
    c_scale = float(np.float32(a_scale * np.median(w_scales) * np.abs(acc).std() / 60))
    activation = int(random.integers(-1, 2))
    model, options = Model(), schema.FullyConnectedOptionsT()
    options.fusedActivationFunction = {
        -1: schema.ActivationFunctionType.NONE, 0: schema.ActivationFunctionType.RELU,
        1: schema.ActivationFunctionType.RELU6}[activation]
    source = model.tensor([m, k], [a_scale], za)
    inputs = [source, model.tensor([n, k], w_scales, 0, weights),
              model.tensor([n], [a_scale * s for s in w_scales], 0, bias, "int32")]
    output = model.tensor([m, n], [c_scale], zc)
    content = model.finish(schema.BuiltinOperator.FULLY_CONNECTED, 5,
                           schema.BuiltinOptions.FullyConnectedOptions, options, inputs, [source],
                           output)
    factors = np.array([a_scale * s / c_scale for s in w_scales])
    sums = np.ascontiguousarray(acc, np.int32)
    ours = {name: call(own.requantized, m * n, sums, ctypes.c_int64(m * n), bias, factors,
                       ctypes.c_int64(n), activation, ctypes.c_float(c_scale), zc, r)
            for name, r in ROUNDINGS.items()}
    return content, [a], ours


def compare(what, kernels, rounds, make, own):
    """Whether the reference kernels agree with neither rounding."""
    disagree = False
    for seed in SEEDS:
        random = np.random.default_rng(seed)
        total, differ, furthest = 0, dict.fromkeys(ROUNDINGS, 0), 0
        for _ in range(rounds):
            content, values, ours = make(random, own)
            theirs = run(content, KERNELS[kernels], values)
            total += len(theirs)
            for name, got in ours.items():
                differ[name] += int((got != theirs).sum())
                furthest = max(furthest, int(np.abs(got - theirs).max()))
        print(f"{what:16} {kernels:10} seed {seed}: of {total} codes differ from single "
              f"{differ['single']}, from double {differ['double']}; at most by {furthest}")
        disagree |= kernels == "reference" and min(differ.values()) > 0
    return disagree


def main(kit, cxx):
    with tempfile.TemporaryDirectory() as folder:
        own = solution(kit, cxx, "08_requantization", "requantization", SHIM, folder)
        disagree = [compare(what, kernels, rounds, make, own)
                    for what, make, rounds in (("ADD", added, 6), ("AVERAGE_POOL_2D", averaged, 16),
                                               ("FULLY_CONNECTED", connected, 20))
                    for kernels in KERNELS]
    sys.exit(any(disagree))


main(*sys.argv[1:])
