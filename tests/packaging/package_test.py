"""Installs the build into a temporary folder and builds and runs projects there that know only the package.

One is the project beside this file, the other what README.md tells a newcomer to write.
"""
import argparse
import ctypes
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path


README = Path(__file__).resolve().parents[2] / "README.md"


def write_readme_project(folder):
    """The first program, as the blocks of README.md have it."""
    blocks = re.findall(r"^```(idl|cpp|cmake)\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    names = ["echo.idl", "server.cc", "client.cc", "CMakeLists.txt"]
    if [kind for kind, _ in blocks] != ["idl", "cpp", "cpp", "cmake"]:
        sys.exit("README.md has other blocks than the contract, the server, the client and their CMakeLists.txt")
    folder.mkdir()
    for name, (_, text) in zip(names, blocks):
        (folder / name).write_text(text, encoding="utf-8")


def check_names(files):
    """What corbel_add_idl was asked for stands where it was asked for."""
    for name in ("counter-idl.idl.d/counter.stub.h", "generated/omni/counter.hh", "generated/omni/stepDynSK.cc",
                 "tao-idl.idl.d/counterC.h", "tao-idl.idl.d/parts/stepS.cpp", "own-idl.idl.d/counterS.hpp", "own-idl.idl.d/stepA.cpp"):
        if name not in files:
            sys.exit(f"{name} has not been written")
    for name in ("counter-idl.idl.d/counter.any.h", "tao-idl.idl.d/counterC.inl"):
        if name in files:
            sys.exit(f"{name} has been written")


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def call_readme_server(build):
    """What the first program's client prints."""
    reference = build / "reference"
    with open(reference, "w", encoding="utf-8") as output:
        server = subprocess.Popen([build / "server", "-ORBendPoint", "giop:tcp:127.0.0.1:0"], stdout=output,
                                  preexec_fn=die_with_parent)
    try:
        deadline = time.monotonic() + 20
        while not reference.read_text(encoding="utf-8").endswith("\n") and time.monotonic() < deadline:
            time.sleep(0.05)
        return subprocess.run([build / "client", f"file://{reference}"], check=True, timeout=30, capture_output=True,
                              text=True).stdout
    finally:
        server.kill()
        server.wait()


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
        source.mkdir()
        run(arguments.cmake, "--install", arguments.build, "--prefix", prefix)
        shutil.copytree(Path(__file__).parent / "project", source / "counter")
        write_readme_project(source / "echo")
        for project in ("counter", "echo"):
            run(arguments.cmake, "-S", source / project, "-B", build / project, "-G", "Ninja",
                f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={arguments.compiler}",
                f"-DCMAKE_CXX_FLAGS={arguments.flags}")
            run(arguments.cmake, "--build", build / project)
        answers = {variant: subprocess.run([build / "counter" / variant], check=True, timeout=30, capture_output=True,
                                           text=True).stdout for variant in ("counter", "omniidl", "tao", "own")}
        files = {str(p.relative_to(build / "counter")) for p in (build / "counter").rglob("*.*") if p.is_file()}
        check_names(files)
        run(build / "counter" / "secured")
        for orb in ("omniorb", "tao"):
            run(build / "counter" / f"ported-{orb}")
        echo = call_readme_server(build / "echo")
    for variant, answer in answers.items():
        if answer != "42\n":
            sys.exit(f"the program {variant} printed {answer!r}, not 42")
    if echo != "hello\n":
        sys.exit(f"README's client printed {echo!r}, not hello")


if __name__ == "__main__":
    main()
