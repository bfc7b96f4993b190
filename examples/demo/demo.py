"""Starts the demo's server, lets its client call it, and shows what was measured."""

import argparse
import ctypes
import pathlib
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PR_SET_PDEATHSIG = 1


def die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=str(ROOT / "build" / "release"), help="build tree that holds the programs")
    options = parser.parse_args()
    programs = pathlib.Path(options.build) / "examples" / "demo"
    server = subprocess.Popen([programs / "demo-server", "-ORBendPoint", "giop:tcp:127.0.0.1:0"],
                              stdout=subprocess.PIPE, text=True, preexec_fn=die_with_parent)
    try:
        references = [server.stdout.readline().strip() for _ in range(2)]
        if not all(r.startswith("IOR:") for r in references):
            sys.exit("the server did not start")
        print("Corbel client and server, two processes, TCP on the loopback interface; every answer is checked\n", flush=True)
        client = subprocess.run([programs / "demo-client", *references], timeout=100, preexec_fn=die_with_parent)
    finally:
        server.kill()
        server.wait()
    if client.returncode == 0:
        print("\nOpen next: examples/echo/server.cc, orb/core/client_invocation.cc, compiler/backends/compiled/operations.cc")
    sys.exit(client.returncode)


if __name__ == "__main__":
    main()
