"""Requests dispatched inside of one process, and what activating objects costs."""

import pathlib
import tempfile

from .counts import instructions_of
from .programs import cpu_of, finish, start

COUNTED_DISPATCHES = 20_000


class DispatchBenches:
    """Each method gives a dictionary of unit and value. A case is OBJECT-STRATEGY+OPERATION-STRATEGY/INVOCATION/
    OBJECTSxOPERATIONS; the object strategy `plain` is a loop over ids and operations, without an ORB."""

    def __init__(self, programs, quick):
        self._programs = programs
        self._requests = 1 << 17 if quick else 1 << 20

    def dispatch(self, case, _peer, placement):
        """Nanoseconds of random requests, serialised and not, beside one object's and a pointer chase."""
        return self._run("time", placement, *_options(case), "--requests", str(self._requests))

    def instructions(self, case, _peer, _placement):
        """User-mode instructions of a dispatch."""
        with tempfile.TemporaryDirectory() as folder:
            profile = pathlib.Path(folder) / "profile"
            total = instructions_of(
                [self._programs.path("dispatch"), "--mode", "count", "--dispatches", str(COUNTED_DISPATCHES),
                 *_options(case)], profile)
        return {"instr": total / COUNTED_DISPATCHES}

    def threads(self, case, _peer, _placement):
        """Dispatches of several threads together, by those of one or two."""
        return self._run("threads", "free", *_options(case))

    def activation(self, case, _peer, placement):
        """Activations a second, and the longest of them."""
        return self._run("activation", placement, "--objects", case)

    def memory(self, case, _peer, placement):
        """Growth of VmRSS by active objects, and what is left of it."""
        return self._run("memory", placement, "--objects", case)

    def collocated(self, case, _peer, placement):
        """Nanoseconds of a call to an object of the same ORB, by a strategy."""
        return finish(start([self._programs.path("collocated"), case], cpu_of(placement, "client")))

    def point(self, case):
        """One point of the papers' experiment: nanoseconds of a dispatch."""
        return self._run("points", "same", *_options(case))

    def _run(self, mode, placement, *options):
        return finish(start([self._programs.path("dispatch"), "--mode", mode, *options], cpu_of(placement, "client")))


def _options(case):
    strategies, invocation, size = case.split("/")
    strategy, skeleton = strategies.split("+")
    objects, operations = size.split("x")
    return ("--strategy", strategy, "--skeleton", skeleton, "--invocation", invocation, "--objects", objects,
            "--operations", operations)
