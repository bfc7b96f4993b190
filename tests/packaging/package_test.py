"""Installs the build into a temporary folder and builds and runs a project there that knows only the package."""
import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--flags", default="")
    arguments = parser.parse_args()

    def run(*command):
        print("+", *command, flush=True)
        subprocess.run([str(part) for part in command], check=True, timeout=240)

    with tempfile.TemporaryDirectory() as folder:
        prefix, source, build = (Path(folder) / name for name in ("prefix", "source", "build"))
        run(arguments.cmake, "--install", arguments.build, "--prefix", prefix)
        shutil.copytree(Path(__file__).parent / "project", source)
        run(arguments.cmake, "-S", source, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
            f"-DCMAKE_CXX_COMPILER={arguments.compiler}", f"-DCMAKE_CXX_FLAGS={arguments.flags}")
        run(arguments.cmake, "--build", build)
        answer = subprocess.run([build / "counter"], check=True, timeout=30, capture_output=True, text=True).stdout
    if answer != "42\n":
        sys.exit(f"the program printed {answer!r}, not 42")


if __name__ == "__main__":
    main()
