"""What stubs and skeletons of the papers' contract weigh as code and as marshal programs: their tables 7 to 9."""

import functools
import pathlib
import re
import tempfile

from .code import ROOT, CodeBenches, run
from .programs import NotMeasured

PAPERS = ROOT / "bench" / "param.idl"
COPIES = 20
STYLES = ("compiled", "interpretive")
SIDES = {"stub": "stub", "skeleton": "skel"}
INTERPRETER = ("programs.cc.o", "programs_skeleton.cc.o")


class Contract:
    """The papers' contract by definitions, and contracts of one operation of it, many times, and of the types it needs."""

    def __init__(self, text):
        body = text[text.index("{") + 1:text.index("\n};")]
        self._parts = {_name(part): part.strip() for part in re.split(r"\n\s*\n", body)}
        self.operations = [name for name in self._parts if name.startswith("test_")]

    def of(self, operation, copies):
        types = self._needed(self._parts[operation])
        lines = [part for name, part in self._parts.items() if name in types]
        lines += [self._parts[operation].replace(operation, f"{operation}_{i}") for i in range(copies)]
        return "interface Param_Test {\n" + "\n".join(lines) + "\n};\n"

    @staticmethod
    def empty():
        """No types either: those that an operation needs are part of what it weighs."""
        return "interface Param_Test {\n};\n"

    def _needed(self, text):
        direct = {name for name, part in self._parts.items()
                  if part != text and name not in self.operations and re.search(rf"\b{name}\b", text)}
        return direct.union(*(self._needed(self._parts[name]) for name in direct))


class StubBenches:
    """Octets of one operation: a contract of twenty less an empty one, by twenty."""

    def __init__(self, programs):
        self._code = CodeBenches(programs)
        self._build = programs and programs.build
        self.contract = Contract(PAPERS.read_text(encoding="utf-8"))

    def stubs(self, case, _peer, _placement):
        name = case.split("/")[0]
        return self._interpreter() if name == "interpreter" else self._operation(name)

    @functools.cache
    def _operation(self, operation):
        values = {}
        for side in SIDES:
            (code, text), (table, program) = (self._weight(operation, style, side) for style in STYLES)
            values |= {f"{side}-compiled": code, f"{side}-compiled-text": text, f"{side}-interpretive": table,
                       f"{side}-interpretive-text": program, f"{side}-of-compiled": table / code,
                       f"{side}-text-of-compiled": program / text}
        return values

    def _weight(self, operation, style, side):
        """All that is loaded, and .text."""
        many = self._sections(self.contract.of(operation, COPIES), style)[side]
        none = self._sections(self.contract.empty(), style)[side]
        return tuple((many[i] - none[i]) / COPIES for i in (0, 1))

    @functools.cache
    def _sections(self, text, style):
        flags = self._code.flags_of_client("corbel")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            contract = folder / "measured.idl"
            contract.write_text(text)
            run([*self._code.generator("corbel", folder), "--no-any", "--stubs", style, str(contract)])
            return {side: _weigh(flags, folder, f"measured.{suffix}") for side, suffix in SIDES.items()}

    @functools.cache
    def _interpreter(self):
        """Its own size, and how many operations, as many of each kind, save that much at both sides."""
        objects = [path for name in INTERPRETER for path in (self._build / "orb").rglob(name)]
        if len(objects) != len(INTERPRETER):
            raise NotMeasured(f"found {objects} of {INTERPRETER}")
        size = sum(loaded(path)[0] for path in objects)
        each = [self._operation(operation) for operation in self.contract.operations]
        saved = sum(one[f"{side}-compiled"] - one[f"{side}-interpretive"] for one in each for side in SIDES) / len(each)
        return {"KB": size / 1e3, "operations": size / saved}

    def tables(self):
        """Lines of text. Performance, which table 9 has, too, is what the levels of `stub-calls` measure."""
        for number, side in ((7, "stub"), (8, "skeleton")):
            yield f"\ntable {number}: octets of {side}s" + " " * 21 + "interpretive" + " " * 18 + "compiled"
            yield f"{'':24}" + 2 * f"{'.text':>10}{'others':>10}{'total':>10}"
            for operation in self.contract.operations:
                one = self._operation(operation)
                cells = []
                for style in reversed(STYLES):
                    total, text = one[f"{side}-{style}"], one[f"{side}-{style}-text"]
                    cells += [text, total - text, total]
                yield f"{operation:24}" + "".join(f"{cell:>10.0f}" for cell in cells)
        yield "\ntable 9: interpretive in percent of compiled"
        yield f"{'':24}{'stub':>10}{'its .text':>12}{'skeleton':>10}"
        for operation in self.contract.operations:
            one = self._operation(operation)
            yield (f"{operation:24}{one['stub-of-compiled']:>10.1%}{one['stub-text-of-compiled']:>12.1%}"
                   f"{one['skeleton-of-compiled']:>10.1%}")
        own = self._interpreter()
        yield f"\nthe interpreter: {own['KB']:.1f} KB, paid for by {own['operations']:.0f} operations"


def _name(part):
    """What a definition of the papers' contract defines."""
    return next(filter(None, re.search(r"struct (\w+)|typedef [^;]* (\w+);|(test_\w+)\(", part).groups()))


def _weigh(flags, folder, name):
    compiled = folder / f"{name}.o"
    run([*flags, "-O3", "-w", "-I", str(folder), "-c", str(folder / f"{name}.cc"), "-o", str(compiled)])
    return loaded(compiled)


def loaded(path):
    """Octets of all sections of an object file but debugging's and the linker's own, and of .text."""
    out = run(["size", "-A", "-d", str(path)])
    sections = re.findall(r"^(\.\S+)\s+(\d+)", out, re.MULTILINE)
    kept = [(name, int(size)) for name, size in sections
            if not name.startswith((".debug", ".group", ".comment", ".note"))]
    return sum(size for _, size in kept), sum(size for name, size in kept if name.startswith(".text"))
