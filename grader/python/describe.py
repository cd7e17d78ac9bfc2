"""Writes a lab's table for Python: C++ that names what its contract declares.

    python3 describe.py labs/03_symmetric/symmetric.hpp FOLDER_OF_COMMON OUT

A compiler knows the types of an exercise; only the text knows the names of parameters and members,
default values and comments. Where the two do not agree, the table does not compile.
"""
import re
import sys
from pathlib import Path

NAME = r"[A-Za-z_]\w*"


def without_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def outermost(text, mark=","):
    """The parts between marks that stand in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "<({[") - (letter in ">)}]")
        if letter == mark and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [" ".join(part.split()) for part in parts if part.strip()]


class Contract:
    """What a contract says, and the headers of the kit that it includes."""

    def __init__(self, file, common):
        self.name = file.name
        self.text = file.read_text()
        seen, waiting = [self.text], re.findall(r'#include "(nibble/[^"]+)"', self.text)
        for header in waiting:
            text = (common / header).read_text()
            seen.append(text)
            waiting += [other for other in re.findall(r'#include "(nibble/[^"]+)"', text)
                        if other not in waiting]
        self.code = [without_comments(text) for text in seen]

    def exercises(self):
        listed = re.search(r"NIBBLE_EXERCISES\(([^)]*)\)", self.code[0])
        return outermost(listed[1])

    def parameters(self, function):
        """[(type, name, default or None)] of an exercise, in order."""
        found = re.search(rf"\b{function}\(([^;{{]*)\)\s*[;{{]", self.code[0])
        parameters = []
        for declared in outermost(found[1]):
            before, equals, default = declared.partition(" = ")
            kind, name = re.fullmatch(rf"(.*?)\s*&?\s*\b({NAME})", before).groups()
            parameters.append((kind.removeprefix("const "), name, default if equals else None))
        return parameters

    def comment(self, function):
        """The lines above its declaration that open with ///."""
        lines = self.text[:re.search(rf"^\S[^\n]*\b{function}\(", self.text, re.M).start()]
        comment = []
        for line in reversed(lines.splitlines()):
            if not line.startswith("///"):
                break
            comment.insert(0, line.removeprefix("///").removeprefix(" "))
        return "\n".join(comment)

    def members(self, name):
        """The members of a struct, in order; None where there is none of that name."""
        for code in self.code:
            found = re.search(rf"struct (?:alignas\(\d+\) )?{name} {{(.*?)^}};", code, re.M | re.S)
            if found:
                lines = [line for line in outermost(found[1], ";") if "(" not in line]
                return [re.search(rf"({NAME})$", part.partition(" = ")[0])[1]
                        for line in lines for part in outermost(line)], found[1]
        return None

    def enumerators(self, name):
        for code in self.code:
            found = re.search(rf"enum class {name}\b[^{{]*{{(.*?)}}", code, re.S)
            if found:
                return [part.partition(" = ")[0] for part in outermost(found[1])]
        return None


def types_of(contract):
    """Every struct and enum that an exercise takes or returns, and what those are made of."""
    heads = [re.search(rf"^\S[^\n;]*\b{function}\([^;{{]*", contract.code[0], re.M)[0]
             for function in contract.exercises()]
    waiting, structs, enums = re.findall(NAME, " ".join(heads)), {}, {}
    for name in waiting:
        if name in structs or name in enums:
            continue
        if (found := contract.members(name)) is not None:
            structs[name], body = found
            waiting += re.findall(NAME, body)
        elif (found := contract.enumerators(name)) is not None:
            enums[name] = found
    return structs, enums


def table(contract):
    structs, enums = types_of(contract)
    yield f'#include "{contract.name}"\n#include "python/reflect.hpp"\n'
    yield "namespace nibble::python {\n"
    named = {name: [f'"{member}"' for member in members] for name, members in structs.items()}
    for name, values in enums.items():
        named[name] = [f'enumerator("{value}", {name}::{value})' for value in values]
    for name, members in named.items():
        yield (f"template <>\nstruct Names<{name}> {{\n"
               f'  static constexpr const char* type = "{name}";\n'
               f"  static constexpr std::array members = {{{', '.join(members)}}};\n}};\n")
    yield "}  // namespace nibble::python\n\nusing namespace nibble;\n"
    yield "NIBBLE_PYTHON_TABLE("
    rows = []
    for function in contract.exercises():
        parameters = []
        for kind, name, default in contract.parameters(function):
            made = f', "{default}", [](void* at) {{ ::new (at) {kind}({default}); }}'
            parameters.append(f'{{"{name}"{made if default else ""}}}')
        rows.append(f'    (python::function_table<&{function}>(\n        "{function}",\n'
                    f'        R"~({contract.comment(function)})~",\n'
                    f"        {{{{{', '.join(parameters)}}}}}))")
    yield ",\n".join(rows) + ")"


def main(contract, common, out):
    Path(out).write_text("\n".join(table(Contract(Path(contract), Path(common)))) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
