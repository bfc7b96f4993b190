"""The compiler builds alone: configured from its own folder, without run time and tests, it compiles a contract."""

import argparse
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=600, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--compiler", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run(arguments.cmake, "-S", ROOT / "compiler", "-B", folder, "-G", "Ninja",
            f"-DCMAKE_CXX_COMPILER={arguments.compiler}")
        run(arguments.cmake, "--build", folder)
        run(folder / "corbel-idl", "-o", folder, ROOT / "examples" / "echo" / "echo.idl")
        if not (folder / "echo.stub.h").read_text():
            sys.exit("nothing was generated")


if __name__ == "__main__":
    main()
