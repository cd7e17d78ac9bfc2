"""Has lab 34's solution write networks of common/nibble/net, of five seeds, and looks at the models with
the onnx package: the checker, shape inference. Runs them in ONNX Runtime, and compares with the integers
that a model stands for: all images have to get the same name, and in the mean no more than 0.3 points
fewer the right one than in float. Prints the table of chapter 34. Says "not run" of what is not installed.

    python3 grader/tests/onnx_models.py KIT CXX [IMAGES]
"""
import ctypes
import sys
import tempfile

from published import address, solution

SEEDS = (1, 2, 3, 4, 5)
ALLOWED = 0.3  # points of a mean of SEEDS: of one network they would be luck
WIDTHS = (127, 63)
WRITTEN, OPTIMIZED = RUNTIME = ("ONNX Runtime, graph as written", "the same, optimized")
WAYS = ("integers", *RUNTIME)
# Two products of uint8 and +-127 are more than 16 bits hold, and some machines add them there.
RIGHT = [(qmax, who) for qmax in WIDTHS for who in WAYS if (qmax, who) != (127, OPTIMIZED)]

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
void prepare(std::int64_t images, std::uint64_t seed) {
  training = make_glyphs(20'000, 2 * seed - 1);
  const std::size_t sizes[] = {784, 128, 64, 10};
  net = untrained(sizes, seed);
  train(net, training, {.seed = seed});
  tried = make_glyphs(static_cast<std::size_t>(images), 2 * seed);
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
    options.log_severity_level = 4  # what is refused is told below; the rest we know
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


def is_accepted(attempt):
    try:
        attempt()
        return "accepted"
    except Exception as refused:  # of each package its own
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


def leave_out_transpositions(model):
    for node in model.graph.node:
        if node.op_type == "Gemm":
            del node.attribute[:]


def give_biases_zero_points(model):
    for node in model.graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0].startswith("b"):
            node.input.append(node.input[0] + "z")
            bias = next(one for one in model.graph.initializer if one.name == node.input[0])
            zeros = np.zeros(bias.dims, np.int32)
            model.graph.initializer.append(onnx.numpy_helper.from_array(zeros, node.input[2]))


CHANGES = {"without axis": leave_out_axes, "opset 10": use_opset_10,
           "without transB": leave_out_transpositions,
           "zero points of biases": give_biases_zero_points}


def told(scores, by_integers, labels):
    """Per cent named right, how many are named as by the integers, and how far scores are off."""
    names = scores.argmax(1)
    return (100 * float((names == labels).mean()), int((names == by_integers.argmax(1)).sum()),
            float(np.abs(scores - by_integers).max()))


class Trial:
    """A network that has learnt, images that it has not seen, and what becomes of them."""

    def __init__(self, ours, seed, images):
        self.ours, self.holds = ours, True
        ours.prepare(ctypes.c_int64(images), ctypes.c_uint64(seed))
        self.x, self.labels = np.empty((images, 784), np.float32), np.empty(images, np.uint8)
        self.by_float, self.by_integers = (np.empty((images, 10), np.float32) for _ in range(2))

    def written(self, qmax):
        """The model. The onnx package accepts it, and writes it without changing a byte."""
        model = np.empty(self.ours.quantize(qmax), np.uint8)
        self.ours.model(address(model))
        self.ours.answers(*map(address, (self.x, self.labels, self.by_float, self.by_integers)))
        model = model.tobytes()
        loaded = onnx.load_from_string(model)
        onnx.checker.check_model(loaded, full_check=True)
        onnx.shape_inference.infer_shapes(loaded, check_type=True, strict_mode=True)
        self.holds &= self.ours.comes_back() == 1 and loaded.SerializeToString() == model
        return model

    def run(self, model, folder):
        """ONNX Runtime's scores: as the model is written, and with all it knows to make of it."""
        file = folder + "/optimized.onnx"
        scores = [session(model, to).run(None, {"a0": self.x})[0] for to in ("", file)]
        return {who: told(each, self.by_integers, self.labels)
                for who, each in zip(RUNTIME, scores)}, operations(file)

    def everything(self, folder):
        """What is told of all that names images."""
        found = {}
        for qmax in WIDTHS:
            model = self.written(qmax)
            found["float"] = told(self.by_float, self.by_integers, self.labels)[0]
            found[qmax, "integers"] = told(self.by_integers, self.by_integers, self.labels)
            by_runtime, self.made = self.run(model, folder)
            found |= {(qmax, who): one for who, one in by_runtime.items()}
        self.model = model  # of the narrow weights
        return found


def tell_of_others(trial, folder):
    """Models that are not as they should be."""
    for name, change in CHANGES.items():
        other = changed(trial.model, change)
        print(f"{name}: by the checker", is_accepted(
            lambda: onnx.checker.check_model(other, full_check=True)))
        print(f"{name}: by ONNX Runtime", is_accepted(
            lambda: session(other.SerializeToString(), "").run(None, {"a0": trial.x})))
    other = changed(trial.model, leave_out_zero_points).SerializeToString()
    by_runtime, made = trial.run(other, folder)
    print("without the weights' zero points, optimized, it runs", made)
    for who, (share, agree, off) in by_runtime.items():
        print(f"  {who}: {share:.2f} %, {agree:,} agree, scores off by up to {off:.2f}")


def print_table(found, images):
    print("| weights | | names rightly, % | agree with the integers | scores off by up to |")
    print("|" + " --- |" * 5)
    for qmax in WIDTHS:
        for who in WAYS:
            shares, agree, off = zip(*found[qmax, who])
            there = ["", ""] if who == "integers" else [
                f"{sum(agree):,} of {images * len(SEEDS):,}", f"{max(off):.2f}"]
            print("|", " | ".join([f"-{qmax} ... {qmax}" if who == "integers" else "", who,
                                   spread(shares), *there]), "|")


def spread(shares):
    """The mean of all seeds, the least and the most."""
    return f"{np.mean(shares):.2f} ({min(shares):.2f}-{max(shares):.2f})"


def faults(found, images):
    """What does not hold."""
    for qmax, who in RIGHT:
        shares, agree, _ = zip(*found[qmax, who])
        if min(agree) < images:
            yield f"weights of +-{qmax}, {who}: other names than by the integers"
        lost = np.mean(found["float"]) - np.mean(shares)
        if lost > ALLOWED:
            yield f"weights of +-{qmax}, {who}: {lost:.2f} points are lost"


def main(kit, cxx, images=5_000):
    images, found, holds = int(images), {}, True
    print(f"onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}, {images:,} images for each "
          f"seed {SEEDS}")
    with tempfile.TemporaryDirectory() as folder:
        ours = solution(kit, cxx, "34_onnx_export", "onnx_export", SHIM, folder)
        ours.quantize.restype = ctypes.c_int64
        for seed in SEEDS:
            trial = Trial(ours, seed, images)
            for name, one in trial.everything(folder).items():
                found.setdefault(name, []).append(one)
            holds &= trial.holds
        print("optimized, it runs", trial.made)
        tell_of_others(trial, folder)
    print("float:", spread(found["float"]))
    print_table(found, images)
    wrong = [*faults(found, images)] + ["" if holds else "a model changes on its way"]
    return "\n".join(filter(None, wrong)) or 0


if __name__ == "__main__":
    try:
        import numpy as np
        import onnx
        import onnxruntime
    except ImportError as missing:
        sys.exit(f"not run: {missing}")
    sys.exit(main(*sys.argv[1:]))
