"""Instructions and allocations of a call: counted, not timed."""

import pathlib
import re
import tempfile

from .programs import NotMeasured

FEW, MANY = 1_000, 5_000
WINDOW_END = 20_000
OPERATION_OF = {"void": "ping"}


class CountBenches:
    """Counts per call. Each method gives a dictionary of unit and value."""

    def __init__(self, programs):
        self._programs = programs

    def instructions(self, case, peer, _placement):
        """User-mode instructions per call of the whole process, one side under callgrind at a time."""
        operation = _operation(case)
        return {f"instr-{side}": self._difference(peer, operation, side) for side in ("client", "server")}

    def allocations(self, case, peer, _placement):
        """Allocations and releases per call of calls 10,001 to 20,000, over all threads."""
        preload = {"LD_PRELOAD": self._programs.path("liballoc-counter.so")}
        with self._programs.orb_server(peer, env=preload) as (server, reference):
            client = self._programs.client(
                peer, reference, "calls", "--operation", _operation(case), "--calls", WINDOW_END, env=preload)
            return {**client, **self._programs.stop(peer, server, reference)}

    def _difference(self, peer, operation, side):
        counts = [self._instructions(peer, operation, side, calls) for calls in (FEW, MANY)]
        return (counts[1] - counts[0]) / (MANY - FEW)

    def _instructions(self, peer, operation, side, calls):
        with tempfile.TemporaryDirectory() as folder:
            profile = pathlib.Path(folder) / "profile"
            valgrind = ("valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}")
            prefix = {side: valgrind}
            with self._programs.orb_server(peer, prefix=prefix.get("server", ())) as (server, reference):
                self._programs.client(peer, reference, "calls", "--operation", operation, "--calls", calls,
                                      prefix=prefix.get("client", ()))
                self._programs.stop(peer, server, reference)
            return _total_of(profile)


def _operation(case):
    name = case.split("/")[0]
    return OPERATION_OF.get(name, name)


def _total_of(profile):
    found = re.search(r"^(?:summary|totals): (\d+)", profile.read_text(), re.MULTILINE)
    if not found:
        raise NotMeasured("callgrind wrote no total")
    return int(found.group(1))
