"""Starts the demo's server, lets its client call it, and shows what was measured."""

import argparse
import ctypes
import os
import pathlib
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PR_SET_PDEATHSIG = 1
# Between processes of one host Corbel takes shared memory by itself; beside others it is held to what they take.
SHARED = "shared memory"
TRANSPORTS = {"loopback TCP": "tcp", SHARED: "shm,tcp"}


def settle():
    """In a child: dies with its parent; client and server share the first processor, or the figures would depend on
    where they happen to run."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])


def run_pair(programs, client, server, way, giop):
    """What the client measured, by name, in its order; both processes have ended afterwards."""
    env = {**os.environ, "CORBEL_TRANSPORTS": TRANSPORTS[way]}
    serve = subprocess.Popen([programs / server, "-ORBendPoint", "giop:tcp:127.0.0.1:0"],
                             stdout=subprocess.PIPE, text=True, preexec_fn=settle, env=env)
    try:
        references = [serve.stdout.readline().strip() for _ in range(2)]
        if not all(r.startswith("IOR:") for r in references):
            sys.exit("the server did not start")
        call = [programs / client, "-ORBmaxGIOPVersion", giop, *references]
        done = subprocess.run(call, timeout=120, stdout=subprocess.PIPE, text=True, preexec_fn=settle, env=env)
    finally:
        serve.kill()
        serve.wait()
    if done.returncode != 0:
        sys.exit(f"{client} ended with {done.returncode}")
    rows = (line.rsplit(":", 1) for line in done.stdout.splitlines())
    return {name: values.split() for name, values in rows}


def print_table(columns, results):
    """One line for each operation and type; `columns` names the results beside one another."""
    calls, floods = ({name for name, values in results[0].items() if len(values) == count} for count in (3, 1))
    for title, names, heads in (("2,000 calls each", calls, ("calls/s", "p50 us", "p99 us")),
                                ("64 MB one way, 128 KiB each", floods, ("MB/s",))):
        width = max(10, -(-(max(map(len, columns)) + 2) // len(heads)))
        print(f"  {'':28}" + "".join(f"{c:>{width * len(heads)}}" for c in columns))
        print(f"  {title:28}" + "".join(f"{h:>{width}}" for _ in columns for h in heads))
        for name in (n for n in results[0] if n in names):
            print(f"  {name:28}" + "".join(f"{v:>{width}}" for r in results for v in r.get(name, [""] * len(heads))))
        print()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=str(ROOT / "build" / "release"), help="build tree that holds the programs")
    parser.add_argument("--peer", choices=["omniorb"], help="let Corbel and this ORB call each other")
    parser.add_argument("--giop", choices=["1.0", "1.1", "1.2"], default="1.2", help="version the client speaks")
    options = parser.parse_args()
    programs = pathlib.Path(options.build) / "examples" / "demo"
    has_omniorb = (programs / "demo-omniorb-client").exists()
    if options.peer and not has_omniorb:
        sys.exit("the omniORB programs are not built: ./run deps installs omniORB, ./run build release builds them")
    if options.peer:
        pairs = {"omniORB->Corbel": ("demo-omniorb-client", "demo-server", "loopback TCP"),
                 "Corbel->omniORB": ("demo-client", "demo-omniorb-server", "loopback TCP")}
    else:
        pairs = {"Corbel": ("demo-client", "demo-server", "loopback TCP")}
        if has_omniorb:
            pairs["omniORB"] = ("demo-omniorb-client", "demo-omniorb-server", "loopback TCP")
        pairs["Corbel, " + SHARED] = ("demo-client", "demo-server", SHARED)
    results = []
    for name, (client, server, way) in pairs.items():
        print(f"{name}: {client} calls {server}, GIOP {options.giop} over {way}; every answer is checked", flush=True)
        results.append(run_pair(programs, client, server, way, options.giop))
    print()
    print_table(list(pairs), results)
    print("Open next: examples/echo/server.cc, orb/core/client_invocation.cc, compiler/backends/compiled/stubs.cc")


if __name__ == "__main__":
    main()
