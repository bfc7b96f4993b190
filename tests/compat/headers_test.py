"""Each header for ported sources compiles alone, with both compilers and without a warning."""

import argparse
import concurrent.futures
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPILERS = ("g++-12", "clang++-16")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path, help="the build directory")
    build = parser.parse_args().build
    jobs = []
    for library in ("omniorb", "tao"):
        written = ROOT / "compat" / library / "include"
        made = build / "compat" / library
        flags = [f"-I{folder}" for folder in (written, made, build / "idl" / "include", ROOT / "orb" / "include")]
        for folder in (written, made):
            headers = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*.h*"))
            if not headers:
                sys.exit(f"no header in {folder}")
            if folder == made:  # of those that forward to the same, one
                headers = sorted({(folder / h).read_text().split("\n", 1)[1]: h for h in reversed(headers)}.values())
            # One line tells both compilers the same of headers that only forward.
            compilers = COMPILERS if folder == written else COMPILERS[:1]
            jobs += [(compiler, flags, header) for header in headers for compiler in compilers]

    def compile_alone(job):
        compiler, flags, header = job
        return subprocess.run([compiler, "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *flags,
                               "-xc++", "-"], input=f"#include <{header}>\n#include <{header}>\n", capture_output=True,
                              text=True, timeout=120, check=False).stderr

    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        failures = [f"{job[2]}, {job[0]}: {said[:2000]}" for job, said in zip(jobs, pool.map(compile_alone, jobs)) if said]
    print(f"{len(jobs)} compilations")
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
