"""Calls without stubs, servants without skeletons, and Anys, beside what generated code does."""

from .counts import CountBenches
from .programs import finish, start

STATIC_PART = 1.25


class DynamicBenches:
    """Each method gives a dictionary of unit and value. Cases begin with `dii` (a request used again where the ORB allows
    it), `dii-new` (a new one for each call), `dsi` or `static`; the side that the case names is counted."""

    def __init__(self, programs, quick):
        self._programs = programs
        self._total = 64_000_000 if quick else 512_000_000
        self._repeats = 500 if quick else 5_000

    def instructions(self, case, peer, _placement):
        """User-mode instructions per call, and how many more than 1.25 times those of generated code."""
        kind, operation = case.split("/")[:2]
        counted = self._counts(kind, peer).instructions_per_call(peer, operation, _side(kind))
        if peer != "corbel":
            return {"instr": counted}
        static = CountBenches(self._programs).instructions_per_call(peer, operation, _side(kind))
        return {"instr": counted, "instr-beyond": counted - STATIC_PART * static}

    def allocations(self, case, peer, placement):
        """Allocations per call of the side that the case names."""
        kind, operation = case.split("/")[:2]
        found = self._counts(kind, peer).allocations(operation, peer, placement)
        return {"allocs": found[f"allocs-{_side(kind)}"]}

    def flood(self, case, peer, placement):
        """MB/s of two-way calls with one sequence."""
        kind, size, _, _ = case.split("/")
        way, of_type, *values = kind.split("-")
        server, client = _programs(way, peer)
        with self._programs.orb_server(server, placement) as (process, reference):
            options = ("--type", of_type, "--size", size, "--direction", "twoway", "--total", self._total)
            options += ("--values", *values) if values else ()
            result = self._programs.client(client, reference, "flood", *options, placement=placement)
            self._programs.stop(peer, process, reference)
        return result

    def anys(self, case, peer, _placement):
        """Nanoseconds per structure of an Any that holds a sequence of them."""
        kind, count, step, _ = case.split("/")
        return self._elements(f"{peer}-any", kind, count, step)

    def original(self, case, peer, _placement):
        """Nanoseconds per element of an Any that is received, sent on and destroyed: by the papers' engine with one of its
        steps, by the marshal program (`program`), or by a peer, which knows no steps."""
        step, kind, count, _ = case.split("/")
        if peer != "corbel" or step == "program":
            return self._elements(f"{peer}-any", kind, count, "copy")
        return self._elements("original", kind, count, step)

    def _elements(self, program, kind, count, step):
        return finish(start([self._programs.path(program), "--kind", kind, "--step", step, "--count", count,
                             "--repeats", str(self._repeats)]))

    def _counts(self, kind, peer):
        server, client = _programs(kind, peer)
        more = ("--new", 1) if kind == "dii-new" else ()
        return CountBenches(self._programs, server, client, more)


def _side(kind):
    return "server" if kind == "dsi" else "client"


def _programs(way, peer):
    """The server and the client of a case."""
    dynamic = f"{peer}-dynamic"
    return (dynamic if way == "dsi" else peer), (dynamic if way.startswith("dii") else peer)
