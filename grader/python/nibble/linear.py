"""A layer of a network on int8 weights, by labs 03, 05 and 06."""
import numpy as np

import nibble
from nibble.arrays import floats


def array_of(tensor):
    """The numbers of a tensor of any library, where they lie in the memory of the CPU."""
    if hasattr(tensor, "detach"):  # one that is trained gives nothing away before
        tensor = tensor.detach()
    if isinstance(tensor, np.ndarray) or not hasattr(tensor, "__dlpack__"):
        return floats(tensor)
    return np.from_dlpack(tensor)


class QuantizedLinear:
    """y = x · weightᵀ + bias, as torch.nn.Linear, of which it takes the weights: weight
    [outputs, inputs], bias [outputs] or none. Weights are int8 with a scale for each output; x is
    quantized as it comes, with one scale."""

    def __init__(self, weight, bias=None, num_bits=8):
        weight = array_of(weight)
        if weight.ndim != 2:
            raise ValueError("QuantizedLinear: weight [outputs, inputs] is wanted, "
                             f"got {weight.shape}")
        tensor = nibble.quantize_per_channel(weight, axis=0, num_bits=num_bits)
        self.weight = np.ascontiguousarray(tensor.q.T)  # [inputs, outputs], as lab 06 takes it
        self.scales = tensor.scales
        self.bias = array_of(() if bias is None else bias)

    @classmethod
    def from_linear(cls, layer, num_bits=8):
        """Of a layer that has `weight` and `bias`, such as torch.nn.Linear."""
        return cls(layer.weight, layer.bias, num_bits)

    def __call__(self, x):
        """float32 [.., outputs] of x [.., inputs]."""
        x = array_of(x)
        inputs, outputs = self.weight.shape
        if x.ndim == 0 or x.shape[-1] != inputs:
            raise ValueError(f"QuantizedLinear: x [.., {inputs}] is wanted, got {x.shape}")
        q, scale = nibble.quantize_symmetric(x.reshape(-1, inputs))
        y = nibble.quantized_matmul(q, scale, self.weight, self.scales, bias=self.bias)
        return y.reshape(*x.shape[:-1], outputs)

    @property
    def nbytes(self):
        """What it holds: codes, scales, bias."""
        return self.weight.nbytes + self.scales.nbytes + self.bias.nbytes

    def __repr__(self):
        inputs, outputs = self.weight.shape
        return f"QuantizedLinear({inputs}, {outputs}, bias={self.bias.size > 0})"
