"""Labs 30, 32 and 33 on a layer of a network that people use, with what it is given by sentences of the
book. Of all layers the one is taken that loses most by 8 bits. Prints the tables of chapters 32 and 33
and says whether they show the same. Says "not run" where numpy or the weights are missing.

    python3 grader/tests/real_layer.py KIT CXX
"""
import ctypes
import os
import re
import sys
import tempfile

from published import address, solution

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy comes: sums in one order
try:
    import numpy as np
    import minilm
except ImportError as missing:
    sys.exit(print(f"not run: {missing}"))

LAYER, BLOCK = "encoder.layer.4.intermediate.dense", 4
SEEDS = (1, 2, 3, 4, 5)
CALIBRATED = 160       # sentences of 200; the others are held out
DAMPING = 0.01         # of GPTQ
GROUP = 128            # weights that share a scale, where it is not a row
TURNED = 128           # inputs that a rotation mixes: 384 is no power of two
SEARCHED = 128         # tokens that AWQ looks at
OUTLIER = 6.0          # LLM.int8's, and its paper's
SMOOTHED = {f"smoothed, alpha {alpha:.2f}": alpha for alpha in (0.25, 0.5, 0.75)}
SPLIT = "outliers split off"

# What sentence-transformers' page says of this network and these sentences.
PUBLISHED = {"The weather is lovely today.": (1.0, 0.6660, 0.1046),
             "It's so sunny outside!": (0.6660, 1.0, 0.1411),
             "He drove to the stadium.": (0.1046, 0.1411, 1.0)}

SHIMS = {
    ("32_gptq", "gptq"): """
#include "gptq.hpp"
using namespace nibble;
extern "C" void gptq(const double* w, int outputs, const double* x, int rows, int inputs, int bits,
                     int group, double damping, int by_activation, double* w_hat, double* scales) {
  const std::size_t n = inputs;
  const GptqOptions options{bits, group, damping, by_activation != 0};
  const GptqMatrix matrix = gptq_quantize({w, outputs * n}, {x, rows * n}, inputs, options);
  std::ranges::copy(dequantize(matrix), w_hat);
  std::ranges::copy(matrix.scales, scales);
}
""",
    ("33_smoothquant_awq", "smoothquant_awq"): """
#include "smoothquant_awq.hpp"
using namespace nibble;
extern "C" {
void smooth(const double* w, int outputs, const double* x, int rows, int inputs, double alpha,
            double* scales) {
  const std::size_t n = inputs;
  std::ranges::copy(smoothing_scales({x, rows * n}, {w, outputs * n}, inputs, alpha), scales);
}
int awq(const double* w, int outputs, const double* x, int rows, int inputs, int bits, int group,
        double* scales) {
  const std::size_t n = inputs;
  const AwqChoice found = awq_search({w, outputs * n}, {x, rows * n}, inputs, bits, group);
  std::ranges::copy(found.scales, scales);
  return found.exponent;
}
void rotate(const double* a, std::size_t size, const int* signs, int n, double* rotated) {
  std::ranges::copy(rotate_rows({a, size}, {signs, std::size_t(n)}), rotated);
}
}
""",
    ("30_mixed_precision", "mixed_precision"): """
#include "mixed_precision.hpp"
using namespace nibble;
extern "C" int split(const double* w, int outputs, const double* x, int rows, int inputs,
                     double threshold, double* y) {
  const std::size_t n = inputs;
  std::ranges::copy(matmul_with_outliers({x, rows * n}, {w, outputs * n}, inputs, threshold), y);
  return int(split_outliers({x, rows * n}, inputs, threshold).size());
}
""",
}


class Labs:
    """The published solutions, with arrays for arguments."""

    def __init__(self, kit, cxx, folder):
        self.of_gptq, self.of_moving, self.of_splitting = (
            solution(kit, cxx, lab, name, shim, folder) for (lab, name), shim in SHIMS.items())

    def gptq(self, w, x, bits, group, by_activation):
        """Weights, and the scales of each row."""
        w_hat, scales = np.empty_like(w), np.empty((len(w), -(-x.shape[1] // group)))
        self.of_gptq.gptq(address(w), len(w), address(x), *x.shape, bits, group,
                          ctypes.c_double(DAMPING), by_activation, address(w_hat), address(scales))
        return w_hat, scales

    def smooth(self, w, x, alpha):
        scales = np.empty(x.shape[1])
        self.of_moving.smooth(address(w), len(w), address(x), *x.shape, ctypes.c_double(alpha),
                              address(scales))
        return scales

    def awq(self, w, x, bits, group):
        """Scales, and the exponent that made them."""
        scales = np.empty(x.shape[1])
        return scales, self.of_moving.awq(address(w), len(w), address(x), *x.shape, bits, group,
                                          address(scales))

    def turned(self, a, signs):
        """Each TURNED numbers of a row by themselves."""
        rotated = np.empty_like(a)
        self.of_moving.rotate(address(a), ctypes.c_size_t(a.size), address(signs), len(signs),
                              address(rotated))
        return rotated

    def split(self, w, x):
        """Products, and how many inputs were outliers."""
        y = np.empty((len(x), len(w)))
        return y, self.of_splitting.split(address(w), len(w), address(x), *x.shape,
                                          ctypes.c_double(OUTLIER), address(y))


def scales_of(groups, bits):
    return np.abs(groups).max(axis=1, keepdims=True) / (2 ** (bits - 1) - 1)


def rounded(a, bits, each=None):
    """Symmetric, with a scale for `each` numbers of a row, or for a row."""
    groups = a.reshape(-1, each or a.shape[1])
    scales = scales_of(groups, bits)
    return (scales * np.rint(groups / scales)).reshape(a.shape)


def triangle(x):
    """As many rows as x has columns, and the same x'x: all that GPTQ asks, and errors of products."""
    return np.ascontiguousarray(np.linalg.qr(x, mode="r"))


def share(got, want):
    """How large an error is beside what it is an error of."""
    return np.linalg.norm(got - want) / np.linalg.norm(want)


def decibels(got, want):
    return -20 * np.log10(share(got, want))


class Layer:
    """Weights of LAYER, what it is given by all sentences, and what the network makes of its products."""

    def __init__(self, net, sentences):
        self.net = net
        x, self.is_token = net.embedded(sentences)
        self.lost, seen = {}, {}

        def look(name, inputs, products):
            inputs_hat, w_hat = (rounded(a, 8) for a in (inputs, net.weights[name + ".weight"]))
            self.lost[name] = decibels(inputs_hat @ w_hat.T, products)
            seen[name] = inputs
            return products
        self.before = net.through(x, self.is_token, range(BLOCK), look)
        after = net.through(self.before, self.is_token, range(BLOCK, minilm.BLOCKS), look)
        self.vectors = minilm.of_sentences(after, self.is_token)
        self.w, self.x = (a.astype(np.float64) for a in (net.weights[LAYER + ".weight"], seen[LAYER]))
        self.sentence = np.nonzero(self.is_token)[0]  # of each token

    def tokens_of(self, sentences):
        return np.isin(self.sentence, sentences)

    def turned_away(self, sentences, y):
        """1 - cosine of what becomes of sentences with the products y, and with the right ones."""
        def instead(name, _, products):
            return y.astype(np.float32) if name == LAYER else products
        is_token = self.is_token[sentences]
        after = self.net.through(self.before[self.tokens_of(sentences)], is_token,
                                 range(BLOCK, minilm.BLOCKS), instead)
        vectors = minilm.of_sentences(after, is_token)
        return 1 - np.mean(np.sum(vectors * self.vectors[sentences], axis=1, dtype=np.float64))


class Split:
    """The sentences of a seed: some to calibrate with, the others held out. Errors of what was tried."""

    def __init__(self, layer, labs, seed):
        self.layer, self.labs, self.found = layer, labs, {}
        self.random = np.random.RandomState(seed)  # whose numbers NumPy does not change any more
        order = self.random.permutation(len(layer.is_token))
        self.held = np.sort(order[CALIBRATED:])
        is_held = layer.tokens_of(self.held)
        self.seen, self.unseen = layer.x[~is_held], layer.x[is_held]
        self.right = self.unseen @ layer.w.T
        self.make_up()
        self.weigh()
        self.move()
        self.shuffle()

    def note(self, way, y, is_followed=False):
        """What the products y are off by; and, where it is followed, what becomes of the sentences."""
        self.found[way] = {"error": 100 * share(y, self.right), "decibels": decibels(y, self.right)}
        if is_followed:
            self.found[way]["turned"] = 1e4 * self.layer.turned_away(self.held, y)

    def left(self, w_hat, plain, x):
        """Of rounding's squared error, per cent."""
        off, of = (np.linalg.norm(x @ (weights - self.layer.w).T) for weights in (w_hat, plain))
        return 100 * (off / of) ** 2

    def make_up(self):
        """Lab 32: weights alone."""
        w, seen, unseen = self.layer.w, triangle(self.seen), triangle(self.unseen)
        for bits, each in ((bits, each) for bits in (2, 3, 4) for each in (w.shape[1], GROUP)):
            plain = rounded(w, bits, each)
            self.note(("rounded", bits, each), self.unseen @ plain.T, bits == 4)
            for by_activation, way in enumerate(("GPTQ", "by activation")):
                w_hat, scales = self.labs.gptq(w, seen, bits, each, by_activation)
                self.note((way, bits, each), self.unseen @ w_hat.T, bits == 4)
                found = self.found[way, bits, each]
                found["seen"], found["held out"] = (self.left(w_hat, plain, x) for x in (seen, unseen))
                found["widened"] = np.mean(scales[:, -1:]) / np.mean(scales_of(w[:, -each:], bits))

    def shuffle(self):
        """Lab 32 on inputs that have nothing in common any more, and each its own values still."""
        w, x = self.layer.w, self.seen - self.seen.mean(axis=0)
        x = triangle(np.stack([self.random.permutation(column) for column in x.T], axis=1))
        w_hat, _ = self.labs.gptq(w, x, 4, w.shape[1], 0)
        self.found["shuffled",] = {"seen": self.left(w_hat, rounded(w, 4), x)}

    def weigh(self):
        """Lab 33, weights alone: AWQ, on some of the tokens."""
        few = self.seen[self.random.permutation(len(self.seen))[:SEARCHED]]
        scales, exponent = self.labs.awq(self.layer.w, few, 4, GROUP)
        w_hat = rounded(self.layer.w * scales, 4, GROUP) / scales
        self.note(("AWQ", 4, GROUP), self.unseen @ w_hat.T, True)
        self.found["AWQ", 4, GROUP]["exponent"] = exponent

    def move(self):
        """Labs 33 and 30: inputs and weights."""
        w, signs = self.layer.w, self.random.choice([-1, 1], TURNED).astype(np.int32)
        ways = {"as it is": (self.seen, self.unseen, w)}
        for way, alpha in SMOOTHED.items():
            s = self.labs.smooth(w, self.seen, alpha)
            ways[way] = self.seen / s, self.unseen / s, w * s
        ways["rotated"] = [self.labs.turned(a, signs) for a in (self.seen, self.unseen, w)]
        for way, (seen, x, weights) in ways.items():
            for bits in (8, 6, 4):
                self.note((way, bits), rounded(x, bits) @ rounded(weights, bits).T, bits == 8)
            scale = np.abs(seen).max() / 127  # one for all that will come
            codes = np.clip(np.rint(x / scale), -128, 127)
            self.note((way, "matrix"), scale * codes @ rounded(weights, 8, weights.size).T)
        y, self.outliers = self.labs.split(w, self.unseen)
        self.note((SPLIT, 8), y, True)


def spread(splits, way, what, digits):
    """The median of all seeds, the least and the most."""
    values = [split.found[way][what] for split in splits]
    return f"{np.median(values):.{digits}f} ({min(values):.{digits}f}-{max(values):.{digits}f})"


def table(*rows):
    rule = ["---"] * len(rows[0])
    return ["| " + " | ".join(row) + " |" for row in (rows[0], rule, *rows[1:])]


def tables_of_gptq(splits, inputs):
    heads = ["2 bits", "3 bits", "4 bits"]

    def row(name, way, each, what, digits=1):
        return [name, *(spread(splits, (way, bits, each), what, digits) for bits in (2, 3, 4))]
    left = table(["left of rounding's squared error, %", *heads], *(
        row(f"{name}, {where}", way, each, where) for name, way, each in (
            ("a scale a row", "GPTQ", inputs),
            ("a scale a row, by activation", "by activation", inputs),
            (f"groups of {GROUP}", "GPTQ", GROUP),
            (f"groups of {GROUP}, by activation", "by activation", GROUP))
        for where in ("seen", "held out")), [
            "inputs shuffled, a scale a row, seen", "", "", spread(splits, ("shuffled",), "seen", 1)])
    off = table(["y off by, %, held out", *heads], *(
        row(f"{way}, {name}", way, each, "error")
        for name, each in (("a scale a row", inputs), (f"groups of {GROUP}", GROUP))
        for way in ("rounded", "GPTQ", "by activation")))
    return left + off


def tables_of_moving(splits):
    moved = [[way, *(spread(splits, (way, bits), "decibels", 1) for bits in (8, 6, 4, "matrix")),
              spread(splits, (way, 8), "turned", 2)] for way in ("as it is", *SMOOTHED, "rotated")]
    split = [SPLIT, spread(splits, (SPLIT, 8), "decibels", 1), "", "", "",
             spread(splits, (SPLIT, 8), "turned", 2)]
    weights = [[name, *(spread(splits, (way, 4, GROUP), what, 1) for what in ("error", "turned"))]
               for name, way in (("rounded", "rounded"), ("AWQ", "AWQ"), ("GPTQ", "GPTQ"),
                                 ("GPTQ by activation", "by activation"))]
    return table(["signal to noise of y, dB", "8 bits", "6 bits", "4 bits", "8 bits, a scale a matrix",
                  "8 bits, 1 - cosine, 1/10000"], *moved, split) + table(
        [f"weights alone, 4 bits, groups of {GROUP}", "y off by, %", "1 - cosine, 1/10000"], *weights)


def is_shown(row, page):
    """Whether the page has this row; figures may be off by a hundredth, or by one in the last digit."""
    def is_near(got, shown):
        step = 10.0 ** -len(got.partition(".")[2])
        return abs(float(got) - float(shown)) <= max(0.01 * float(got), 1.01 * step)

    def is_same(got, shown):
        got, shown = (re.split(r"(\d+(?:\.\d+)?)", cell) for cell in (got, shown))
        return got[::2] == shown[::2] and all(map(is_near, got[1::2], shown[1::2]))
    name, *cells = row.split(" | ")
    others = (other.rstrip().split(" | ") for other in page if other.startswith(name + " | "))
    return any(len(other) > len(cells) and all(map(is_same, cells, other[1:])) for other in others)


def claims(found):
    """What the chapters say of every seed, and whether it holds."""
    for name, one in found.items():
        way, *how = name
        if way == "AWQ":
            yield name, one["error"] < 0.85 * found[("rounded", *how)]["error"]
        if way in ("GPTQ", "by activation"):
            most = found[("GPTQ", *how)] if way == "by activation" else {"seen": 75, "held out": 75}
            yield name, all(one[where] < 0.9 * most[where] for where in ("seen", "held out"))
            yield name, one["held out"] > 1.05 * one["seen"]
    wide, narrow = found["GPTQ", 2, GROUP], found["GPTQ", 4, GROUP]
    yield "scales of 2 bits", wide["widened"] > 1.2 > narrow["widened"]
    yield "groups at 2 bits", wide["error"] > 1 + min(
        found[name]["error"] for name in found if name[:2] == ("GPTQ", 2))
    yield "shuffled", found["shuffled",]["seen"] > 85
    for way in (*SMOOTHED, "rotated", SPLIT):
        yield way, found[way, 8]["decibels"] > found["as it is", 8]["decibels"] + 4
    for how, margin in ((8, 0.4), ("matrix", 3)):
        best = max(found[way, how]["decibels"] for way in SMOOTHED)
        yield f"rotated, {how}", found["rotated", how]["decibels"] > best + margin
    yield "vectors", found[SPLIT, 8]["turned"] < found["rotated", 8]["turned"]


def is_the_network(net):
    x, is_token = net.embedded(PUBLISHED)
    vectors = minilm.of_sentences(net.through(x, is_token), is_token)
    return np.abs(vectors @ vectors.T - list(PUBLISHED.values())).max() < 2e-4


def tell_of(layer):
    """Which layers lose most, and what the inputs of the one taken are like."""
    for name in sorted(layer.lost, key=layer.lost.get)[:3]:
        print(f"  {name}, 8 bits: {layer.lost[name]:.1f} dB")
    most = np.sort(np.abs(layer.x).max(axis=0))[::-1]
    print("  the largest inputs, as multiples of the median one:", *np.round(most[:5] / np.median(most), 1))
    squares = np.cumsum(np.linalg.eigvalsh(layer.x.T @ layer.x)[::-1])
    print("  directions that have half and nine tenths of the squares:", *(
        1 + np.searchsorted(squares, part * squares[-1]) for part in (0.5, 0.9)))


def main(kit, cxx):
    folder = minilm.model_folder()
    if folder is None:
        sys.exit(print(f"not run: {minilm.PACKAGE} is not here"))
    net = minilm.Minilm(folder)
    wrong = [] if is_the_network(net) else ["other cosines than published"]
    with open(f"{kit}/grader/tests/sentences.txt", encoding="ascii") as text:
        layer = Layer(net, text.read().splitlines())
    print(f"{minilm.PACKAGE} {minilm.version()}, numpy {np.__version__}, {len(layer.x)} tokens")
    tell_of(layer)
    if min(layer.lost, key=layer.lost.get) != LAYER:
        wrong.append("another layer loses most")
    with tempfile.TemporaryDirectory() as made:
        labs = Labs(kit, cxx, made)
        splits = [Split(layer, labs, seed) for seed in SEEDS]
    for seed, split in zip(SEEDS, splits):
        wrong += [f"seed {seed}: {name}" for name, holds in claims(split.found) if not holds]
        print(f"seed {seed}: {len(split.seen)} tokens seen, {len(split.unseen)} held out, {split.outliers} "
              f"inputs split off, AWQ's exponent {split.found['AWQ', 4, GROUP]['exponent']}/20; the last "
              "group's scale beside rounding's, 2 to 4 bits:", *(
                  f"{split.found['GPTQ', bits, GROUP]['widened']:.2f}" for bits in (2, 3, 4)))
    for chapter, rows in (("32_gptq", tables_of_gptq(splits, layer.x.shape[1])),
                          ("33_smoothquant_awq", tables_of_moving(splits))):
        print(*rows, sep="\n")
        with open(f"{kit}/docs/book/{chapter}.md", encoding="utf-8") as page:
            lines = page.readlines()
        wrong += [f"{chapter}.md does not show {row}" for row in rows if not is_shown(row, lines)]
    return "\n".join(wrong) or 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
