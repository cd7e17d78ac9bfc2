"""A published solution as a library that Python calls."""
import ctypes
import os
import subprocess


def solution(kit, cxx, lab, name, shim, folder, *options):
    """Compiles solutions/LAB/NAME.cpp with `shim`, C++ that exports its functions in C's words."""
    library = os.path.join(folder, name + ".so")
    subprocess.run([cxx, "-std=c++20", "-O2", "-ffp-contract=off", "-shared", "-fPIC", *options,
                    f"-I{kit}/common", f"-I{kit}/labs/{lab}", "-x", "c++", "-",
                    f"{kit}/solutions/{lab}/{name}.cpp", "-o", library],
                   input=shim.encode(), check=True)
    return ctypes.CDLL(library)


def address(array):
    return array.ctypes.data_as(ctypes.c_void_p)
