"""Prints the measured levels and writes the records."""

import json
import os
import platform
import subprocess
import sys

from .levels import Interval, verdict


class Records:
    """Every value measured: bench, case, peer, placement, round, value and unit."""

    def __init__(self):
        self.rows = []

    def add(self, bench, case, peer, placement, number, results):
        for unit, value in results.items():
            self.rows.append({"bench": bench, "case": case, "peer": peer, "placement": placement,
                              "round": number, "value": value, "unit": unit})

    def values(self, bench, case, peer, placement, unit):
        """By round."""
        key = (bench, case, peer, placement, unit)
        return {row["round"]: row["value"] for row in self.rows
                if (row["bench"], row["case"], row["peer"], row["placement"], row["unit"]) == key}


def figures(level, records):
    """The figure of a level in each round: Corbel's value, or its ratio to the baseline's of the same round."""
    own = records.values(level.bench, level.full_case, "corbel", level.placement, level.statistic)
    if level.baseline == "none":
        return list(own.values())
    base = records.values(level.bench, level.baseline_case, level.baseline_peer, level.placement, level.statistic)
    return [own[number] / base[number] for number in own if base.get(number)]


def environment(options):
    """The header record: where and with what this was measured."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return {
        "record": "header",
        "machine": {"processor": models[0] if models else platform.machine(),
                    "processors": len(os.sched_getaffinity(0)), "load": os.getloadavg()[0],
                    "kernel": platform.release()},
        "versions": {"corbel": _first_line("git", "describe", "--always", "--dirty"),
                     "omniorb": _first_line("pkg-config", "--modversion", "omniORB4"),
                     "compiler": _first_line("g++", "--version"), "valgrind": _first_line("valgrind", "--version"),
                     "python": platform.python_version()},
        "options": options,
    }


def _first_line(*command):
    folder = os.path.dirname(os.path.abspath(__file__))
    try:
        out = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder).stdout
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return out.splitlines()[0] if out else "unknown"


def write_json(path, header, records):
    with open(path, "w", encoding="utf-8") as file:
        for record in [header, *records.rows]:
            file.write(json.dumps(record) + "\n")


def print_values(records):
    """The medians of all peers: what the ratios are made of."""
    keys = dict.fromkeys((row["bench"], row["case"], row["placement"], row["unit"]) for row in records.rows)
    peers = list(dict.fromkeys(row["peer"] for row in records.rows))
    print(f"\n{'case':34} {'placement':9} {'unit':18}" + "".join(f"{peer:>12}" for peer in peers))
    for bench, case, placement, unit in keys:
        cells = [records.values(bench, case, peer, placement, unit) for peer in peers]
        texts = [_number(Interval.of(list(cell.values())).median) if cell else "-" for cell in cells]
        print(f"{case:34} {placement:9} {unit:18}" + "".join(f"{text:>12}" for text in texts))


def print_levels(levels, measured):
    """One line per level; gives the number of levels for each verdict. `measured` has `records`, `failures` and, by
    measurement, how many `rounds` there were: a level with a figure of only some of them is not measured."""
    print(f"\n{'level':34} {'figure':>10} {'quartiles':>21}  {'bound':13} verdict")
    tally = {}
    for level in levels:
        values, rounds = figures(level, measured.records), measured.rounds[level.bench]
        if len(values) == rounds:
            said = _print_measured(level, Interval.of(values))
        else:
            said = "not measured"
            reason = _reason(level, measured.failures)
            if values:
                reason = f"{len(values)} of {rounds} rounds: {reason}"
            print(f"{level.name:34} {'-':>10} {'':21}  {str(level.bound):13} not measured: {reason}")
        tally[said] = tally.get(said, 0) + 1
    print("\n" + ", ".join(f"{count} {said}" for said, count in tally.items()))
    return tally


def _print_measured(level, interval):
    said = verdict(level.bound, interval)
    quartiles = f"[{_number(interval.low)}, {_number(interval.high)}]"
    unit = f"x {level.baseline}" if level.baseline != "none" else level.statistic
    print(f"{level.name:34} {_number(interval.median):>10} {quartiles:>21}  {str(level.bound):13} {said} ({unit})")
    return said


def _reason(level, failures):
    """Why a level has no figure: the failure of Corbel, or that of its baseline."""
    own = failures.get((level.bench, level.full_case, "corbel"))
    base = failures.get((level.bench, level.baseline_case, level.baseline_peer))
    return own or base or "no round has both values"


def _number(value):
    return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.4g}"


def progress(text):
    """What is being measured, where somebody watches."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
