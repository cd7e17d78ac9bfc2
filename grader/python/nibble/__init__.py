"""What you wrote in the labs, called with NumPy arrays. Nothing of it counts for a grade.

    nibble.lab03.quantize_symmetric     an exercise as its contract has it: lists are flat
    nibble.quantize_symmetric           the same for arrays of any shape (nibble.arrays)
    help(nibble.lab03.symmetric_scale)  what its contract says

`./nibble python` starts an interpreter that has this module. docs/python.md shows what it does.
"""
import importlib
import json
import os
import types

_NOTE = "NIBBLE_PYTHON_LABS"

if _NOTE not in os.environ:
    raise ImportError("nibble is compiled by ./nibble python, which starts Python as well: "
                      "./nibble python your_script.py")
with open(os.environ[_NOTE], encoding="utf-8") as _file:
    _labs = json.load(_file)

# What is Python here: the file that it is in, and the labs that it calls. A file is read when
# something of it is first asked for.
_OWN = {
    "quantize_symmetric": ("arrays", ["03"]),
    "dequantize_symmetric": ("arrays", ["03"]),
    "quantize_asymmetric": ("arrays", ["04"]),
    "dequantize_asymmetric": ("arrays", ["04"]),
    "quantize_per_channel": ("arrays", ["05"]),
    "dequantize_per_channel": ("arrays", ["05"]),
    "quantization_error": ("arrays", ["02"]),
    "quantized_matmul": ("arrays", ["06"]),
    "compare_quantization_methods": ("arrays", ["05"]),
    "fake_quantize": ("arrays", ["01"]),  # and 03 or 04, as it is called
    "QuantizedLinear": ("linear", ["03", "05", "06"]),
    "FakeQuantize": ("autograd", ["01", "09"]),
}


def _lab(number):
    """nibble.lab03, opened when it is first asked for."""
    note = _labs.get(number)
    if note is None:
        raise AttributeError(f"there is no lab {number}: ./nibble list shows what there is")
    if note["why_not"]:
        raise AttributeError(note["why_not"])
    from nibble import _nibble

    name = f"nibble.lab{number}"
    lab = types.ModuleType(name, f"Lab {number}, as its contract has it.")
    vars(lab).update(_nibble.load(note["library"], name))
    return lab


def _exercise(name):
    """An exercise by its name alone, where only one lab has it."""
    numbers = [number for number, note in _labs.items()
               if name in note["exercises"] and not note["is_cuda"]]
    numbers = numbers or [number for number, note in _labs.items() if name in note["exercises"]]
    if not numbers:
        raise AttributeError(f"module 'nibble' has no attribute {name!r}: dir(nibble) lists them")
    if len(numbers) > 1:
        raise AttributeError(f"{name} is of labs {' and '.join(numbers)}: say which, as in "
                             f"nibble.lab{numbers[0]}.{name}")
    return getattr(_module_of(numbers[0]), name)


def _module_of(number):
    name = f"lab{number}"
    if name not in globals():
        globals()[name] = _lab(number)
    return globals()[name]


def _own(name):
    file, numbers = _OWN[name]
    for number in numbers:
        _module_of(number)
    return getattr(importlib.import_module(f"nibble.{file}"), name)


def _found(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name.startswith("lab") and name[3:].isdigit():
        return _module_of(name[3:])
    globals()[name] = _own(name) if name in _OWN else _exercise(name)
    return globals()[name]


def __getattr__(name):
    try:
        return _found(name)
    except AttributeError as error:
        why = str(error)
    raise AttributeError(why)  # here: nobody has to read how it was found out


def __dir__():
    here = {number: note for number, note in _labs.items() if not note["why_not"]}
    exercises = {name for note in here.values() for name in note["exercises"]}
    own = {name for name, (_, numbers) in _OWN.items() if here.keys() >= set(numbers)}
    return sorted({f"lab{number}" for number in here} | exercises - _OWN.keys() | own)
