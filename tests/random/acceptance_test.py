"""corbel-idl, and omniidl where it is installed, accept contracts made at random and refuse them with a mistake planted.

acceptance_test.py CORBEL_IDL [--omniidl OMNIIDL] [--count N] [--seed S] checks the contracts of the seeds S to S + N - 1.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import contracts


def accepts(command, file):
    """Whether the compiler takes the file; a compiler that is killed by a signal has done neither."""
    done = subprocess.run([*command, file], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode < 0:
        raise RuntimeError(f"{command[0]} ended by signal {-done.returncode} on\n{file.read_text()}")
    return done.returncode == 0, done.stdout + done.stderr


def wrong_answers(compilers, seed, directory):
    contract = contracts.Contract(seed)
    cases = [("nothing", contract.text(), True), *((what, text, False) for what, text in contract.mistakes())]
    for what, text, expected in cases:
        file = Path(directory, f"random{seed}.idl")
        file.write_text(text)
        for command in compilers:
            accepted, said = accepts(command, file)
            if accepted != expected:
                verb = "accepts" if accepted else "refuses"
                yield f"seed {seed}: {command[0]} {verb} a contract where {what} is wrong\n{said}\n{text}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("compiler")
    parser.add_argument("--omniidl")
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    compilers = [[chosen.compiler, "--check"]] + ([[chosen.omniidl]] if chosen.omniidl else [])
    if chosen.count < 1:
        return "at least one contract is wanted"
    with tempfile.TemporaryDirectory() as directory:
        wrong = [w for n in range(chosen.count) for w in wrong_answers(compilers, chosen.seed + n, directory)]
    return "\n".join(wrong) if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
