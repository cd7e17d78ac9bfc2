"""Fake quantization that PyTorch trains through: forward by lab 01, backward by lab 09."""
import nibble

try:
    import torch
except ImportError:
    raise AttributeError("FakeQuantize takes torch, which this Python does not have: "
                         "python -m pip install torch") from None


def _numbers(tensor):
    """PyTorch hands over tensors with gaps where it likes to, as the gradient of a sum."""
    return tensor.detach().cpu().contiguous().numpy()


class FakeQuantize(torch.autograd.Function):
    """FakeQuantize.apply(x, scale, zero_point, qmin, qmax): x on the grid, shaped as x. The
    gradient goes through where x is inside of the grid, and ends where it is clamped."""

    @staticmethod
    def forward(ctx, x, scale, zero_point, qmin, qmax):
        ctx.save_for_backward(x)
        ctx.grid = (float(scale), zero_point, qmin, qmax)
        on_grid = nibble.lab01.fake_quantize(_numbers(x), ctx.grid)
        return torch.from_numpy(on_grid).reshape(x.shape).to(x)

    @staticmethod
    def backward(ctx, upstream):
        (x,) = ctx.saved_tensors
        gradient = nibble.lab09.fake_quantize_backward(_numbers(x), _numbers(upstream), ctx.grid)
        return torch.from_numpy(gradient).reshape(x.shape).to(upstream), None, None, None, None
