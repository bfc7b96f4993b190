"""Instructions and allocations of a call: counted, not timed."""

import pathlib
import re
import shutil
import tempfile

from .programs import NotMeasured, finish, start

FEW, MANY = 1_000, 5_000
WINDOW_END = 20_000
SIDES = ("client", "server")
# Looks of the server's leader at what runs, and what it does where a call was held up, are no part of a call, and there are
# more of them on a busy machine.
RUNS = {"client": 1, "server": 5}
OPERATION_OF = {"void": "ping"}


class CountBenches:
    """Counts per call. Each method gives a dictionary of unit and value. The programs of a peer are those of its name, unless
    others are named; `more` are options of the client's calls."""

    def __init__(self, programs, server=None, client=None, more=()):
        self._programs = programs
        self._server, self._client, self._more = server, client, more

    def instructions(self, case, peer, _placement):
        """User-mode instructions per call of the whole process, one side under callgrind at a time; beside them
        those that a call has over a void one."""
        operation = _operation(case)
        counts = {f"instr-{side}": self.instructions_per_call(peer, operation, side) for side in SIDES}
        if operation != "ping":
            void = self.instructions("void", peer, _placement)
            counts |= {f"instr-over-void-{side}": counts[f"instr-{side}"] - void[f"instr-{side}"] for side in SIDES}
        return counts

    def system_calls(self, case, peer, _placement):
        """System calls per call of the whole process, one side under strace at a time."""
        return {f"calls-{side}": self.difference(peer, _operation(case), side, _system_calls, RUNS[side]) for side in SIDES}

    def allocations(self, case, peer, _placement):
        """Allocations and releases per call of calls 10,001 to 20,000, over all threads. What a thread that the pool makes
        meanwhile takes is no call's: rounded."""
        preload = {"LD_PRELOAD": self._programs.path("liballoc-counter.so")}
        with self._programs.orb_server(self._server or peer, env=preload) as (server, reference):
            client = self._programs.client(self._client or peer, reference, "calls", "--operation", _operation(case),
                                           "--calls", WINDOW_END, *self._more, env=preload)
            counts = {**client, **self._programs.stop(peer, server, reference)}
            if min(counts.values()) < 0:
                raise NotMeasured(f"fewer than {WINDOW_END:,} calls: {counts}")
            return {unit: round(count, 2) for unit, count in counts.items()}

    def instructions_per_call(self, peer, operation, side):
        """Of several runs the fewest."""
        return self.difference(peer, operation, side, instructions_counter, RUNS[side])

    def difference(self, peer, operation, side, counter, runs=1):
        """What `counter` counts per call on one side, to a hundredth: to start a process takes some tens more or less. Of several
        runs, those with the fewest."""
        counts = [min(self._count(peer, operation, side, counter, calls) for _ in range(runs)) for calls in (FEW, MANY)]
        return round((counts[1] - counts[0]) / (MANY - FEW), 2)

    def _count(self, peer, operation, side, counter, calls):
        with tempfile.TemporaryDirectory() as folder:
            profile = pathlib.Path(folder) / "profile"
            prefix = {side: counter.prefix(profile)}
            with self._programs.orb_server(self._server or peer, prefix=prefix.get("server", ())) as (server, reference):
                self._programs.client(self._client or peer, reference, "calls", "--operation", operation, "--calls", calls,
                                      *self._more, prefix=prefix.get("client", ()))
                self._programs.stop(peer, server, reference)
            return counter.total(profile)


def _operation(case):
    name = case.split("/")[0]
    return OPERATION_OF.get(name, name)


class Counter:
    """A program that counts what another does: its command line, and the total in the file that it writes."""

    def __init__(self, command, pattern):
        self._command = command
        self._pattern = re.compile(pattern, re.MULTILINE)

    def prefix(self, profile):
        if not shutil.which(self._command[0]):
            raise NotMeasured(f"{self._command[0]} is not installed")
        return tuple(part.format(profile) for part in self._command)

    def total(self, profile):
        found = self._pattern.search(profile.read_text())
        if not found:
            raise NotMeasured(f"{self._command[0]} wrote no total")
        return int(found.group(1))


def instructions_of(command, profile):
    """Instructions that a program runs while it asks callgrind to count."""
    finish(start([*_asked.prefix(profile), *command]))
    return _asked.total(profile)


instructions_counter = Counter(("valgrind", "--tool=callgrind", "--callgrind-out-file={}"), r"^(?:summary|totals): (\d+)")
_asked = Counter(("valgrind", "--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file={}"), r"^totals: (\d+)")
_system_calls = Counter(("strace", "-f", "-c", "-U", "calls,name", "-o", "{}"), r"^ *(\d+) total$")
