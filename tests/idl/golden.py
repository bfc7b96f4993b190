#!/usr/bin/env python3
"""The golden engine: runs corbel-idl on the .idl files of a suite and compares what comes out.

A suite is a directory here, its name says what is run (SUITES). A case is a file NAME.idl in it; subdirectories hold
what cases include. Expected are NAME.out (standard output), NAME.err (standard error) and NAME.files/ (files written);
what is missing is expected to be empty. A case may begin with a line `// options: ...` of further arguments.
"""

import argparse
import difflib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# The arguments of each suite; {out} is a fresh directory.
SUITES = {
    "preprocess": ["-E"],
    "aoi": ["--dump=aoi"],
    "equivalents": ["--dump=equivalents"],
    "mint": ["--dump=mint"],
    "pres": ["--dump=pres"],
    "plan": ["--dump=plan"],
    "code": ["-o", "{out}"],
    "negative": ["--check"],
}

TIME_LIMIT = 60  # seconds for one case


class Result:
    """What one run of the compiler gave: the text of each expectation, by file name."""

    def __init__(self, case, status, texts):
        self.case, self.status, self.texts = case, status, texts


def options_of(case):
    """The arguments that the first line of a case asks for."""
    with case.open(encoding="latin-1") as source:
        first = source.readline().strip()
    prefix = "// options:"
    return shlex.split(first[len(prefix):]) if first.startswith(prefix) else []


def run_case(compiler, case):
    """Runs the compiler beside the case, so that paths in messages are short and the same everywhere."""
    with tempfile.TemporaryDirectory() as out:
        arguments = [a.replace("{out}", out) for a in SUITES[case.parent.name] + options_of(case)]
        done = subprocess.run([compiler, *arguments, case.name], cwd=case.parent, capture_output=True,
                              timeout=TIME_LIMIT, check=False)
        texts = {case.stem + ".out": done.stdout, case.stem + ".err": done.stderr}
        for path in sorted(Path(out).rglob("*")):
            if path.is_file():
                texts[f"{case.stem}.files/{path.relative_to(out)}"] = path.read_bytes()
        return Result(case, done.returncode, texts)


def expectations(case):
    """The expected texts of a case, by file name."""
    texts = {}
    for suffix in (".out", ".err"):
        path = case.with_suffix(suffix)
        if path.exists():
            texts[path.name] = path.read_bytes()
    folder = case.with_suffix(".files")
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            texts[str(path.relative_to(case.parent))] = path.read_bytes()
    return texts


def difference(name, expected, actual):
    """A readable diff of two texts."""
    lines = difflib.unified_diff(expected.decode("latin-1").splitlines(), actual.decode("latin-1").splitlines(),
                                 f"{name} (expected)", f"{name} (actual)", lineterm="")
    return "\n".join(lines)


def problems(result):
    """What is wrong with a result, as texts."""
    found = []
    errors = b": error: " in result.texts[result.case.stem + ".err"]
    if result.status != (1 if errors else 0):
        found.append(f"exit status {result.status} with{'' if errors else 'out'} errors shown")
    expected = expectations(result.case)
    for name in sorted(expected.keys() | result.texts.keys()):
        want, got = expected.get(name, b""), result.texts.get(name, b"")
        if want != got:
            found.append(difference(name, want, got))
    return found


def update(result):
    """Makes the actual texts the expected ones; empty ones need no file."""
    shutil.rmtree(result.case.with_suffix(".files"), ignore_errors=True)
    for name in expectations(result.case).keys() | result.texts.keys():
        path = result.case.parent / name
        text = result.texts.get(name, b"")
        if text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
        elif path.exists():
            path.unlink()


def orphans(suite):
    """Expectations without a case."""
    stems = {case.stem for case in suite.glob("*.idl")}
    return [path for path in sorted(suite.iterdir()) if path.suffix in (".out", ".err", ".files") and path.stem not in stems]


def run_suite(compiler, suite, updating):
    """Runs all cases of a directory; the number of failures."""
    cases = sorted(suite.glob("*.idl"))
    failures = 0
    for case in cases:
        result = run_case(compiler, case)
        if updating:
            update(result)
        for problem in problems(result):
            failures += 1
            print(f"FAILED {suite.name}/{case.name}\n{problem}\n")
    for path in orphans(suite):
        failures += 1
        print(f"FAILED {suite.name}/{path.name}: there is no {path.stem}.idl")
    if not cases:
        failures += 1
        print(f"FAILED {suite.name}: the suite has no cases")
    print(f"{suite.name}: {len(cases)} cases, {failures} failures")
    return failures


def check_coverage(compiler, root):
    """Every registered kind of diagnostic has a case KIND.idl that shows it, in negative/ or, if --check accepts
    it, in code/."""
    done = subprocess.run([compiler, "--list-diagnostics"], capture_output=True, text=True, timeout=TIME_LIMIT, check=True)
    kinds = done.stdout.split()
    missing = []
    for kind in kinds:
        expected = [root / suite / f"{kind}.err" for suite in ("negative", "code")]
        if not any(e.exists() and f"[{kind}]" in e.read_text(encoding="latin-1") for e in expected):
            missing.append(kind)
    for kind in missing:
        print(f"FAILED: no golden shows [{kind}]; write negative/{kind}.idl and run with --update")
    print(f"{len(kinds)} kinds of diagnostics, {len(missing)} without a golden")
    return len(missing) if kinds else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("compiler", help="path of corbel-idl")
    parser.add_argument("suite", nargs="*", help=f"suites to run (default: {' '.join(SUITES)})")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent, help="where the suites are")
    parser.add_argument("--update", action="store_true", help="make what comes out the expectation")
    parser.add_argument("--coverage", action="store_true", help="only check that each kind of diagnostic has a golden")
    options = parser.parse_args()
    compiler = os.path.abspath(options.compiler)
    if options.coverage:
        return 1 if check_coverage(compiler, options.root) else 0
    failures = sum(run_suite(compiler, options.root / name, options.update) for name in options.suite or SUITES)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
