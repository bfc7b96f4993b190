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


def run_pair(programs, client, server, giop):
    """Exit status of the client; both processes have ended afterwards."""
    serve = subprocess.Popen([programs / server, "-ORBendPoint", "giop:tcp:127.0.0.1:0"],
                             stdout=subprocess.PIPE, text=True, preexec_fn=die_with_parent)
    try:
        references = [serve.stdout.readline().strip() for _ in range(2)]
        if not all(r.startswith("IOR:") for r in references):
            sys.exit("the server did not start")
        call = [programs / client, "-ORBmaxGIOPVersion", giop, *references]
        return subprocess.run(call, timeout=90, preexec_fn=die_with_parent).returncode
    finally:
        serve.kill()
        serve.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=str(ROOT / "build" / "release"), help="build tree that holds the programs")
    parser.add_argument("--peer", choices=["omniorb"], help="let Corbel and this ORB call each other")
    parser.add_argument("--giop", choices=["1.0", "1.1", "1.2"], default="1.2", help="version the client speaks")
    options = parser.parse_args()
    programs = pathlib.Path(options.build) / "examples" / "demo"
    pairs = [("demo-client", "demo-server")]
    if options.peer:
        if not (programs / "demo-omniorb-client").exists():
            sys.exit("the omniORB programs are not built: ./run deps installs omniORB, ./run build release builds them")
        pairs = [("demo-omniorb-client", "demo-server"), ("demo-client", "demo-omniorb-server")]
    for client, server in pairs:
        print(f"{client} calls {server}, GIOP {options.giop}, TCP on the loopback interface; every answer is checked\n",
              flush=True)
        status = run_pair(programs, client, server, options.giop)
        print(flush=True)
        if status != 0:
            sys.exit(f"{client} ended with {status}")
    print("Open next: examples/echo/server.cc, orb/core/client_invocation.cc, compiler/backends/compiled/operations.cc")


if __name__ == "__main__":
    main()
