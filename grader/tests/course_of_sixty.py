"""A course of sixty people over four labs, played from `course init` to the last gradebook, with every
kind of mess that a term brings. What each person has to have at the end is written down beforehand,
beside what they hand in; then every table that the kit writes is compared with it.

    python3 -B grader/tests/course_of_sixty.py NIBBLE_TEACH [--page docs/instructors/sixty.md]

It takes some minutes. --page writes the messes and what was typed as a page of the docs.
"""
import argparse
import csv
import datetime
import html
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unicodedata
import zipfile
from pathlib import Path

LABS = {"01_grid": "grid.cpp", "02_error_metrics": "error_metrics.cpp",
        "03_symmetric": "symmetric.cpp", "04_asymmetric": "asymmetric.cpp"}
# The exercise that a half solution leaves out, and what it is worth: no other one calls it.
LEFT_OUT = {"01_grid": ("dequantize_from_grid", 20), "02_error_metrics": ("error_of_doubles", 10),
            "03_symmetric": ("dequantize_symmetric", 14),
            "04_asymmetric": ("dequantize_asymmetric", 13)}
# Three deadlines: labs 01 and 02 share one. All are over, so that nothing here depends on today.
DUE = {"01_grid": "2026-10-12T23:59:00+02:00", "02_error_metrics": "2026-10-12T23:59:00+02:00",
       "03_symmetric": "2026-10-26T23:59:00+01:00", "04_asymmetric": "2026-11-09T23:59:00+01:00"}
DAY = datetime.timedelta(days=1)


class Refused(str):
    """A part of the line that says why nothing was taken."""


NOTHING = None  # nobody handed anything in


def due(lab):
    return datetime.datetime.fromisoformat(DUE[lab])


class Texts:
    """What people write."""

    def __init__(self, kit):
        self.right = {lab: (kit / "solutions" / lab / name).read_text()
                      for lab, name in LABS.items()}

    def half(self, lab):
        function, _ = LEFT_OUT[lab]
        text, changed = re.subn(rf"(\n[\w:<>]+ {function}\([^;{{]*\) {{\n)",
                                r'\1  NIBBLE_TODO("for later");\n', self.right[lab])
        assert changed == 1, (lab, changed)
        return text

    def own(self, lab, number):
        """Right, and nobody else's byte for byte."""
        return self.right[lab] + f"// {number}\n"


# --- What a browser, a machine or a hurry makes of a file ----------------------------------------

def zipped(files, when=None, flag=0, link=None):
    """A zip of {name: text}; `when`, a datetime, is what it says of each file's time."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            info = zipfile.ZipInfo(name, (when or due("01_grid") - DAY).timetuple()[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o100644 << 16
            if when is not None:  # seconds since 1970: what the date above lacks is its zone
                seconds = int(when.timestamp()).to_bytes(4, "little")
                info.extra = b"UT\x05\x00\x01" + seconds
            archive.writestr(info, text)
        for name, target in (link or {}).items():
            info = zipfile.ZipInfo(name)
            info.external_attr = 0o120777 << 16
            archive.writestr(info, target)
    data = bytearray(out.getvalue())
    if flag:  # general purpose bits of every header: 1 is "encrypted"
        for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            place = data.find(mark)
            while place >= 0:
                data[place + at] |= flag
                place = data.find(mark, place + 4)
    return bytes(data)


def tarred(files, mode="w:gz", when=int((due("01_grid") - DAY).timestamp())):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(text.encode()), when
            archive.addfile(info, io.BytesIO(text.encode()))
    return out.getvalue()


def person(number):
    """As Canvas writes somebody: last and first name, its own number, the school's."""
    last = {7: "Ñ07", 8: unicodedata.normalize("NFD", "Ö08"), 9: "O'09", 10: "S, 10"}.get(
        number, f"P{number:02}")
    return last, "A", 5000 + number, f"s{number:02}"


def folded(name):
    """As Canvas folds a name into a file's."""
    return re.sub(r"[^a-z0-9]", "", unicodedata.normalize("NFC", name).lower()) or "x"


def canvas_name(number, file, attachment, late=False):
    last, first, user, _ = person(number)
    return f"{folded(last + first)}_{'LATE_' if late else ''}{user}_{attachment}_{file}"


# --- The course ----------------------------------------------------------------------------------

class Played:
    """A folder with a course in it, and what was typed there."""

    def __init__(self, teach, folder):
        self.teach, self.folder, self.lines = teach, folder, []
        self.environment = {k: v for k, v in os.environ.items() if k != "NIBBLE_SALT"}

    def run(self, *words, expect=(0, 1, 6), shown=True, stdin=None):
        ran = subprocess.run([self.teach, *words], cwd=self.folder, env=self.environment,
                             capture_output=True, text=True, input=stdin)
        said = ran.stdout + ran.stderr
        if ran.returncode not in expect:
            sys.exit(f"FAIL: {' '.join(words)}: {ran.returncode}\n{said}")
        if shown:
            self.say(words, said)
        return ran.stdout

    def say(self, words, said):
        self.lines.append("$ ./nibble teach " + " ".join(words))
        self.lines += said.rstrip("\n").split("\n")

    def killed(self, *words, after):
        """Ends the batch by SIGKILL as soon as `after` gradings are written."""
        batch = subprocess.Popen([self.teach, *words], cwd=self.folder, env=self.environment,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 start_new_session=True)
        while batch.poll() is None and self.graded() < after:
            time.sleep(0.05)
        if batch.poll() is not None:
            sys.exit("FAIL: the batch was over before it could be killed")
        os.killpg(batch.pid, signal.SIGKILL)
        batch.wait()
        self.lines.append("$ ./nibble teach " + " ".join(words) + "     # kill -9")

    def graded(self):
        return len(list((self.folder / "grades").glob("*/0*.json")))


class Term:
    """What sixty people hand in, and what each has to have."""

    def __init__(self, texts):
        self.texts = texts
        self.people = list(range(1, 61))
        self.expected = {}   # (number, lab) -> points, Refused, or NOTHING
        self.messes = []     # (lab, what, how it ends)
        self.settings = []   # blocks of course.toml
        self.attachment = 90000

    def hand_in(self, archive, number, lab, name, data, points, what=None, late=False):
        self.attachment += 1
        archive.writestr(canvas_name(number, name, self.attachment, late), data)
        self.ends(number, lab, points, what)

    def ends(self, number, lab, points, what=None):
        self.expected[number, lab] = points
        if what:
            self.messes.append((lab, what, points))

    def setting(self, kind, number, **values):
        rows = [f"[[{kind}]]", f'who = "{person(number)[3]}"']
        for key, value in values.items():
            is_bare = not isinstance(value, str) or key in ("due", "at")
            rows.append(f"{key} = {value}" if is_bare else f'{key} = "{value}"')
        self.settings.append("\n".join(rows) + "\n")

    # Every lab: people whom nothing is said of hand in a right file of their own or half a solution.
    def fill(self, archive, lab, but=()):
        for number in self.people:
            if (number, lab) in self.expected or number in but:
                continue
            is_half = number % 3 == 0
            text = self.texts.half(lab) if is_half else self.texts.right[lab]
            points = 100 - LEFT_OUT[lab][1] if is_half else 100
            self.hand_in(archive, number, lab, LABS[lab], text, points)

    def first_week(self, path):
        lab, name = "01_grid", "grid.cpp"
        right, half = self.texts.right[lab], self.texts.half(lab)
        own = lambda number: self.texts.own(lab, number)
        late = due(lab)
        with zipfile.ZipFile(path, "w") as a:
            put = lambda *words, **more: self.hand_in(a, words[0], lab, *words[1:], **more)
            put(1, "grid-1.cpp", right, 100, "Canvas counts a second file: `grid-1.cpp`")
            put(2, "grid (1).cpp", right, 100, "a browser counts a download: `grid (1).cpp`")
            put(3, "hw.zip", zipped({"project/labs/01_grid/grid.cpp": half}), 80,
                "a zip with the file three folders down")
            put(4, "hw.tar.gz", tarred({"grid.cpp": right}), 100, "a tar.gz")
            put(5, "hw.zip", zipped({"grid.cpp": right, "__MACOSX/._grid.cpp": "\0\5\26\7",
                                     ".DS_Store": "\0\0"}), 100,
                "what macOS adds to a zip: `__MACOSX`, `.DS_Store`")
            put(6, "grid.cpp", right.replace("\n", "\r\n"), 100, "line ends of Windows")
            put(7, "grid.cpp", "\ufeff" + right, 100, "a byte order mark; a name with ñ")
            put(8, "grid.cpp", right, 100, "a name whose accent is a sign of its own (NFD)")
            put(9, "grid.cpp", right, 100, "a name with an apostrophe")
            put(10, "grid.cpp", right, 100, "a name with a comma")
            put(11, "gird.cpp", right, Refused("is gird.cpp meant"), "a misspelt file name")
            put(12, "hw.rar", b"Rar!\x1a\7\1\0", Refused("hw.rar"), "an archive of a kind that is not read")
            put(13, "grid.cpp", "", Refused("empty"), "an empty file")
            put(14, "grid.cpp", right.encode("utf-16"), Refused("UTF-16"), "a file in UTF-16")
            put(15, "grid.cpp", right + "\0", Refused("zero byte"), "a zero byte in the text")
            put(16, "grid.cpp", right + "// \xe9".encode("latin-1").decode("latin-1"), 100,
                "an é in a comment")
            put(17, "grid.cpp", (right + "// x").encode() + b"\xe9\n", Refused("UTF-8"),
                "an é in Latin-1")
            put(18, "grid.cpp", right + "//" + "x" * 300000, Refused("256 KiB"), "300 KB of comment")
            put(19, "grid.cpp", right, Refused("both there"), "two texts of one lab")
            put(19, "hw.zip", zipped({"grid.cpp": half}), Refused("both there"))
            put(20, "grid.cpp", right, 100, "the same text twice, plain and in a zip")
            put(20, "hw.zip", zipped({"grid.cpp": right}), 100)
            put(21, "hw.zip", zipped({"../../grid.cpp": right}), Refused("leads out of it"),
                "a zip whose name leads out of it")
            put(22, "hw.zip", zipped({}, link={"grid.cpp": "/etc/passwd"}), Refused("link"),
                "a zip with a link to a file of the machine")
            put(23, "hw.zip", zipped({"grid.cpp": right}, flag=1), Refused("encrypted"),
                "a zip with a password")
            put(24, "hw.zip", zipped({"grid.cpp": right})[:300], Refused("damaged"),
                "a zip that broke off")
            put(25, "hw.zip", zipped({"grid.cpp": right, "big": "0" * (300 << 20)}),
                Refused("unpacks to more"), "a zip of 300 KB that unpacks to 300 MB")
            put(26, "symmetric.cpp", self.texts.right["03_symmetric"],
                Refused("there is no grid.cpp"), "the file of another lab")
            put(27, "grid.cpp", self.texts.right["03_symmetric"], 0,
                "another lab's text under this one's name: does not compile")
            put(28, "grid.cpp", right.replace("return", "retrun", 1), 0, "a file that does not compile")
            put(29, "grid.cpp", half.replace('NIBBLE_TODO("for later");',
                                             "for (volatile int i = 0;; i = i) {}"), 80,
                "one exercise never ends; the others count")
            put(30, "grid.cpp", half.replace('NIBBLE_TODO("for later");',
                                             "*(volatile int*)nullptr = 1;"), 80,
                "one exercise crashes; the others count")
            put(31, "grid.cpp", half.replace('NIBBLE_TODO("for later");', "std::exit(0);"), 80,
                "one exercise ends the program with success")
            put(32, "hw.zip", zipped({"grid.cpp": own(32)}, late + datetime.timedelta(minutes=10)),
                100, "ten minutes late, within the grace")
            put(33, "hw.zip", zipped({"grid.cpp": own(33)}, late + datetime.timedelta(minutes=16)),
                90, "sixteen minutes late: one day was begun")
            put(34, "hw.zip", zipped({"grid.cpp": own(34)}, late + 2.5 * DAY), 70,
                "two and a half days late: the cap of 30 points")
            put(35, "hw.zip", zipped({"grid.cpp": own(35)}, late + 8 * DAY), 0,
                "after the lab was closed")
            put(36, "hw.zip", zipped({"grid.cpp": own(36)}, late + 2 * DAY), 100,
                "two days late with three days more in this lab")
            put(37, "hw.zip", zipped({"grid.cpp": own(37)}, late + 2 * DAY), 90,
                "two days late with one day more in every lab")
            put(38, "grid.cpp", right, 100, "Canvas says LATE, nothing by how much: in time, and told",
                late=True)
            put(39, "grid.cpp", half, 60, "Canvas says LATE, the instructor by how much: two days",
                late=True)
            put(40, "grid.cpp", half, 90, "an override: points in place of the judge's")
            put(41, "grid.cpp", half, 85, "an override: five points more, for a question answered")
            put(42, "hw.zip", zipped({"grid.cpp": own(42)}, late + 1.5 * DAY), 95,
                "an override on a late file has the last word")
            self.ends(43, lab, NOTHING, "nothing handed in")
            self.ends(44, lab, NOTHING, "an override for somebody who handed in nothing: told")
            put(45, "report.pdf", b"%PDF-1.4", Refused("report.pdf"), "the wrong upload: a PDF")
            self.fill(a, lab)
            self.attachment += 1
            a.writestr(f"guestg_7001_{self.attachment}_grid.cpp", right)
            self.messes.append((lab, "somebody who is not in the roster", "told, and in no gradebook"))
        self.setting("extension", 36, lab="01", due=(due(lab) + 3 * DAY).isoformat())
        self.setting("extension", 37, days=1)
        self.setting("handed_in", 39, lab="01", at=(due(lab) + 1.5 * DAY).isoformat())
        signed = {"by": "the instructor", "at": "2026-10-20T09:00:00+02:00", "why": "asked in person"}
        self.setting("override", 40, lab="01", points=90, **signed)
        self.setting("override", 41, lab="01", add=5, **signed)
        self.setting("override", 42, lab="01", points=95, **signed)
        self.setting("override", 44, lab="01", points=50, **signed)

    def second_week(self, path, mail):
        lab, name = "02_error_metrics", "error_metrics.cpp"
        right = self.texts.right[lab]
        with zipfile.ZipFile(path, "w") as a:
            self.hand_in(a, 1, lab, "hw.zip",
                         zipped({name: right, self.other(lab): self.texts.right["01_grid"]}), 100,
                         "a zip with last week's file in it, too")
            self.hand_in(a, 2, lab, name.upper(), right, Refused("there is no error_metrics.cpp"),
                         "a file name in capitals")
            self.hand_in(a, 3, lab, "hw.zip", zipped({"a/" + name: right, "b/" + name: right}),
                         Refused("stands at a/error_metrics.cpp and at b/error_metrics.cpp"),
                         "the file twice in one zip, in two folders that are no lab's")
            for number in (4, 5, 6):
                self.ends(number, lab, 100)
            self.fill(a, lab)
        # By mail, in a folder beside: called as the school calls them.
        for number, what in ((4, "a folder by mail, called by the school's number"),
                             (5, "a zip by mail"), (6, "a git clone by mail, committed in time")):
            self.messes.append((lab, what, 100))
        (mail / "s04").mkdir(parents=True)
        (mail / "s04" / name).write_text(self.texts.own(lab, 4))
        (mail / "s05.zip").write_bytes(zipped({name: self.texts.own(lab, 5)}, due(lab) - DAY))
        self.clone(mail / "s06", lab, self.texts.own(lab, 6), due(lab) - DAY)

    def other(self, lab):
        return "01_grid/grid.cpp"

    def clone(self, folder, lab, text, when):
        place = folder / "labs" / lab
        place.mkdir(parents=True)
        (place / LABS[lab]).write_text(text)
        git = ["git", "-c", "user.name=a student", "-c", "user.email=a@example.edu"]
        date = when.isoformat()
        for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Lab"]):
            subprocess.run([*git, *words], cwd=folder, check=True, env={
                **os.environ, "GIT_COMMITTER_DATE": date, "GIT_AUTHOR_DATE": date,
                "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"})

    def packed(self, lab, text, when, handout, said_of=None):
        """As `nibble pack` writes it; `said_of`: the text that its manifest is about."""
        import hashlib
        hash = hashlib.sha256((said_of or text).encode()).hexdigest()
        stamp = when.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        manifest = (f"nibble pack 1\nkit 1.0.0\npacked {stamp}\nhandout {handout}\n"
                    f"sha256:{hash} {lab}/{LABS[lab]}\n")
        return tarred({f"{lab}/{LABS[lab]}": text, "nibble_pack.txt": manifest}, "w", 0)

    def third_week(self, downloads):
        """Four downloads of one lab, of which the best of three attempts counts."""
        lab, name = "03_symmetric", "symmetric.cpp"
        right, half = self.texts.right[lab], self.texts.half(lab)
        own = lambda number: self.texts.own(lab, number)
        before, after = due(lab) - DAY, due(lab) + 2.5 * DAY
        broken = right.replace("return", "retrun", 1)
        old, new = "1111111111111111", "2222222222222222"
        tries = {
            1: [zipped({name: half}, before), zipped({name: own(1)}, after)],
            2: [half, right],
            3: [right, broken],
            5: [zipped({name: own(5)}, before), zipped({name: own(5)}, after)],
            6: [broken, half, half + "\n", right],
            7: [self.packed(lab, own(7), before, old)],
            8: [self.packed(lab, own(8), due(lab) + 0.5 * DAY, old)],
            9: [self.packed(lab, own(9), due(lab) + 0.5 * DAY, old, said_of=half)],
            10: [self.packed(lab, own(10), before, new)],
        }
        ends = {
            1: (86, "half in time, all of it 2.5 days late: the better one counts, 86 and not 70"),
            2: (100, "half, then all of it"),
            3: (100, "all of it, then what does not compile: the best counts"),
            4: (100, "refused for its name, then right"),
            5: (100, "the same text once more after the date: it came when it came first"),
            6: (86, "four files where three count: the fourth has no part in it"),
            7: (100, "packed by `nibble pack`, in time by its manifest"),
            8: (90, "packed half a day late"),
            9: (100, "a manifest of another text: not believed, and nothing says when"),
            10: (100, "packed by a mended handout; `status` says who by which"),
        }
        for number, (points, what) in ends.items():
            self.ends(number, lab, points, what)
        for round, path in enumerate(downloads):
            with zipfile.ZipFile(path, "w") as a:
                for number, files in tries.items():
                    data = files[min(round, len(files) - 1)]
                    is_text = isinstance(data, str)
                    kind = name if is_text else "hw.zip" if data[:2] == b"PK" else "submission.tar"
                    self.attachment += 1
                    a.writestr(canvas_name(number, kind, self.attachment), data)
                a.writestr(canvas_name(4, "symetric.cpp" if round == 0 else name, 4), right)
                for number in self.people:
                    if number > 10:
                        is_half = number % 3 == 0
                        a.writestr(canvas_name(number, name, 100 + number), half if is_half else right)
                        self.ends(number, lab, 86 if is_half else 100)

    def fourth_week(self, path, clones):
        lab, name = "04_asymmetric", "asymmetric.cpp"
        for number, when, points, what in (
                (1, due(lab) - DAY, 100, "a clone whose last commit was in time"),
                (2, due(lab) + 0.5 * DAY, 90, "a clone whose last commit was half a day late"),
                (3, due(lab) - DAY, 100, "a clone whose configuration names a program to run")):
            self.clone(clones / person(number)[3], lab, self.texts.own(lab, number), when)
            self.ends(number, lab, points, what)
        with (clones / "s03" / ".git" / "config").open("a") as config:
            config.write("[core]\n\tfsmonitor = touch ran_by_git\n")
        (clones / "s04").mkdir()
        (clones / "s04" / "README.md").write_text("to do\n")
        self.ends(4, lab, NOTHING, "a clone without the file")
        with zipfile.ZipFile(path, "w") as a:
            self.fill(a, lab)


# --- What the course's tables say ----------------------------------------------------------------

def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


class Judgement:
    """Every grade that a table holds, beside the one that was written down before."""

    def __init__(self, term):
        self.term, self.faults, self.compared = term, [], 0

    def same(self, what, got, wanted):
        self.compared += 1
        if got != wanted:
            self.faults.append(f"{what}: {got!r}, and should be {wanted!r}")

    def points_of(self, number, lab):
        """Points, or nothing where somebody has no grade."""
        points = self.term.expected[number, lab]
        return points if isinstance(points, int) else None

    def csv(self, text):
        there = {(row["student_id"], row["assignment"]): row for row in rows_of(text)}
        for (number, lab), _ in self.term.expected.items():
            row = there.get((person(number)[3], lab))
            got = int(row["score"]) if row and row["score"] else None
            points = self.term.expected[number, lab]
            wanted = 0 if points is NOTHING else self.points_of(number, lab)
            self.same(f"csv: {person(number)[3]}, {lab}", got, wanted)

    def gradebook(self, lab, column, text):
        there = {row["SIS User ID"]: row[column] for row in rows_of(text)}
        for number in self.term.people:
            points = self.points_of(number, lab)
            got = there[person(number)[3]]
            wanted = "" if points is None else f"{points / 5:g}"  # of 20
            self.same(f"gradebook: {person(number)[3]}, {lab}", got, wanted)

    def totals(self, text):
        there = {row["student_id"]: row for row in rows_of(text)}
        for number in self.term.people:
            row = there[person(number)[3]]
            grades = [self.term.expected[number, lab] for lab in LABS]
            mean = sum(w * (self.points_of(number, lab) or 0)
                       for w, lab in zip((1, 1, 1, 2), LABS)) / 5
            is_open = any(isinstance(grade, Refused) for grade in grades)  # a person has to decide
            wanted = "" if is_open else f"{round(mean, 2):g}"
            self.same(f"total of {row['student_id']}", row["total"], wanted)

    def status(self, lab, text):
        """Nobody is missing, and whoever was refused can read why."""
        part = text[text.index(f"\n{lab} ") + 1:].split("\n0")[0].split("\nsince ")[0]
        counts = dict((word, int(n)) for n, word in re.findall(r"(\d+) (graded|refused|nothing)", part))
        kinds = [self.term.expected[number, lab] for number in self.term.people]
        beyond = 2 if lab == "01_grid" else 0  # a guest, and somebody who left: they have grades
        wanted = {"graded": sum(isinstance(kind, int) for kind in kinds) + beyond,
                  "refused": sum(isinstance(kind, Refused) for kind in kinds),
                  "nothing": sum(kind is NOTHING for kind in kinds)}
        self.same(f"status of {lab}", {k: counts.get(k, 0) for k in wanted}, wanted)
        for number in self.term.people:
            kind = self.term.expected[number, lab]
            if not isinstance(kind, Refused):
                continue
            line = next((l for l in part.split("\n") if f"({person(number)[3]})" in l), "")
            self.same(f"status says why of {person(number)[3]}, {lab}", kind in line, True)
            if kind not in line:
                self.faults[-1] += f"; {kind}; {line.strip()}"

    def class_page(self, text):
        """Everybody is named once, with what they have in each lab, and nobody else is."""
        table = text[text.index("Points of everybody"):].split("</table>")[0]
        rows = [[html.unescape(re.sub(r"<[^>]+>", "", cell))
                 for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)]
                for row in re.findall(r"<tr[^>]*>(.*?)</tr>", table, re.S)]
        there = {name: [cell if cell.startswith("–") else cell.split()[0] for cell in cells if cell]
                 for name, *cells in rows}
        self.same("class page: nobody is named twice", len(rows), len(there))
        others = {"student", "mean of the grades", "guestg_7001", "p60a_5060"}
        for number in self.term.people:
            last, first, _, school = person(number)
            name = unicodedata.normalize("NFC", f"{last}, {first} ({school})")
            kinds = [self.term.expected[number, lab] for lab in LABS]
            wanted = [str(sum(kind for kind in kinds if isinstance(kind, int)))]
            wanted += [str(kind) if isinstance(kind, int) else
                       "– none came" if kind is NOTHING else "– refused" for kind in kinds]
            self.same(f"class page: {school}", there.get(name), wanted)
            others.add(name)
        self.same("class page: who is named", set(there), others)


def write_course(term, folder):
    labs = "".join(f'[[lab]]\nlab = "{lab}"\ndue = {DUE[lab]}\n'
                   f'closes = {(due(lab) + 7 * DAY).isoformat()}\n'
                   f'weight = {2 if lab == "04_asymmetric" else 1}\nscale = "gradebook"\n'
                   f'column = "Lab {lab[:2]} ({lab[:2]}11)"\n' for lab in LABS)
    (folder / "course.toml").write_text(
        'version = 1\ncourse = "Quantization in C++"\nterm = "Winter 2026"\nroster = "book.csv"\n'
        'grades = "grades"\nsalt_from = "salt"\nhidden = true\nattempts = "best"\n'
        'most_attempts = 3\n[late]\ngrace = "15 min"\nper_day = 10\ncap = 30\n'
        + labs + "".join(term.settings))
    (folder / "salt").write_text("a course of sixty\n")


def write_book(term, folder):
    columns = [f"Lab {lab[:2]} ({lab[:2]}11)" for lab in LABS]
    out = io.StringIO()
    book = csv.writer(out, lineterminator="\n")
    book.writerow(["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *columns])
    book.writerow(["    Points Possible", "", "", "", "", *["20"] * len(LABS)])
    for number in term.people:
        last, first, user, school = person(number)
        book.writerow([f"{last}, {first}", user, school, f"{school}@example.edu", "Q",
                       *[""] * len(LABS)])
    (folder / "book.csv").write_text(out.getvalue())


def play(course, term, judged):
    folder = course.folder
    grade = lambda *words: course.run("grade", *words, "--resume", "-j", "2")
    course.run("course", "init", "01", "02", "03", "04", shown=True)
    term.first_week(folder / "lab01.zip")
    write_book(term, folder)
    write_course(term, folder)
    grade("lab01.zip", "--lab", "01")

    # Somebody leaves, and somebody comes; the next batch is killed, and goes on.
    term.people = [number for number in term.people if number != 60] + [61]
    del term.expected[60, "01_grid"]
    term.ends(61, "01_grid", NOTHING, "somebody comes after the first lab, somebody leaves")
    write_book(term, folder)
    term.second_week(folder / "lab02.zip", folder / "mail")
    course.killed("grade", "lab02.zip", "--lab", "02", "--resume", "-j", "2",
                  after=course.graded() + 5)
    term.messes.append(("02_error_metrics", "a batch that was killed and goes on", "all"))
    grade("lab02.zip", "--lab", "02")
    grade("mail", "--lab", "02")

    downloads = [folder / f"lab03_{which}.zip" for which in "abcd"]
    term.third_week(downloads)
    for download in downloads:
        grade(download.name, "--lab", "03")

    # The grades move to another machine, which goes on.
    moved = folder.parent / "another_machine"
    shutil.copytree(folder, moved, symlinks=True)
    shutil.rmtree(folder)
    course.folder = folder = moved
    term.messes.append(("04_asymmetric", "grades that move to another machine's folder", "all"))
    term.fourth_week(folder / "lab04.zip", folder / "clones")
    grade("lab04.zip", "--lab", "04")
    grade("clones", "--lab", "04")
    if (folder / "ran_by_git").exists() or list(folder.rglob("ran_by_git")):
        judged.faults.append("a clone's configuration was obeyed")

    compare(course, term, judged)
    before = course.run("export", "csv", shown=False)
    said = course.run("regrade", "-o", "again", "-j", "2")
    judged.same("a regrade changes nothing", "0 differ" in said or "no grade differs" in said
                or "the same" in said, True)
    judged.same("results after a regrade", course.run("export", "csv", shown=False), before)
    term.messes.append(("all", "everything is graded once more", "the same"))


def compare(course, term, judged):
    status = course.run("status")
    for lab in LABS:
        judged.status(lab, status)
    judged.same("who is not in the roster is told", "guestg_7001" in status, True)
    judged.csv(course.run("export", "csv", shown=False))
    template = "book.csv"
    for lab in LABS:
        course.run("export", "canvas", "--lab", lab[:2], "--template", template, "-o", "upload.csv",
                   shown=lab == "04_asymmetric")
        template = "upload.csv"
        judged.gradebook(lab, f"Lab {lab[:2]} ({lab[:2]}11)", (course.folder / template).read_text())
    judged.totals(course.run("export", "totals", shown=False))
    course.run("report", shown=False)
    judged.class_page((course.folder / "grades" / "report.html").read_text())
    course.run("export", "feedback", "-o", "back")
    given = {path.name for path in (course.folder / "back").iterdir()}
    for number in term.people:
        if any(isinstance(term.expected.get((number, lab)), int) for lab in LABS):
            last, first, user, _ = person(number)
            is_there = any(name.endswith(f"_{user}") or name == person(number)[3] for name in given)
            judged.same(f"feedback for {person(number)[3]}", is_there, True)


# --- The page ------------------------------------------------------------------------------------

def without_the_rest(lines):
    """What a batch says of each who passes, of whom it said so before, and of time, is left out."""
    kept, looks = [], False
    for line in lines:
        looks = line.startswith("needs a look:") or (looks and line.startswith("  "))
        is_grade = re.match(r"  \S+ +\d\d_\w+ +\d+ of 100 ", line)
        if is_grade or (looks and line.startswith("  ")):
            if kept[-1] != "  …":
                kept.append("  …")
        else:
            kept.append(re.sub(r", \d+ d \d+ h ago", "", line))
    return kept


def page(course, term, judged):
    rows = []
    for lab, what, how in term.messes:
        end = "nothing" if how is NOTHING else f"refused: *{how}*" if isinstance(how, Refused) else how
        rows.append(f"| {lab[:2] if lab[:2].isdigit() else lab} | {what} | {end} |")
    return f"""# A course of sixty, played

Sixty people, four labs, three deadlines, {len(term.messes)} kinds of mess, from `course init` to the last
gradebook: `python3 grader/tests/course_of_sixty.py build/default/bin/nibble-teach` plays it, and compares what
`status`, the class page, `export csv`, `canvas`, `totals` and `feedback` say of everybody with what was written
down beforehand: {judged.compared} comparisons. It is one of the tests before a release (`./nibble test deep`), and wrote
this page (`--page`).

The course: `attempts = "best"`, `most_attempts = 3`, a grace of 15 minutes, 10 % a day up to 30, closed after a week; hidden
checks run; a gradebook of Canvas's is the roster.

## What people did, and what they have

The first column is the lab, the last one points of 100, or why there is no grade. Who is not in this table handed in a right
file, or one with an exercise left out.

| lab | what came | grade |
| --- | --- | --- |
{chr(10).join(rows)}

## As it was typed

Lines of those who pass or were said before are left out, `…`.

```console
{chr(10).join(without_the_rest(course.lines))}
```
"""


def main():
    words = argparse.ArgumentParser()
    words.add_argument("teach")
    words.add_argument("--page", help="a file that the transcript is written to, for the docs")
    words.add_argument("--keep", help="a folder to play in, which stays")
    words = words.parse_args()
    kit = Path(__file__).resolve().parents[2]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(words.keep or scratch) / "course"
        folder.mkdir(parents=True)
        term, course = Term(Texts(kit)), Played(Path(words.teach).resolve(), folder)
        judged = Judgement(term)
        try:
            play(course, term, judged)
        except BaseException:
            print("\n".join(course.lines))
            raise
    print("\n".join(course.lines))
    print(f"{len(term.messes)} kinds of mess, {judged.compared} comparisons")
    if words.page and not judged.faults:
        Path(words.page).write_text(page(course, term, judged))
    if judged.faults:
        sys.exit("FAIL:\n  " + "\n  ".join(judged.faults))


if __name__ == "__main__":
    main()
