"""Exercises for arrays of any shape, with the arguments that people expect. All that is computed is
computed by what you wrote; here shapes are taken off and put on again. Numbers and lists of numbers
become arrays of float32; an array has to be one, in C order: it is never copied unseen."""
import numpy as np

import nibble


def floats(x):
    """An array as it is; of anything else an array of float32."""
    return x if isinstance(x, np.ndarray) else np.asarray(x, np.float32)


def _shaped(tensor, shape):
    return tensor._replace(q=tensor.q.reshape(shape))


def quantize_symmetric(x, num_bits=8):
    """(q, scale): q as x is shaped. Lab 03."""
    x = floats(x)
    return _shaped(nibble.lab03.quantize_symmetric(x, num_bits), x.shape)


def dequantize_symmetric(tensor):
    """scale * q, as q is shaped. Lab 03."""
    return nibble.lab03.dequantize_symmetric(tensor).reshape(np.shape(tensor[0]))


def quantize_asymmetric(x, num_bits=8):
    """(q, scale, zero_point): q as x is shaped. Lab 04."""
    x = floats(x)
    return _shaped(nibble.lab04.quantize_asymmetric(x, num_bits), x.shape)


def dequantize_asymmetric(tensor):
    """scale * (q - zero_point), as q is shaped. Lab 04."""
    return nibble.lab04.dequantize_asymmetric(tensor).reshape(np.shape(tensor[0]))


def quantize_per_channel(x, axis=0, num_bits=8, symmetric=True):
    """(q, scales, zero_points, shape, axis): q as x is shaped. Lab 05."""
    x, lab = floats(x), nibble.lab05
    symmetry = lab.Symmetry.kSymmetric if symmetric else lab.Symmetry.kAsymmetric
    return _shaped(lab.quantize_per_channel(x, x.shape, axis, num_bits, symmetry), x.shape)


def dequantize_per_channel(tensor):
    """scales * (q - zero_points), as q is shaped. Lab 05."""
    return nibble.lab05.dequantize_per_channel(tensor).reshape(np.shape(tensor[0]))


def quantization_error(original, dequantized):
    """Seven numbers by name: mse, mae, max_error, … Lab 02."""
    return nibble.lab02.quantization_error(floats(original), floats(dequantized))._asdict()


def compare_quantization_methods(x, num_bits=8, group_size=32):
    """Five ways, what each loses and costs, and the best. Lab 05."""
    x = floats(x)
    return nibble.lab05.compare_quantization_methods(x, x.shape, num_bits, group_size)


def quantized_matmul(a_q, a_scale, b_q, b_scale, a_zp=0, b_zp=0, bias=()):
    """The real product of two matrices of int8 codes, float32 [m, n]. `b_scale`: one for all, or
    one for each column. Lab 06."""
    lab = nibble.lab06
    if np.ndim(a_q) != 2 or np.ndim(b_q) != 2 or a_q.shape[1] != b_q.shape[0]:
        raise ValueError(f"quantized_matmul: a_q [m, k] and b_q [k, n] are wanted, got "
                         f"{np.shape(a_q)} and {np.shape(b_q)}")
    (m, k), n = a_q.shape, b_q.shape[1]
    scales = np.array(np.broadcast_to(floats(b_scale), n))
    c = np.empty((m, n), np.float32)
    operands = lab.QuantizedOperands(a_q, a_zp, a_scale, b_q, b_zp, scales)
    lab.quantized_matmul_float(operands, floats(bias), (m, n, k), c)
    return c


def fake_quantize(x, num_bits=8, symmetric=True):
    """x moved to the nearest of the points that its own codes stand for, as x is shaped. Lab 01, on
    the scale of lab 03 or the scale and zero point of lab 04."""
    x = floats(x)
    if symmetric:
        scale, zero_point = nibble.lab03.symmetric_scale(x, num_bits), 0
        qmin, qmax = -(2 ** (num_bits - 1)), 2 ** (num_bits - 1) - 1
    else:
        scale, zero_point = nibble.lab04.asymmetric_parameters(x, num_bits)
        qmin, qmax = 0, 2**num_bits - 1
    grid = nibble.lab01.Grid(scale, zero_point, qmin, qmax)
    return nibble.lab01.fake_quantize(x, grid).reshape(x.shape)
