#!/usr/bin/env python3
"""Mixed load with faults for a long time: memory, descriptors and threads stay flat, no acknowledged call is lost and none
is doubled.

Three servers live from the beginning to the end: with a pool of threads, with one for each connection, reactive. Clients of
every kind call them by TCP, through a link that fails, by TLS, compressed, and by what is shorter on one host: small and large
calls, one-ways, calls that call back, with and without limits of time; others attack them. One client of each server lives as
long as it does. What they all have is written down every few seconds (soak.csv) and judged at the end: after the first third
nothing may grow any more.
"""

import argparse
import collections
import contextlib
import os
import pathlib
import random
import signal
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.support import cdr, giop, peer  # noqa: E402
from tests.support.certificates import Authority  # noqa: E402
from tests.support.processes import Child  # noqa: E402
from tests.support.proxy import Proxy  # noqa: E402

SAMPLE = 2.0  # seconds
GROWTH = 2048, 0.03  # kB and part of the whole that memory may differ by: what pools and the C library keep
WARM = 3.0  # minutes: pools and the C library's arenas fill up in the first one, so shorter runs show no growth, only excess
EXCESS = 48 * 1024  # kB: three times what a server has after a quarter of a minute


class Measured:
    """What a process has."""

    def sample(self):
        return {"kB": self.child.status("VmRSS"), "files": self.child.descriptors(), "threads": self.child.status("Threads")}


class LedgerServer(Measured):
    def __init__(self, programs, folder, authority, model):
        self.name, self.file = model, pathlib.Path(folder, f"ledger-{model}")
        key = authority.issue(model)
        self.child = Child(programs / "faults" / "faults-server", self.file, "-ORBserverModel", model,
                           "-ORBendPoint", "giop:tcp:127.0.0.1:0", "-ORBendPoint", "giop:unix:",
                           "-ORBendPoint", "giop:ssl:127.0.0.1:0", "-ORBsslKeyFile", key, "-ORBsslClientCertificates", "none",
                           "-ORBcompression", "1", "-ORBacceptBiDirectionalGIOP", "1",
                           "-ORBmessageTimeout", "1000", "-ORBwriteTimeout", "1000")
        self.port, reference = int(self.child.line()), self.child.line()
        self.proxy = Proxy(self.port)
        direct, over_link = (f"corbaloc::127.0.0.1:{port}/Ledger" for port in (self.port, self.proxy.port))
        self.ways = [(direct,), (over_link,), (reference,), (reference, "-ORBtransports", "tcp", "-ORBcompression", "1"),
                     (reference, "-ORBtransports", "ssl,tcp", "-ORBsslCAFile", authority.ca)]

    def entries(self):
        return collections.Counter(int(line) for line in self.file.read_text().split())


class Caller(Measured):
    """A paced client whose calls are accounted for."""

    serial = 0

    def __init__(self, programs, server, way, *options):
        Caller.serial += 1
        self.server, self.name = server, f"client-of-{server.name}"
        reference, *more = way
        self.child = Child(programs / "faults" / "faults-client", reference, 2, Caller.serial * 10**12, 3000, "mirror",
                           *more, *options)
        self.fates = collections.defaultdict(set)

    def take(self, line):
        fate, *words = line.split(" ")
        if fate != "end":
            self.fates[fate].add(int(words[0]))

    def drain(self):
        while (line := self.child.waiting_line()) is not None:
            self.take(line)

    def end(self):
        self.child.process.stdin.close()
        with contextlib.suppress(EOFError):
            while True:
                self.take(self.child.line())
        return self.child.process.wait()

    def kill(self):
        self.child.kill()
        self.fates["unheard"] = True


def attack(port, rng):
    """One of the ways in which clients are a nuisance."""
    with contextlib.suppress(OSError, EOFError), peer.connect("127.0.0.1", port) as hostile:
        ping = giop.Request(1, "_non_existent", b"Ledger").message(2, cdr.LITTLE).bytes()
        kind = rng.randrange(5)
        if kind == 0:
            hostile.send(rng.randbytes(rng.randrange(1, 2000)))
        elif kind == 1:
            hostile.send(ping[: rng.randrange(len(ping))])
            hostile.reset()
        elif kind == 2:
            hostile.send(b"GIOP\1\2\1\0" + (0x7FFFFF00).to_bytes(4, "little") + bytes(rng.randrange(20_000)))
        elif kind == 3:
            hostile.send(*[ping] * 200)
        else:
            for i in range(100):
                hostile.send(giop.fragmented(giop.Request(i, "exchange", b"Ledger", arguments=bytes(5000)).message(
                    2, cdr.LITTLE), 1000)[0])


def trouble(servers, callers, rng):
    """A fault, and its end."""
    server = rng.choice(servers)
    kind = rng.randrange(6)
    if kind == 0:
        server.proxy.reset()
    elif kind == 1:
        server.proxy.held = True
        time.sleep(0.3)
        server.proxy.held = False
    elif kind == 2:
        server.child.process.send_signal(signal.SIGSTOP)
        time.sleep(0.3)
        server.child.process.send_signal(signal.SIGCONT)
    elif kind == 3:
        caller = rng.choice(callers)
        caller.child.process.send_signal(signal.SIGSTOP)
        time.sleep(0.3)
        caller.child.process.send_signal(signal.SIGCONT)
    elif kind == 4:
        server.proxy.delay = 0.01
        time.sleep(0.3)
        server.proxy.delay = 0
    else:
        for _ in range(10):
            attack(server.port, rng)


def judge(process, samples, minutes):
    """What is wrong with the figures of a process: the last third against the middle one."""
    third = len(samples) // 3
    middle, last = samples[third : 2 * third], samples[2 * third :]
    faults = []
    # What large messages take for a moment comes and goes.
    before, after = (statistics.median(s["kB"] for s in part) for part in (middle, last))
    if minutes >= WARM and after - before > GROWTH[0] + GROWTH[1] * before:
        faults.append(f"{process.name}: memory grew from {before:g} to {after:g} kB")
    if minutes < WARM and after > EXCESS:
        faults.append(f"{process.name}: {after:g} kB of memory, more than {EXCESS}")
    for what in ("files", "threads"):
        # Clients come and go, hostile ones in tens; connections to those that were called back and are gone stay a while.
        for of, allowed in ((statistics.median, 4), (max, 12)):
            before, after = (of(s[what] for s in part) for part in (middle, last))
            if after > before + allowed:
                faults.append(f"{process.name}: {what} grew from {before:g} to {after:g}")
    return faults


def accounts(server, callers):
    done = server.entries()
    mine = [c for c in callers if c.server is server]
    faults = [f"{server.name}: {n} entries were done twice" for n in [sum(k > 1 for k in done.values())] if n]
    acknowledged = set().union(*(c.fates["done"] for c in mine))
    refused = set().union(*(c.fates["no"] for c in mine))
    wrong = set().union(*(c.fates["wrong"] for c in mine))
    for text, entries in (("acknowledged and lost", acknowledged - set(done)), ("said not to be done, and done", refused & set(done)),
                          ("answered with another's result", wrong)):
        if entries:
            faults.append(f"{server.name}: {len(entries)} calls were {text}")
    return faults, len(acknowledged)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the faults' order (printed)")
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build" / "release" / "tests")
    parser.add_argument("--csv", type=pathlib.Path, default=pathlib.Path("soak.csv"))
    options = parser.parse_args()
    rng = random.Random(options.seed)
    # What the processes keep is looked at, not what the C library does.
    os.environ["GLIBC_TUNABLES"] = "glibc.malloc.mmap_threshold=131072"
    print(f"{options.minutes:g} minutes, --seed {options.seed}", flush=True)
    with contextlib.ExitStack() as running:
        folder = running.enter_context(tempfile.TemporaryDirectory(prefix="corbel-soak-"))
        table = running.enter_context(options.csv.open("w"))
        authority = running.enter_context(Authority())
        servers = [LedgerServer(options.programs, folder, authority, model) for model in ("pool", "connection", "reactive")]
        steady = [Caller(options.programs, server, server.ways[0]) for server in servers]
        passing, gone = [], []

        def add(server):
            timeout = ["-ORBclientCallTimeOutPeriod", "200"] if rng.random() < 0.5 else []
            back = ["-ORBofferBiDirectionalGIOP", "1"] if rng.random() < 0.5 else []
            passing.append(Caller(options.programs, server, rng.choice(server.ways), *timeout, *back))

        for server in servers:
            for _ in range(2):
                add(server)
        print("seconds,process,kB,files,threads", file=table)
        samples = {process.name: [] for process in servers + steady}
        begin = sampled = said = time.monotonic()
        end = begin + options.minutes * 60
        troubles = 0
        while time.monotonic() < end:
            trouble(servers, steady + passing, rng)
            troubles += 1
            if rng.random() < 0.1:  # a client is killed, another comes
                caller = passing.pop(rng.randrange(len(passing)))
                caller.kill()
                gone.append(caller)
                add(caller.server)
            for caller in steady + passing:
                caller.drain()
            now = time.monotonic()
            if now - sampled >= SAMPLE:
                sampled = now
                for process in servers + steady:
                    sample = process.sample()
                    samples[process.name].append(sample)
                    print(f"{now - begin:.0f},{process.name},{sample['kB']},{sample['files']},{sample['threads']}", file=table)
            if now - said >= 30 or now >= end:
                said = now
                print(f"{(now - begin) / 60:5.1f} min  {troubles} faults  " + "  ".join(
                    f"{m}: {s[-1]['kB']} kB, {s[-1]['files']} files, {s[-1]['threads']} threads"
                    for m, s in samples.items() if s), flush=True)
        for server in servers:
            server.proxy.held, server.proxy.delay = False, 0
        callers = steady + passing
        faults, calls = [], 0
        for caller in callers:
            if status := caller.end():
                faults.append(f"{caller.name}: a client ended with {status}")
        for server in servers:
            found, acknowledged = accounts(server, callers + gone)
            faults += found
            calls += acknowledged
            if not server.child.alive():
                faults.append(f"{server.name}: the server has ended")
        for process in servers + steady:
            faults += judge(process, samples[process.name], options.minutes)
        for child in [c.child for c in callers] + [s.child for s in servers]:
            child.kill()
        for server in servers:
            server.proxy.__exit__()
    print(f"{calls} calls acknowledged, {troubles} faults")
    print("\n".join(faults) if faults else "nothing lost, nothing doubled, " + (
        "memory, descriptors and threads flat" if options.minutes >= WARM else "and no excess"))
    return 1 if faults or calls == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
