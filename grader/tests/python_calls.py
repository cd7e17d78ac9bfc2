"""Runs inside of `./nibble python`, by python_module.py: what arrays are taken, which are refused,
that nothing is copied, what a call costs; docs/python.md as it stands; where torch is, what it is for.

    ./nibble python grader/tests/python_calls.py KIT [deep] | every-lab

Arrays of 200 MB are tried for copies, and of 1 GB with `deep`.
"""
import doctest
import gc
import re
import resource
import sys
import time
import timeit
import unittest
from pathlib import Path

import numpy as np

import nibble

try:
    import torch
except ImportError:
    torch = None

KIT = None
FLOATS = 50_000_000  # of a large array
X = np.float32([[1, -2, 3], [4, 5, -6]])


class Refused(unittest.TestCase):
    """One clear sentence each: exercise, argument, what is wanted, what came, what to do."""

    def refuses(self, kind, parts, function, *args, **named):
        with self.assertRaises(kind) as caught:
            function(*args, **named)
        self.assertIs(type(caught.exception), kind)
        for part in parts:
            self.assertIn(part, str(caught.exception))
        self.assertEqual(str(caught.exception).count("\n"), 0)

    def test_another_type(self):
        for x in (X.astype(np.float64), X.astype(np.float16), X.astype(np.int32), X > 0,
                  X.astype(complex), X.astype(str), X.astype(object)):
            with self.subTest(x.dtype):
                self.refuses(TypeError, ["symmetric_scale: x: an array of float32 is wanted",
                                         f"got {x.dtype}: x.astype(np.float32)"],
                             nibble.lab03.symmetric_scale, x)
        self.refuses(TypeError, ["tensor.q: an array of int8", "tensor.q.astype(np.int8)"],
                     nibble.lab03.dequantize_symmetric, (np.zeros(3, np.uint8), 1.0))
        self.refuses(TypeError, ["got NoneType"], nibble.lab03.symmetric_scale, None)
        self.refuses(TypeError, ["got str"], nibble.lab03.symmetric_scale, "1 2 3")
        self.refuses(TypeError, ["x: an array of float32 is wanted"], nibble.lab03.symmetric_scale,
                     np.array(["2026-10-01"], "datetime64[s]"))

    def test_the_other_byte_order(self):
        turned = X.astype(X.dtype.newbyteorder())
        self.refuses(TypeError, ["bytes are in the other order: x.astype(np.float32)"],
                     nibble.lab03.symmetric_scale, turned)

    def test_another_order(self):
        for x in (X.T, X[:, ::2], X[::-1], np.broadcast_to(np.float32(1), (2, 3))):
            self.refuses(ValueError, ["C order", "strides", "np.ascontiguousarray(x)"],
                         nibble.lab03.symmetric_scale, x)
            self.assertGreater(nibble.lab03.symmetric_scale(np.ascontiguousarray(x)), 0)

    def test_what_is_written(self):
        grid, q = nibble.lab01.Grid(0.5, 0, -8, 7), np.zeros(6, np.int32)
        nibble.lab01.quantize_to_grid(X, grid, q)
        self.assertEqual(q.tolist(), [2, -4, 6, 7, 7, -8])
        fixed = q.copy()
        fixed.flags.writeable = False
        self.refuses(ValueError, ["q: ", "read-only", "q.copy()"], nibble.lab01.quantize_to_grid, X,
                     grid, fixed)
        self.refuses(TypeError, ["q: ", "writes there", "np.empty("], nibble.lab01.quantize_to_grid,
                     X, grid, [0] * 6)
        self.refuses(ValueError, ["q: ", "C order", "np.empty((6,), np.int32)"],
                     nibble.lab01.quantize_to_grid, X, grid, np.zeros(12, np.int32)[::2])
        self.refuses(ValueError, ["x_hat: ", "shares memory with q"],
                     nibble.lab01.dequantize_from_grid, q, grid, q.view(np.float32))
        nibble.lab01.dequantize_from_grid(fixed, grid, np.empty(6, np.float32))  # is only read

    def test_numbers(self):
        scale = nibble.lab03.symmetric_scale
        self.refuses(TypeError, ["num_bits: a whole number is wanted, got float"], scale, X, 8.0)
        self.refuses(ValueError, ["num_bits: 1099511627776 does not fit int32"], scale, X, 2**40)
        self.refuses(TypeError, ["x[1]: a number is wanted, got str"], scale, [1, "2"])
        self.refuses(ValueError, ["x[1]: 1e+300 does not fit float32"], scale, [1, 1e300])
        self.assertEqual(scale([1, 2.0, np.float32(3)], np.int64(2)), 3)
        self.assertEqual(nibble.lab01.saturate_to_int8(2.5), 2)
        self.refuses(TypeError, ["saturate_to_int8: x: a number is wanted"],
                     nibble.lab01.saturate_to_int8, "2")

    def test_structs_and_names(self):
        to_grid, q, grid = nibble.lab01.quantize_to_grid, np.zeros(6, np.int32), (0.5, 0, -8, 7)
        to_grid(X, grid, q)  # a tuple will do
        self.refuses(TypeError, ["grid: a Grid(scale, zero_point, qmin, qmax)", "a tuple of 3"],
                     to_grid, X, grid[:3], q)
        self.refuses(TypeError, ["got SymmetricTensor(q, scale)"], to_grid, X,
                     nibble.quantize_symmetric(X), q)
        self.refuses(TypeError, ["grid.qmax: a whole number"], to_grid, X, (0.5, 0, -8, "7"), q)
        per_channel, symmetry = nibble.lab05.quantize_per_channel, nibble.lab05.Symmetry
        per_channel(X, X.shape, symmetry=symmetry.kAsymmetric)
        for wrong in (7, True, "kSymmetric"):
            self.refuses(TypeError, ["one of Symmetry.kSymmetric, Symmetry.kAsymmetric"],
                         per_channel, X, X.shape, symmetry=wrong)

    def test_arguments(self):
        scale = nibble.lab03.symmetric_scale
        self.refuses(TypeError, ["x is missing: symmetric_scale(x, num_bits=8)"], scale)
        self.refuses(TypeError, ["3 arguments, at most 2"], scale, X, 8, 8)
        self.refuses(TypeError, ["no argument is called bits"], scale, X, bits=8)
        self.refuses(TypeError, ["x is given twice"], scale, X, x=X)
        self.assertEqual(scale(num_bits=8, x=X), scale(X))

    def test_what_the_contract_refuses(self):
        self.refuses(ValueError, ["got num_bits = 9"], nibble.lab03.symmetric_scale, X, 9)
        self.refuses(ValueError, ["x[0] = nan"], nibble.quantize_symmetric, [np.nan])
        self.refuses(ValueError, ["[m, k] and b_q [k, n]"], nibble.quantized_matmul,
                     np.zeros((2, 3), np.int8), 1.0, np.zeros((2, 3), np.int8), 1.0)
        self.refuses(ValueError, ["x [.., 3]"], nibble.QuantizedLinear(X),
                     np.zeros((2, 4), np.float32))


class Returned(unittest.TestCase):
    def test_arrays(self):
        codes = nibble.lab03.quantize_with_scale(X, 1.0)
        self.assertEqual((codes.dtype, codes.tolist()), (np.int8, [1, -2, 3, 4, 5, -6]))
        self.assertTrue(codes.flags.writeable)
        self.assertEqual(nibble.lab03.quantize_with_scale([], 1.0).shape, (0,))
        gc.collect()
        codes += 1  # its memory is still there
        self.assertEqual(codes.tolist(), [2, -1, 4, 5, 6, -5])

    def test_shapes_come_back(self):
        for axis in (0, 1, -1):
            tensor = nibble.quantize_per_channel(X, axis, symmetric=False)
            self.assertEqual(tensor.q.shape, X.shape)
            self.assertLess(np.abs(nibble.dequantize_per_channel(tensor) - X).max(), 0.03)
        for bits in (3, 8):
            self.assertEqual(nibble.fake_quantize(X, bits).shape, X.shape)
        result = nibble.compare_quantization_methods(X)
        self.assertIs(result.best, nibble.lab05.Method.kPerChannelAsymmetric)
        self.assertIn("Requires", nibble.lab05.memory_savings.__doc__)
        self.assertIn("symmetric_scale", dir(nibble))
        self.assertNotIn("asymmetric_parameters", dir(nibble))

    def test_a_product(self):
        random = np.random.default_rng(3)
        a = random.integers(-128, 128, (4, 7), np.int8)
        b = random.integers(-128, 128, (7, 5), np.int8)
        c = nibble.quantized_matmul(a, 0.5, b, 0.25, a_zp=3, b_zp=-2)
        np.testing.assert_array_equal(c, 0.125 * ((a.astype(int) - 3) @ (b.astype(int) + 2)))


def peak():
    """Bytes: the most that this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


class Cheap(unittest.TestCase):
    def grows(self, what, most, call):
        """Of what a call has to be content with: bytes more than ever before. Gives what it gives."""
        before = peak()
        result = call()
        grown = peak() - before
        print(f"{what} of {FLOATS * 4 / 1e6:.0f} MB: {grown / 1e6:.1f} MB more")
        self.assertLess(grown, most)
        return result

    def test_no_copy(self):
        nibble.lab03.symmetric_scale(X)  # opened before
        x = np.ones(FLOATS, np.float32)
        self.grows("symmetric_scale", x.nbytes // 20, lambda: nibble.lab03.symmetric_scale(x))
        # what is returned stays, or the next call would have its room
        codes = self.grows("quantize_with_scale", 1.3 * FLOATS,  # moved into an array, not copied
                           lambda: nibble.lab03.quantize_with_scale(x, 1.0))
        q = np.ones(FLOATS, np.int32)
        self.grows("quantize_to_grid", x.nbytes // 20,
                   lambda: nibble.lab01.quantize_to_grid(x, (0.5, 0, -8, 7), q))
        self.assertEqual((codes[-1], q[-1]), (1, 2))

    def test_time(self):
        """20 microseconds of CPU time: a machine may be busy."""
        four, grid = np.float32([1, 2, 3, 4]), nibble.lab01.Grid(0.5, 0, -8, 7)
        q, lab = np.zeros(4, np.int32), nibble.lab03
        calls = {
            "saturate_to_int8": lambda: nibble.lab01.saturate_to_int8(2.5),
            "symmetric_scale": lambda: lab.symmetric_scale(four),
            "quantize_with_scale": lambda: lab.quantize_with_scale(four, 1.0),
            "quantize_symmetric": lambda: lab.quantize_symmetric(four),
            "quantize_to_grid": lambda: nibble.lab01.quantize_to_grid(four, grid, q),
        }
        for name, call in calls.items():
            least = min(timeit.repeat(call, number=500, repeat=40, timer=time.thread_time)) / 500
            print(f"{name}: {least * 1e6:.1f} us a call, the C++ in it")
            self.assertLess(least, 20e-6)


class Page(unittest.TestCase):
    def test_says_what_happens(self):
        """The blocks of docs/python.md are one session; an interpreter answers as it says there."""
        text = (KIT / "docs" / "python.md").read_text()
        names, examples = {}, 0
        for takes_torch, block in re.findall(r"```pycon( torch)?\n(.*?)```", text, re.S):
            if takes_torch and torch is None:
                print("left out: what docs/python.md does with torch, which is not here")
                continue
            page = doctest.DocTestParser().get_doctest(block, names, "docs/python.md", None, 0)
            examples += len(page.examples)
            self.assertEqual(doctest.DocTestRunner().run(page, clear_globs=False).failed, 0)
            names = page.globs
        self.assertGreater(examples, 15)


@unittest.skipIf(torch is None, "torch is not here")
class WithTorch(unittest.TestCase):
    def test_linear(self):
        torch.manual_seed(5)
        layer = torch.nn.Linear(64, 16)
        ours = nibble.QuantizedLinear.from_linear(layer)
        x = torch.randn(3, 7, 64)
        y = layer(x).detach().numpy()
        self.assertEqual(ours(x).shape, y.shape)
        self.assertGreater(nibble.lab02.quantization_error(y, ours(x)).sqnr_db, 35)

    def test_gradient(self):
        x = torch.tensor([[-9.0, -0.6], [0.3, 4.0]], requires_grad=True)
        y = nibble.FakeQuantize.apply(x, 0.5, 0, -8, 7)
        self.assertEqual(y.tolist(), [[-4.0, -0.5], [0.5, 3.5]])
        (3 * y).sum().backward()
        self.assertEqual(x.grad.tolist(), [[0.0, 3.0], [3.0, 0.0]])
        nibble.FakeQuantize.apply(x.T, 0.5, 0, -8, 7).sum().backward()  # tensors with gaps
        self.assertEqual(x.grad.tolist(), [[0.0, 4.0], [4.0, 0.0]])


def every_lab():
    """Every exercise of every lab that is no CUDA can be found, and says what it takes."""
    for name in dir(nibble):
        if name.startswith("lab"):
            lab = getattr(nibble, name)
            for exercise in [one for one in vars(lab).values() if callable(one) and one.__doc__]:
                print(name, exercise.__doc__.splitlines()[0])


if __name__ == "__main__":
    if sys.argv[1] == "every-lab":
        every_lab()
    else:
        KIT = Path(sys.argv.pop(1))
        if sys.argv[1:] == ["deep"]:
            FLOATS = 250_000_000
            sys.argv.pop()
        unittest.main(verbosity=2)
