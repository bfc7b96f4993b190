#!/usr/bin/env python3
"""Every public header compiles alone, without a warning, and takes in little: check_headers.py COMPILER STANDARD"""
import re
import subprocess
import sys
from pathlib import Path

INCLUDE = Path(__file__).resolve().parents[2] / "orb" / "include"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
# Users pay for what headers include: small standard headers, and our own.
ALLOWED = re.compile(r"<(exception|new|cstdint|cstddef|cstring|corbel/.+\.h)>")
# Who writes a transport, chooses how objects are found or makes groups includes these; nobody else does.
FOR_FEW = ("corbel/any_text.h", "corbel/transport/", "corbel/demultiplexing.h", "corbel/groups.h")
# What needs generated code is compiled by the test compat.headers.
GENERATED = "<corbel/idl/"
INCLUDED = re.compile(r"^\s*#\s*include\s*(\S+)", re.MULTILINE)


def main():
    compiler, standard = sys.argv[1:]
    headers = sorted(INCLUDE.rglob("*.h"))
    failures = 0
    for header in headers:
        text = header.read_text(encoding="utf-8")
        if GENERATED in text:
            continue
        for included in INCLUDED.findall(text):
            if not ALLOWED.fullmatch(included) and not str(header.relative_to(INCLUDE)).startswith(FOR_FEW):
                failures += 1
                print(f"{header.relative_to(INCLUDE)} includes {included}")
        # Twice, as users' headers include it again.
        line = f"#include <{header.relative_to(INCLUDE)}>\n"
        done = subprocess.run([compiler, f"-std={standard}", "-fsyntax-only", *WARNINGS, "-I", INCLUDE, "-xc++", "-"],
                              input=line * 2, text=True, capture_output=True, check=False)
        if done.returncode != 0:
            failures += 1
            print(f"{header.relative_to(INCLUDE)} does not compile alone\n{done.stderr}")
    print(f"{len(headers)} public headers as {standard}: {failures} faults")
    return 0 if headers and failures == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
