"""How fast corbel-idl is, and how much a reader of its output has to read."""

import os
import pathlib
import subprocess
import tempfile
import time

from .programs import NotMeasured

BENCH_IDL = pathlib.Path(__file__).resolve().parent.parent / "bench.idl"
LEAST_TOTAL = 0.25  # seconds of CPU that a figure rests on: the system counts in steps of some milliseconds
MOST_RUNS = 40
FORMAT = "{BasedOnStyle: Google, ColumnLimit: 100}"

# As many words and signs a line as the contracts of real projects have: 2.5.
MODULE = """
// Module {0} keeps items in a store.
module M{0} {{
  // How many items a store takes at most.
  const long limit = {0} + 1;

  // What an item is painted with.
  enum Color {{ red, green, blue }};

  /*
   * One item.
   * Its name is unique in the store.
   */
  struct Item {{
    string name;
    // In the order of arrival.
    long id;
    // In the currency of the store.
    double value;
    Color shade;
  }};

  typedef sequence<Item> Items;

  // Why the store did not do what it was asked to do.
  exception Refused {{
    string why;
    long code;
  }};

  interface Store {{
    // The number of items now.
    readonly attribute long size;

    // Adds an item. The item of the same name is replaced.
    void put(in Item value) raises (Refused);

    // Gives the items of a name, from `first` on.
    Items get(
        in string name,
        in long first,
        in long count) raises (Refused);

    Item find(in string name, inout long place);

    // Drops what has that name; nobody waits for it.
    oneway void forget(in string name);
  }};

}};
"""

# Ten lines: a structure, a sequence, an exception and an interface of three operations.
TEN_LINES = """module Ten {
  struct Item { string name; long id; double value; };
  typedef sequence<Item> Items;
  exception Refused { string why; };
  interface Store {
    void put(in Item value) raises (Refused);
    Items get(in string name, in long most) raises (Refused);
    oneway void forget(in string name);
  };
};
"""


class CompilerBenches:
    """Each method gives a dictionary of unit and value."""

    def __init__(self, programs):
        self._programs = programs

    def _compiler(self):
        compiler = self._programs.build.resolve() / "compiler" / "corbel-idl"
        if not compiler.exists():
            raise NotMeasured("corbel-idl is not built")
        return str(compiler)

    def speed(self, case, _peer, _placement):
        """front-SIZE: --check; whole-SIZE: all files; growth: ten times the lines. SIZE is lines, or bench: bench.idl."""
        what, _, size = case.partition("-")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            if what == "growth":
                small, large = (self._run(_contract(folder, lines), folder, "front")["ms"] for lines in (10_000, 100_000))
                return {"x-time": large / small}
            contract = BENCH_IDL if size == "bench" else _contract(folder, int(size))
            return self._run(contract, folder, what)

    def _run(self, contract, folder, what):
        out = folder / "out"
        out.mkdir(exist_ok=True)
        command = [self._compiler(), *(["--check"] if what == "front" else ["-o", str(out)]), str(contract)]
        results = []
        while len(results) < MOST_RUNS and sum(user for user, _, _ in results) < LEAST_TOTAL:
            results.append(_usage(command))
        user_ms = sum(user for user, _, _ in results) / len(results) * 1e3
        if what == "front":
            allowed = 3 + _lines([contract]) / 2000
        else:
            allowed = 6 + _lines(out.iterdir()) / 500
        return {"ms": user_ms, "of-allowed": user_ms / allowed, "s-elapsed": min(wall for _, wall, _ in results),
                "MiB-resident": max(kib for _, _, kib in results) / 1024}

    def lines(self, _case, peer, _placement):
        """Lines of all files made of the ten-line contract, formatted alike."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "ten.idl").write_text(TEN_LINES)
            out = folder / "out"
            out.mkdir()
            command = ["omniidl", "-bcxx", "-Wba", f"-C{out}"] if peer == "omniorb" else [self._compiler(), "-o", str(out)]
            _check([*command, str(folder / "ten.idl")])
            files = sorted(out.iterdir())
            _check(["clang-format-16", f"--style={FORMAT}", "-i", *map(str, files)])
            return {"lines": _lines(files)}


def _contract(folder, lines):
    """About so many lines: whole modules."""
    path = folder / f"lines{lines}.idl"
    path.write_text("".join(MODULE.format(number) for number in range(lines // MODULE.count("\n") + 1)))
    return path


def _lines(files):
    return sum(pathlib.Path(file).read_bytes().count(b"\n") for file in files)


def _check(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise NotMeasured(f"{command[0]} is not installed") from None
    if done.returncode != 0:
        raise NotMeasured(f"{command[0]}: {done.stderr.strip()[-300:]}")


def _usage(command):
    """User CPU and elapsed seconds, and the largest resident size in KiB."""
    begin = time.monotonic()
    child = os.posix_spawn(command[0], command, os.environ)
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        raise NotMeasured(f"{' '.join(command)} failed")
    return usage.ru_utime, time.monotonic() - begin, usage.ru_maxrss
