#!/usr/bin/env python3
"""Interfaces with many operations, one for each strategy of finding them, and servants for them.

  dispatch_idl.py idl STRATEGY        the contract: interfaces Dispatch::Linear_1, Linear_10 ... for `linear`
  dispatch_idl.py servants STRATEGY   C++: the function that dispatch_servants.h declares for the strategy
  dispatch_idl.py names               C++: the operations' names

Operation i has the same name in all of them. The names are like those of real contracts: a verb and a noun, of 8 to 27
letters, many with the same begin, end and length.
"""

import sys

STRATEGIES = ("linear", "binary", "hash", "perfect", "words", "active")
COUNTS = (1, 10, 100, 500, 1000)

VERBS = ("get", "set", "read", "write", "add", "remove", "find", "list", "open", "close", "start", "stop", "check",
         "reset", "enable", "disable", "lock", "unlock", "attach", "detach", "register", "unregister", "describe",
         "calibrate", "subscribe_to")
NOUNS = ("value", "values", "state", "status", "limit", "limits", "device", "devices", "channel", "channels",
         "session", "sessions", "account", "accounts", "order", "orders", "antenna", "antennas", "detector",
         "detectors", "sensor", "sensors", "motor", "motors", "alarm", "alarms", "schedule", "schedules", "property",
         "properties", "transfer_in", "transfer_on", "temperature", "temperatures", "position_x", "position_y",
         "position_z", "configuration", "configurations", "measurement")


def operations():
    """The names, spread so that the first few are as mixed as all of them."""
    every = [f"{verb}_{noun}" for verb in VERBS for noun in NOUNS]
    return [every[i * 377 % len(every)] for i in range(COUNTS[-1])]


def interface(strategy, count):
    return f"{strategy.capitalize()}_{count}"


def idl(strategy):
    lines = [f"// Found by the strategy `{strategy}`.", "module Dispatch {"]
    for count in COUNTS:
        lines.append(f"interface {interface(strategy, count)} {{")
        lines += [f"  void {name}();" for name in operations()[:count]]
        lines.append("};")
    return lines + ["};"]


def servants(strategy):
    lines = [f'#include "dispatch_servants.h"', f'#include "dispatch_{strategy}.skel.h"', "namespace {"]
    for count in COUNTS:
        name = interface(strategy, count)
        lines.append(f"struct {name} final : POA_Dispatch::{name}, Ran {{")
        lines += [f"  void {operation}() override {{ last = {i}; }}" for i, operation in enumerate(operations()[:count])]
        lines.append("};")
    lines += ["}", f"DispatchServant new_{strategy}_servant(std::uint32_t operations) {{", "  switch (operations) {"]
    lines += [f"    case {count}: return made(new {interface(strategy, count)});" for count in COUNTS]
    return lines + ["  }", "  return {};", "}"]


def names():
    lines = ['#include "dispatch_servants.h"', f"const char* const kOperationNames[{COUNTS[-1]}] = {{"]
    return lines + [f'  "{name}",' for name in operations()] + ["};"]


def main():
    makers = {"idl": idl, "servants": servants}
    if sys.argv[1:] == ["names"]:
        lines = names()
    elif len(sys.argv) == 3 and sys.argv[1] in makers and sys.argv[2] in STRATEGIES:
        lines = makers[sys.argv[1]](sys.argv[2])
    else:
        sys.exit(__doc__)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
