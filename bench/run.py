#!/usr/bin/env python3
"""Measures Corbel beside raw sockets and omniORB.

  run.py levels [--quick] [NAME ...] [--json FILE]     every level, or those with these names
  run.py latency | flood | size | ...                  the levels of one measurement; dispatch: and the papers' experiment; stubs: and
                                                       their tables 7 to 9
  run.py event-loops [--quick] [--json FILE]           blocking reads, epoll and io_uring on bare sockets; no levels

NAME is a shell pattern for the name of a level, or the name of a measurement: the fields `name` and `bench` of
levels.toml. README.md says how each is counted.
"""

import argparse
import pathlib
import subprocess
import sys

from harness import levels, report
from harness.calls import CallBenches
from harness.code import CodeBenches
from harness.codec import CodecBenches
from harness.compiler import CompilerBenches
from harness.corpus import CorpusBenches
from harness.counts import CountBenches
from harness.dispatch import DispatchBenches
from harness.dynamic import DynamicBenches
from harness.experiment import Experiment
from harness.lifetime import LifetimeBenches
from harness.load import LoadBenches
from harness.loops import EventLoops, LoopReport
from harness.operations import OperationBenches
from harness.programs import NotMeasured, Programs
from harness.replay import ReplayBenches
from harness.shm import ShmBenches
from harness.stub_calls import StubCallBenches
from harness.stubs import StubBenches
from harness.tls import TlsBenches

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
ROUNDS, QUICK_ROUNDS = 11, 3
# What is counted and not timed needs no eleven rounds.
COUNTED = {"instructions": 3, "instructions-beside": 1, "system-calls": 1, "allocations": 1, "one": 1, "idle": 1, "shm-idle": 1, "code": 1, "size": 1,
           "idl-corpus": 1, "lines": 1, "dispatch-instructions": 1, "object-memory": 1, "operations": 1, "methods": 1, "stubs": 1, "stub-instructions": 1,
           "dynamic-instructions": 1, "dynamic-allocations": 1}
# The peers measured besides the baseline, for the table of values.
BESIDE = {"latency": ("raw", "omniorb"), "flood": ("raw", "omniorb"), "instructions": ("omniorb",),
          "records": ("omniorb",), "threads": ("omniorb",), "allocations": ("omniorb",), "startup": ("omniorb",),
          "idle": ("omniorb",), "compile": ("omniorb",), "code": ("omniorb",),
          "lines": ("omniorb",), "dynamic-instructions": ("omniorb",), "dynamic-flood": ("omniorb",)}


def arguments():
    names = sorted({level.bench for level in levels.load(HERE / "levels.toml")})
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["levels", "event-loops", *names], metavar="levels|event-loops|" + "|".join(names))
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--quick", action="store_true", help="3 rounds and less data: for development")
    parser.add_argument("--json", metavar="FILE", help="write a header record and every value, one per line")
    parser.add_argument("--dir", metavar="DIR", help="the folder with the files of idl-corpus and their MANIFEST.tsv")
    parser.add_argument("--build", metavar="DIR", help="build directory; default: build/release, brought up to date")
    options = parser.parse_intermixed_args()
    if options.what != "levels":
        options.names = [options.what] if not options.names else options.names
    return options


def build_release():
    print("bench: building the release preset", flush=True)
    build = ROOT / "build" / "release"
    for command in (["cmake", "--preset", "release"],
                    ["cmake", "--build", str(build), "--target", "bench-programs"]):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"bench: {' '.join(command)} failed\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return build


def measurements(programs, quick, folder=None):
    """By the field `bench`: a function of case, peer and placement that gives units and values."""
    calls, counts = CallBenches(programs, quick), CountBenches(programs)
    lifetime, code, codec = LifetimeBenches(programs), CodeBenches(programs), CodecBenches(programs, quick)
    load, operations = LoadBenches(programs, quick), OperationBenches(programs, quick)
    corpus, compiler = CorpusBenches(programs, folder), CompilerBenches(programs)
    dispatch, dynamic = DispatchBenches(programs, quick), DynamicBenches(programs, quick)
    stub_calls = StubCallBenches(programs, quick)
    tls, shm = TlsBenches(programs, quick), ShmBenches(programs, quick)
    return {
        "idl-corpus": corpus.corpus, "latency": calls.latency, "flood": calls.flood, "records": calls.records, "sweep": calls.sweep, "replay": ReplayBenches(programs, quick).replay, "one": calls.one, "threads": calls.threads,
        "instructions": counts.instructions, "system-calls": counts.system_calls, "allocations": counts.allocations, "startup": lifetime.startup,
        "idle": lifetime.idle, "compile": code.compile, "code": code.code, "size": code.size, "codec": codec.codec,
        "idl-speed": compiler.speed, "lines": compiler.lines, "tls-latency": tls.latency, "tls-flood": tls.flood,
        "load": load.load, "connections": load.connections, "idle-connections": load.idle_connections,
        "instructions-beside": load.instructions_beside, "operations": operations.operations, "methods": operations.methods,
        "dispatch": dispatch.dispatch, "dispatch-instructions": dispatch.instructions,
        "dispatch-threads": dispatch.threads, "collocated": dispatch.collocated, "activation": dispatch.activation, "object-memory": dispatch.memory,
        "stubs": StubBenches(programs).stubs, "stub-instructions": stub_calls.instructions, "stub-calls": stub_calls.calls,
        "stub-codec": stub_calls.codec,
        "dynamic-instructions": dynamic.instructions, "dynamic-allocations": dynamic.allocations,
        "dynamic-flood": dynamic.flood, "any": dynamic.anys, "original": dynamic.original,
        "shm-latency": shm.latency, "shm-flood": shm.flood, "shm-sweep": shm.sweep, "shm-idle": shm.idle,
    }


def cases_of(wanted, bench):
    """The cases of a measurement, each with its placement and its peers, in the order of the levels."""
    cases = {}
    for level in wanted:
        if level.bench != bench:
            continue
        own = cases.setdefault((level.full_case, level.placement), ["corbel"])
        own += BESIDE.get(bench, ())
        base = cases.setdefault((level.baseline_case, level.placement), [])
        base.append("corbel" if level.baseline == "none" else level.baseline_peer)
    return {key: list(dict.fromkeys(peers)) for key, peers in cases.items()}


class Measuring:
    """Goes through the rounds, with the peers in turn inside each round."""

    def __init__(self, programs, quick, folder=None):
        self._programs = programs
        self._quick = quick
        self._functions = measurements(programs, quick, folder)
        self.records = report.Records()
        self.failures = {}
        self.rounds = {}

    def run(self, wanted):
        for bench in dict.fromkeys(level.bench for level in wanted):
            rounds = COUNTED.get(bench, ROUNDS)
            self.rounds[bench] = min(rounds, QUICK_ROUNDS) if self._quick else rounds
            for number in range(1, self.rounds[bench] + 1):
                self._round(bench, number, cases_of(wanted, bench))

    def _round(self, bench, number, cases):
        for (case, placement), peers in cases.items():
            turn = number % len(peers)
            for peer in peers[turn:] + peers[:turn]:
                report.progress(f"bench: {bench} round {number}: {case} {placement} {peer}")
                self._measure(bench, case, peer, placement, number)

    def _measure(self, bench, case, peer, placement, number):
        try:
            results = self._functions[bench](case, peer, placement)
        except NotMeasured as reason:
            self.failures[(bench, case, peer)] = str(reason)
            return
        self.records.add(bench, case, peer, placement, number, results)


def experiment(programs, quick):
    """The papers' table and plot."""
    made = Experiment(DispatchBenches(programs, quick).point, report.progress)
    made.run(large=not quick)
    report.progress("")
    print(*made.table(), sep="\n")
    plot = programs.folder / "dispatch.svg"
    plot.write_text(made.plot(), encoding="utf-8")
    print(f"\nplot: {plot}")


def event_loops(programs, options):
    """A report, and no level."""
    records = report.Records()
    made = LoopReport(EventLoops(programs, options.quick).loop, records, report.progress)
    made.run(QUICK_ROUNDS if options.quick else ROUNDS)
    report.progress("")
    print(*made.table(), sep="\n")
    write_records(options, records)


def write_records(options, records):
    if options.json:
        report.write_json(options.json, report.environment({"quick": options.quick, "names": options.names}), records)


def main():
    options = arguments()
    if options.what == "event-loops":
        event_loops(Programs(options.build or build_release()), options)
        return 0
    wanted = levels.select(levels.load(HERE / "levels.toml"), options.names)
    if not options.names and not options.dir:
        print("bench: idl-corpus is left out; it needs --dir DIR")
        wanted = [level for level in wanted if level.bench != "idl-corpus"]
    if not wanted:
        sys.exit(f"bench: no level is called {' or '.join(options.names)}")
    programs = Programs(options.build or build_release())
    if options.what == "dispatch":
        experiment(programs, options.quick)
    if options.what == "stubs":
        print(*StubBenches(programs).tables(), sep="\n")
    measuring = Measuring(programs, options.quick, options.dir)
    measuring.run(wanted)
    report.progress("")
    report.print_values(measuring.records)
    tally = report.print_levels(wanted, measuring)
    write_records(options, measuring.records)
    return 1 if "not measured" in tally else 0


if __name__ == "__main__":
    sys.exit(main())
