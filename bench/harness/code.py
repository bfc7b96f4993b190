"""What a user's compiler pays for a stub header, and what the generated code and the libraries weigh."""

import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile

from .programs import NotMeasured

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HEADER = {"corbel": "bench.stub.h", "omniorb": "bench.hh"}
NO_ANY = {"corbel": ["--no-any"], "omniorb": []}  # omniidl makes Any code when it is asked to
COMPILES_PER_ROUND = 3
COPIES = 20
OPERATION = {
    "ping": "void ping{0}();",
    "echo_string": "string echo_string{0}(in string text);",
    "push_struct": "void push_struct{0}(in BinStruct value);",
}
CONTRACT = """struct BinStruct {{ short s; char c; long l; octet o; double d; }};
interface Measured {{
{operations}
}};
"""
CORE_LIBRARIES = ("libcorbel.a", "libcorbel-poa.a")


class CodeBenches:
    """Each method gives a dictionary of unit and value."""

    def __init__(self, programs):
        self._programs = programs

    def compile(self, case, peer, _placement):
        """User CPU of compiling a file that includes the stub header of bench.idl, or its stub and skeleton."""
        flags = self.flags_of_client(peer)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            if case == "stub-header":
                sources = [folder / "include.cc"]
                sources[0].write_text(f'#include "{HEADER[peer]}"\n')
            else:
                run([*self.generator(peer, folder), *NO_ANY[peer], str(ROOT / "bench" / "bench.idl")])
                sources = sorted(folder.glob("*.cc"))
                flags = [*flags, "-O2", "-w"]
            times = [_user_seconds([*flags, "-c", str(source), "-o", str(source.with_suffix(".o"))])
                     for source in sources for _ in range(COMPILES_PER_ROUND)]
        return {"cpu-ms": 1e3 * sum(min(times[at:at + COMPILES_PER_ROUND])
                                    for at in range(0, len(times), COMPILES_PER_ROUND))}

    def code(self, case, peer, _placement):
        """.text of stub and skeleton for one operation: a contract of twenty less an empty one, by twenty."""
        shape = OPERATION[case]
        sizes = [self._text_of(peer, [shape.format(i) for i in range(count)]) for count in (0, COPIES)]
        return {"text-bytes": (sizes[1] - sizes[0]) / COPIES}

    def size(self, case, peer, _placement):
        if case == "core-with-adapter":
            return {"KB-text": self._core_text() / 1e3}
        return self._client_only(peer)

    def _core_text(self):
        """.text of one shared library made of everything in core and adapter."""
        archives = [str(path) for name in CORE_LIBRARIES for path in self._programs.build.rglob(name)]
        if len(archives) != len(CORE_LIBRARIES):
            raise NotMeasured(f"found {archives} of {CORE_LIBRARIES}")
        with tempfile.TemporaryDirectory() as folder:
            library = pathlib.Path(folder) / "whole.so"
            run(["g++", "-shared", "-o", str(library), "-Wl,--whole-archive", *archives, "-Wl,--no-whole-archive"])
            return _text_bytes(library, exact=True)

    def _client_only(self, peer):
        """A client linked with the static library, unused sections dropped, stripped: file and .text."""
        program = self._programs.path(f"{peer}-size-client")
        with tempfile.TemporaryDirectory() as folder:
            stripped = pathlib.Path(folder) / "client"
            run(["strip", "-o", str(stripped), program])
            return {"KB-program": stripped.stat().st_size / 1e3, "KB-text": _text_bytes(stripped, exact=True) / 1e3}

    def flags_of_client(self, peer):
        """Compiler and options with which the build compiles the client of a peer."""
        commands = json.loads((self._programs.build / "compile_commands.json").read_text())
        for entry in commands:
            words = shlex.split(entry["command"])
            output = words[words.index("-o") + 1]
            if f"bench-{peer}-client.dir" in output and output.endswith("orb_client.cc.o"):
                return _without_output(words)
        raise NotMeasured(f"no compile command of the {peer} client")

    def _text_of(self, peer, operations):
        flags = self.flags_of_client(peer)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            contract = folder / "measured.idl"
            contract.write_text(CONTRACT.format(operations="\n".join(operations)))
            run([*self.generator(peer, folder), str(contract)])
            objects = [source.with_suffix(".o") for source in sorted(folder.glob("*.cc"))]
            for compiled in objects:
                run([*flags, "-O3", "-w", "-I", name, "-c", str(compiled.with_suffix(".cc")), "-o", str(compiled)])
            return sum(_text_bytes(compiled) for compiled in objects)

    def generator(self, peer, folder):
        if peer == "omniorb":
            return ["omniidl", "-bcxx", f"-C{folder}"]
        found = [path for path in self._programs.build.rglob("corbel-idl") if path.is_file()]
        if not found:
            raise NotMeasured("corbel-idl is not built")
        return [str(found[0]), "-o", str(folder)]


def _without_output(words):
    """The command without a cache in front and without what belongs to one file."""
    if pathlib.Path(words[0]).name == "ccache":
        words = words[1:]
    at = words.index("-o")
    return [word for word in words[:at] if word != "-c"]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NotMeasured(f"{pathlib.Path(command[0]).name}: {done.stderr.strip()[-300:]}")
    return done.stdout


def _user_seconds(command):
    child = os.posix_spawnp(command[0], command, os.environ)
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        raise NotMeasured(f"{command[0]} could not compile {command[-3]}")
    return usage.ru_utime


def _text_bytes(path, exact=False):
    """Octets of .text; unless `exact`, with the sections of single functions (.text.NAME)."""
    out = run(["size", "-A", "-d", str(path)])
    pattern = r"^\.text\s+(\d+)" if exact else r"^\.text\S*\s+(\d+)"
    return sum(int(size) for size in re.findall(pattern, out, re.MULTILINE))
