"""Has lab 34's solution write the network of common/nibble/net, and looks at the model with the onnx
package: the checker, shape inference. Runs it in ONNX Runtime, and compares with the integers that the
model stands for. Says "not run" of what is not installed.

    python3 grader/tests/onnx_models.py KIT CXX [IMAGES]
"""
import ctypes
import sys
import tempfile

from published import address, solution

# The ranges of training images give uint8 scales of what goes into a layer; weights have a scale an output,
# and codes up to +-qmax.
SHIM = """
#include <algorithm>
#include <cmath>
#include <cstring>
#include "nibble/net/glyphs.hpp"
#include "nibble/net/train.hpp"
#include "onnx_export.hpp"

namespace {
using namespace nibble;

float scale_of(float low, float high, float steps) { return std::max((high - low) / steps, 0x1p-60f); }

void add_layer(QuantizedMlp& net, const Linear& layer, std::span<const float> x, float qmax) {
  const float high = std::max(*std::ranges::max_element(x), 0.0f);
  const float low = std::min(*std::ranges::min_element(x), 0.0f), scale = scale_of(low, high, 255);
  net.sizes.push_back(static_cast<std::int32_t>(layer.outputs));
  net.scales.push_back(scale);
  net.zero_points.push_back(static_cast<std::uint8_t>(std::nearbyint(-low / scale)));
  for (std::size_t o = 0; o < layer.outputs; ++o) {
    const auto row = std::span(layer.weight).subspan(o * layer.inputs, layer.inputs);
    float amax = 0;
    for (const float w : row) amax = std::max(amax, std::fabs(w));
    const float step = scale_of(0, amax, qmax);
    for (const float w : row) net.weights.push_back(static_cast<std::int8_t>(std::nearbyint(w / step)));
    net.weight_scales.push_back(step);
    net.biases.push_back(static_cast<std::int32_t>(std::nearbyint(layer.bias[o] / (scale * step))));
  }
}

QuantizedMlp quantized(const Mlp& net, std::span<const float> x, float qmax) {
  QuantizedMlp all;
  all.sizes.push_back(static_cast<std::int32_t>(net.layers.front().inputs));
  std::vector<float> now(x.begin(), x.end());
  for (const Linear& layer : net.layers) {
    add_layer(all, layer, now, qmax);
    now = linear(layer, now);
    for (float& value : now) value = std::max(value, 0.0f);
  }
  return all;
}

/// The layers in integers: codes, sums in int32, and one product of floats for each output.
std::vector<float> scores(const QuantizedMlp& net, std::span<const float> image) {
  std::vector<float> now(image.begin(), image.end());
  const std::int8_t* w = net.weights.data();
  std::size_t row = 0;
  for (std::size_t l = 0; l < net.scales.size(); ++l) {
    std::vector<std::int32_t> steps;
    for (const float x : now) {
      const float code = std::nearbyint(x / net.scales[l]) + net.zero_points[l];
      steps.push_back(static_cast<std::int32_t>(std::clamp(code, 0.0f, 255.0f)) - net.zero_points[l]);
    }
    now.assign(static_cast<std::size_t>(net.sizes[l + 1]), 0);
    for (float& y : now) {
      std::int32_t sum = net.biases[row];
      for (const std::int32_t step : steps) sum += step * *w++;
      y = static_cast<float>(sum) * (net.scales[l] * net.weight_scales[row++]);
      if (l + 1 < net.scales.size()) y = std::max(y, 0.0f);
    }
  }
  return now;
}

Mlp net;
QuantizedMlp codes;
Images training, tried;
std::vector<std::uint8_t> bytes;
}  // namespace

extern "C" {
void prepare(std::int64_t images) {
  training = make_glyphs(20'000, 1);
  const std::size_t sizes[] = {784, 128, 64, 10};
  net = untrained(sizes, 1);
  train(net, training, {});
  tried = make_glyphs(static_cast<std::size_t>(images), 2);
}
std::int64_t quantize(std::int32_t qmax) {
  codes = quantized(net, as_floats(training, 0, 2000), static_cast<float>(qmax));
  bytes = write_model(codes);
  return static_cast<std::int64_t>(bytes.size());
}
void model(std::uint8_t* to) { std::memcpy(to, bytes.data(), bytes.size()); }
/// x [images, 784], labels [images], by_float and by_integers [images, 10]
void answers(float* x, std::uint8_t* labels, float* by_float, float* by_integers) {
  const std::vector<float> all = as_floats(tried, 0, tried.size()), right = forward(net, all);
  std::ranges::copy(all, x);
  std::ranges::copy(tried.labels, labels);
  std::ranges::copy(right, by_float);
  for (std::size_t i = 0; i < tried.size(); ++i) {
    std::ranges::copy(scores(codes, std::span(all).subspan(i * 784, 784)), by_integers + i * 10);
  }
}
/// Whether the way back leads to the same network.
std::int32_t comes_back() { return read_model(bytes) == codes ? 1 : 0; }
}
"""


def session(model, optimized_file):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # that a file of an optimized model is for one machine, we know
    options.intra_op_num_threads = 1
    levels = onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = (
        levels.ORT_ENABLE_ALL if optimized_file else levels.ORT_DISABLE_ALL)
    options.optimized_model_filepath = optimized_file
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def operations(file):
    counts = {}
    for node in onnx.load(file).graph.node:
        counts[node.op_type] = counts.get(node.op_type, 0) + 1
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))


def is_accepted(model):
    try:
        onnx.checker.check_model(model, full_check=True)
        return "accepted"
    except Exception as refused:  # the checker's own, or that of shape inference
        return "refused: " + str(refused).strip().splitlines()[0]


def changed(model, change):
    other = onnx.load_from_string(model)
    change(other)
    return other


def leave_out_axes(model):
    for node in model.graph.node:
        if node.op_type == "DequantizeLinear":
            del node.attribute[:]


def use_opset_10(model):
    model.opset_import[0].version = 10


def leave_out_zero_points(model):
    for node in model.graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0].startswith("w"):
            del node.input[2:]


def examine(model, x, labels, by_integers, folder):
    """What ONNX Runtime says: as the model is written, and with all it knows to make of it."""
    file, same = folder + "/optimized.onnx", []
    for optimized_file in ("", file):
        scores = session(model, optimized_file).run(None, {"a0": x})[0]
        agree = int((scores.argmax(1) == by_integers.argmax(1)).sum())
        share = 100 * float((scores.argmax(1) == labels).mean())
        off = float(np.abs(scores - by_integers).max())
        print(f"  {'optimized' if optimized_file else 'as written'}: {share:.2f} %, {agree:,} of "
              f"{len(x):,} agree, scores off by up to {off:.2f}")
        same.append(agree == len(x))
    print("  optimized, it runs", operations(file))
    return same


def main(kit, cxx, images=5_000):
    images, wrong = int(images), False
    with tempfile.TemporaryDirectory() as folder:
        ours = solution(kit, cxx, "34_onnx_export", "onnx_export", SHIM, folder)
        ours.quantize.restype = ctypes.c_int64
        ours.prepare(ctypes.c_int64(images))
        print(f"onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}, {images:,} images")
        x, labels = np.empty((images, 784), np.float32), np.empty(images, np.uint8)
        by_float, by_integers = (np.empty((images, 10), np.float32) for _ in range(2))
        for qmax in (127, 63):
            model = np.empty(ours.quantize(qmax), np.uint8)
            ours.model(address(model))
            model = model.tobytes()
            loaded = onnx.load_from_string(model)
            onnx.checker.check_model(loaded, full_check=True)
            onnx.shape_inference.infer_shapes(loaded, check_type=True, strict_mode=True)
            ours.answers(address(x), address(labels), address(by_float), address(by_integers))
            right = [100 * float((y.argmax(1) == labels).mean()) for y in (by_float, by_integers)]
            print(f"weights of +-{qmax}: {len(model):,} bytes, accepted by checker and shape "
                  f"inference; float32 {right[0]:.2f} %, integers {right[1]:.2f} %")
            as_written, optimized = examine(model, x, labels, by_integers, folder)
            # Two products of uint8 and +-127 are more than 16 bits hold, and some machines add them there.
            wrong |= not as_written or (qmax == 63 and not optimized)
            wrong |= not ours.comes_back() or loaded.SerializeToString() != model
        print("without axis:", is_accepted(changed(model, leave_out_axes)))
        print("opset 10:", is_accepted(changed(model, use_opset_10)))
        print("without the weights' zero points:")
        examine(changed(model, leave_out_zero_points).SerializeToString(), x, labels, by_integers, folder)
    return wrong


if __name__ == "__main__":
    try:
        import numpy as np
        import onnx
        import onnxruntime
    except ImportError as missing:
        sys.exit(f"not run: {missing}")
    sys.exit(main(*sys.argv[1:]))
