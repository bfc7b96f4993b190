"""CORBA's own IDL goes through the compiler, and what it makes of it compiles without a warning."""

import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPILERS = ("g++-12", "clang++-16")
PARTS = ("stub.h", "skel.h", "any.h", "stub.cc", "any.cc", "skel.cc")


def run(*command):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=120, check=False)


def compile_code(folder, name, compiler):
    """What the compiler says of all that was made for one file."""
    unit = folder / f"{name}.all.cc"
    unit.write_text("".join(f"#include <corbel/idl/{name}.{part}>\n" for part in PARTS))
    return run(compiler, "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
               f"-I{folder}", f"-I{ROOT}/orb/include", unit).stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("compiler", help="corbel-idl")
    corbel_idl = parser.parse_args().compiler
    failures = []
    names = sorted(path.stem for path in (ROOT / "idl").glob("*.idl"))
    if not names:
        sys.exit("there is no IDL")
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        out = folder / "corbel" / "idl"
        out.mkdir(parents=True)
        generated = []
        for name in names:
            path = ROOT / "idl" / f"{name}.idl"
            checked = run(corbel_idl, "--check", path)
            if checked.returncode or checked.stderr:
                failures.append(f"{name}: {checked.stderr}")
                continue
            made = run(corbel_idl, "--tie", "-o", out, path)
            if made.returncode or made.stderr:
                failures.append(f"{name}: {made.stderr}")
            else:
                generated.append(name)
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            jobs = [(name, compiler) for name in generated for compiler in COMPILERS]
            for (name, compiler), said in zip(jobs, pool.map(lambda job: compile_code(folder, *job), jobs)):
                if said:
                    failures.append(f"{name}, {compiler}: {said[:2000]}")
    print(f"{len(names)} files, {len(generated)} with code")
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
