"""Other people's IDL through corbel-idl: which files are accepted, what they declare, whether the C++ compiles.

The folder holds MANIFEST.tsv: path, kind, include flags, verdicts of omniidl, RIDL and idlc, and whether any accepts.
Beside the folder stands `negative`, with a MANIFEST.tsv of its own. Results are kept, keyed by a hash of what they were
made from, so that a run that was stopped goes on where it was.
"""

import csv
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from . import corpus_contract
from .programs import NotMeasured
from .report import progress

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EXCEPTIONS = HERE.parent / "idl-corpus-exceptions.tsv"
NOT_COMPILED = HERE.parent / "idl-corpus-not-compiled.tsv"
COMPILERS = (("g++-12", "g++"), ("clang++-16", "clang++"))
WARNINGS = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
COMPILED_FULLY = 50
TIMEOUT = 120
REQUIRED_NEGATIVES = ("high", "idl4")
SHOWN = 15


@dataclass(frozen=True)
class File:
    path: str
    flags: tuple
    accepted: bool
    by_omniidl: bool


def read_manifest(folder):
    path = folder / "MANIFEST.tsv"
    if not path.exists():
        raise NotMeasured(f"{path} does not exist")
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [row for row in rows if row and not row[0].startswith("#")]


def positives(folder):
    """What is to be compiled. idlc defines __IDLC__, and some files are IDL under that name only."""
    for row in read_manifest(folder):
        if row[1].startswith("support"):
            continue
        path, _, flags, omniidl, ridl, idlc, accepted = row[:7]
        only_idlc = idlc == "Y" and omniidl != "Y" and ridl not in ("3", "4")
        flags = [*shlex.split("" if flags == "-" else flags), *(["-D__IDLC__"] if only_idlc else [])]
        yield File(path, tuple(flags), accepted.startswith("Y"), omniidl == "Y")


def exceptions(path=EXCEPTIONS):
    """Paths and reasons: the clause that an accepted file breaks, or why the C++ of one cannot compile."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines if line and not line.startswith("#"))


class Results:
    """Results of earlier runs, by the hash of what gave them; one JSON line each."""

    def __init__(self, path):
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._known = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    record = json.loads(line)
                except ValueError:  # the last run was stopped while it wrote
                    continue
                self._known[record["key"]] = record["result"]

    def get(self, key, make):
        if key not in self._known:
            self._known[key] = make()
            with open(self._path, "a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, "result": self._known[key]}) + "\n")
        return self._known[key]


def digest(*parts):
    whole = hashlib.sha256()
    for part in parts:
        whole.update(part if isinstance(part, bytes) else str(part).encode())
        whole.update(b"\0")
    return whole.hexdigest()


def tree_digest(folder, pattern="*"):
    files = sorted(path for path in folder.rglob(pattern) if path.is_file())
    return digest(*[part for path in files for part in (path.relative_to(folder), path.read_bytes())])


def first_error(text):
    lines = [line for line in text.splitlines() if "error:" in line]
    return lines[0] if lines else text.strip()[:200] or "no message"


class CorpusBenches:
    def __init__(self, programs, folder):
        self._folder = pathlib.Path(folder).resolve() if folder else None
        self._build = programs.build.resolve() if programs else None

    def corpus(self, case, _peer, _placement):
        """Gives the number of files that fail, and prints them grouped by reason."""
        if not self._folder:
            raise NotMeasured("the folder of the files is not given; add --dir DIR")
        self._compiler = self._build / "compiler" / "corbel-idl"
        if not self._compiler.exists():
            raise NotMeasured("corbel-idl is not built")
        self._hash = digest(self._compiler.read_bytes())
        self._results = Results(self._build / "idl-corpus" / "results.jsonl")
        part = {"accepted/tcp": self._accepted, "contracts/tcp": self._contracts,
                "negatives/tcp": self._negatives, "compiles/tcp": self._compiles}[case]
        failures = part()
        _print_failures(case.partition("/")[0], failures)
        return {"failures": len(failures)}

    def _run(self, *arguments, folder=None):
        command = [str(self._compiler), *arguments]
        try:
            done = subprocess.run(command, cwd=folder or self._folder, capture_output=True, text=True,
                                  errors="replace", timeout=TIMEOUT, check=False)
        except subprocess.TimeoutExpired:
            return 124, "", f"error: not done after {TIMEOUT} s"
        return done.returncode, done.stdout, done.stderr

    def _check(self, file):
        key = digest("check", self._hash, file.path, *file.flags, (self._folder / file.path).read_bytes())

        def check():
            status, _, messages = self._run("--check", *file.flags, file.path)
            return [status, first_error(messages) if status else ""]

        return self._results.get(key, check)

    def _accepted_files(self):
        return [file for file in positives(self._folder) if file.accepted and self._check(file)[0] == 0]

    def _accepted(self):
        """Files that some compiler accepts and Corbel refuses; crashes and hangs with any file."""
        allowed, failures = exceptions(), []
        files = list(positives(self._folder))
        for number, file in enumerate(files, 1):
            progress(f"bench: accepted {number} of {len(files)}: {file.path}")
            status, message = self._check(file)
            if (status and file.accepted and file.path not in allowed) or status not in (0, 1):
                failures.append((file.path, message))
        if len(allowed) * 100 > sum(file.accepted for file in files):
            failures.append((EXCEPTIONS.name, "error: more than one file of a hundred stands there"))
        return failures

    def _contracts(self):
        """Files from which omniidl and Corbel read different declarations."""
        if not shutil.which("omniidl"):
            raise NotMeasured("omniidl is not installed")
        failures = []
        files = [file for file in self._accepted_files() if file.by_omniidl]
        for number, file in enumerate(files, 1):
            progress(f"bench: contracts {number} of {len(files)}: {file.path}")
            key = digest("contract", self._hash, *[p.read_bytes() for p in sorted(HERE.glob("*contract.py"))],
                         file.path, *file.flags, (self._folder / file.path).read_bytes())
            lines = self._results.get(key, lambda file=file: self._compare(file))
            if lines:
                failures.append((file.path, "error: " + "; ".join(lines[:3])))
        return failures

    def _compare(self, file):
        _, dump, _ = self._run("--dump=aoi", *file.flags, file.path)
        command = ["omniidl", "-p", str(HERE), "-b", "omniidl_contract", *file.flags, file.path]
        done = subprocess.run(command, cwd=self._folder, capture_output=True, text=True, errors="replace",
                              timeout=TIMEOUT, check=False)
        if done.returncode != 0:
            return ["omniidl: " + (done.stderr.strip().splitlines() or ["failed"])[-1]]
        return corpus_contract.differences(dump, done.stdout)

    def _negatives(self):
        """Files that have to be refused and are not, or not by a diagnostic with a place in the contract."""
        folder = self._folder.parent / "negative"
        failures = []
        for row in read_manifest(folder):
            if row[3] not in REQUIRED_NEGATIVES:
                continue
            status, _, messages = self._run("--check", *shlex.split(row[1]), row[0], folder=folder)
            placed = re.search(r"^[^\n:]+:\d+:\d+: error: ", messages, re.M)
            if status != 1 or not placed:
                failures.append((row[0], f"error: accepted, though: {row[2]}" if status == 0 else messages[:200]))
        return failures

    def _compiles(self):
        """Files for which nothing is generated, or C++ that a compiler finds fault with, and no reason is written down."""
        compilers = [next((c for c in names if shutil.which(c)), None) for names in COMPILERS]
        if None in compilers:
            raise NotMeasured(f"wanted are {' and '.join(names[0] for names in COMPILERS)}")
        headers = tree_digest(ROOT / "orb" / "include")
        files = self._accepted_files()
        step = max(1, len(files) // COMPILED_FULLY)
        allowed, failures = exceptions(NOT_COMPILED), []

        def one(numbered):
            number, file = numbered
            return file, self._compile(file, compilers, headers, full=number % step == 0)

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for number, (file, message) in enumerate(pool.map(one, enumerate(files)), 1):
                progress(f"bench: compiles {number} of {len(files)}: {file.path}")
                if file.path in allowed:
                    message = "" if message else f"error: compiles; {NOT_COMPILED.name} should not name it"
                if message:
                    failures.append((file.path, message))
        return failures

    def _compile(self, file, compilers, headers, full):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "a" / "b" / "c" / "d"  # "../x.idl" in an #include stays inside
            out.mkdir(parents=True)
            status, _, messages = self._run("--keep-include-paths", "-o", str(out), *file.flags, file.path)
            if status:
                return first_error(messages)
            self._generate_included(file, out)
            name = pathlib.Path(file.path).stem
            (out / "all.cc").write_text("".join(
                f'#include "{path.name}"\n' for path in sorted(out.glob(f"{name}.*.cc"))))
            what = tree_digest(out)
            for compiler in compilers:
                mode = ["-c", "-o", os.devnull] if full else ["-fsyntax-only"]
                command = [compiler, *WARNINGS, *mode, f"-I{ROOT / 'orb' / 'include'}", f"-I{out}", "all.cc"]
                message = self._results.get(digest("compile", headers, compiler, *mode, what),
                                            lambda command=command: _errors_of(command, out))
                if message:
                    return message
        return ""

    def _generate_included(self, file, out):
        """The headers of all included files, at the paths by which they are included."""
        folders = [flag[2:] for flag in file.flags if flag.startswith("-I")]
        todo, seen = [(file.path, "")], {file.path}
        while todo:
            path, under = todo.pop()
            text = (self._folder / path).read_text(encoding="latin-1")
            for name in re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', text, re.M):
                for folder in [os.path.dirname(path), *folders]:
                    found = os.path.normpath(os.path.join(folder, name))
                    if (self._folder / found).is_file():
                        break
                else:
                    continue
                where = os.path.join(under if folder == os.path.dirname(path) else "", os.path.dirname(name))
                if (found, where) in seen:
                    continue
                seen.add((found, where))
                (out / where).mkdir(parents=True, exist_ok=True)
                self._run("--keep-include-paths", "-o", str(out / where), *file.flags, found)
                todo.append((found, where))


def _errors_of(command, folder):
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace",
                              timeout=TIMEOUT * 5, check=False)
    except subprocess.TimeoutExpired:
        return "error: the compiler was not done in time"
    return first_error(done.stderr).replace(str(folder), "") if done.returncode else ""


def _print_failures(case, failures):
    progress("")
    reasons = {}
    for path, message in failures:
        reason = message.partition("error: ")[2] or message
        kind = re.search(r"\[([\w=+-]+)\]$", reason)
        reasons.setdefault(kind[1] if kind else re.sub(r"['‘\"][^'’\"]*['’\"]", "'...'", reason), []).append((path, message))
    for reason, those in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"{case}: {len(those)} x {reason}")
        for path, message in those[:SHOWN]:
            print(f"    {path}: {message}")
        if len(those) > SHOWN:
            print(f"    and {len(those) - SHOWN} more")
