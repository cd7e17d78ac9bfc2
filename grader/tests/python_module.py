"""What `./nibble python` makes of a learner's labs: the page docs/python.md, what arrays are taken
and which are refused, that nothing is copied, what a call costs, and labs that do not pass.

    python3 grader/tests/python_module.py KIT [deep]

The labs are the published solutions, handed in by a learner in a folder of its own. Says "not run"
where there is no pybind11 or NumPy: nothing is installed. `deep`: arrays of 1 GB, and every lab there
is. Torch is tried where the Python that is meant has it.
"""
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LABS = ["01_grid", "02_error_metrics", "03_symmetric", "05_per_channel", "06_quantized_matmul",
        "09_fake_quant"]


class Learner:
    """A folder with labs and progress, and ./nibble python in it."""

    def __init__(self, kit, root):
        self.kit, self.root = kit, Path(root)
        shutil.copytree(kit / "labs", self.root / "labs")
        (self.root / ".nibble").mkdir()
        self.progress = {}

    def file(self, lab):
        return self.root / "labs" / lab / (lab[3:] + ".cpp")

    def solve(self, lab):
        """As if it were written, and judged."""
        shutil.copy(self.kit / "solutions" / lab / (lab[3:] + ".cpp"), self.file(lab))
        self.note(lab)

    def note(self, lab, state="passed"):
        contract = (self.kit / "labs" / lab / (lab[3:] + ".hpp")).read_text()
        names = re.findall(r"\w+", re.search(r"NIBBLE_EXERCISES\(([^)]*)\)", contract)[1])
        source = "sha256:" + hashlib.sha256(self.file(lab).read_bytes()).hexdigest()[:16]
        for name in names:
            self.progress[f"{lab[:2]}.{name}"] = (
                f"{state} 2026-10-01T14:02:55Z tries=1 hints=0 seconds=1 source={source}")
        lines = "".join(f"{name} {rest}\n" for name, rest in sorted(self.progress.items()))
        (self.root / ".nibble" / "progress.txt").write_text("# nibble progress 1\n" + lines)

    def python(self, *words):
        """(exit status, what was printed, what was said)."""
        variables = {**os.environ, "NIBBLE_ROOT": str(self.root), "NIBBLE_NO_INSTALL": "1"}
        ran = subprocess.run([self.kit / "nibble", "python", *words], env=variables,
                             cwd=self.root, capture_output=True, text=True)
        return ran.returncode, ran.stdout, ran.stderr


def expect(holds, what, said=""):
    if not holds:
        sys.exit(f"FAIL: {what}\n{said}")
    print("holds:", what)


def labs_that_do_not_pass(learner):
    ask = ("import nibble\n"
           "for name in ('lab03', 'quantize_symmetric', 'lab04', 'quantize_asymmetric',\n"
           "             'asymmetric_parameters', 'lab19', 'lab99', 'requantize'):\n"
           "    try: getattr(nibble, name); print(name, 'is there')\n"
           "    except AttributeError as error: print(name, error)\n")
    status, printed, said = learner.python("-c", ask)
    expect(status == 0, "labs that are missing are no reason not to import", said)
    lines = printed.splitlines()
    for line in ("lab03 is there", "quantize_symmetric is there",
                 "lab04 lab 04 does not pass yet: ./nibble run 04",
                 "quantize_asymmetric lab 04 does not pass yet: ./nibble run 04",
                 "asymmetric_parameters lab 04 does not pass yet: ./nibble run 04",
                 "lab99 there is no lab 99: ./nibble list shows what there is",
                 "requantize requantize is of labs 08 and 15: say which, as in "
                 "nibble.lab08.requantize"):
        expect(line in lines, line, printed)
    expect("lab19 lab 19 is of CUDA" in printed, "kernels are not for Python", printed)
    expect("labs that pass: 01 02 03" in said and "not yet: 04" in said, "it says which labs", said)

    text = learner.file("03_symmetric").read_text()
    learner.file("03_symmetric").write_text(text + "// more\n")
    printed = learner.python("-c", ask)[1]
    expect("lab03 lab 03 has changed since it passed: ./nibble run 03" in printed,
           "what was judged is what is called", printed)
    learner.file("03_symmetric").write_text(text + "no C++\n")
    learner.note("03_symmetric")
    printed = learner.python("-c", ask)[1]
    expect("lab03 lab 03 does not compile: ./nibble run 03" in printed, "a broken lab", printed)
    learner.solve("03_symmetric")
    learner.note("03_symmetric", "open")
    printed = learner.python("-c", ask)[1]
    expect("lab03 lab 03 does not pass yet: ./nibble run 03" in printed, "a failing lab", printed)
    learner.solve("03_symmetric")


def words_and_status(learner):
    script = learner.root / "script.py"
    script.write_text("import sys; print(sys.argv[1:]); sys.exit(7)\n")
    status, printed, _ = learner.python(str(script), "--help", "--solutions", "-x")
    expect((status, printed) == (7, "['--help', '--solutions', '-x']\n"),
           "words and exit status are the script's", printed)
    expect(learner.python("--help")[0] == 0, "--help before a script is ours")
    alone = subprocess.run([sys.executable, "-c", "import nibble"], capture_output=True, text=True,
                           env={**os.environ, "PYTHONPATH": str(learner.kit / "grader/python")})
    expect("./nibble python" in alone.stderr, "without ./nibble it says where to go", alone.stderr)


def main(kit, deep=False):
    kit = Path(kit).resolve()
    with tempfile.TemporaryDirectory() as folder:
        learner = Learner(kit, Path(folder) / "home")
        status, _, said = learner.python("-c", "")
        if status == 5:
            sys.exit("not run: " + said)
        expect(status == 0, "./nibble python runs", said)
        for lab in LABS:
            learner.solve(lab)
        calls = kit / "grader" / "tests" / "python_calls.py"
        words = [str(kit), "deep"] if deep else [str(kit)]
        status, printed, said = learner.python("-B", str(calls), *words)
        print(printed, said, sep="")
        expect(status == 0, "arrays, errors, memory, the page")
        if deep:
            status, printed, said = learner.python("--solutions", "-B", str(calls), "every-lab")
            expect(status == 0, "every lab is called", printed + said)
            return
        labs_that_do_not_pass(learner)
        words_and_status(learner)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:] == ["deep"])
