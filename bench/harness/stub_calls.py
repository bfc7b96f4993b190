"""Calls and values marshaled by programs, beside those by code."""

from .counts import SIDES, CountBenches
from .programs import finish, start

STYLES = ("compiled", "interpretive")


class StubCallBenches:
    """Each method gives a dictionary of unit and value. Cases begin with a style, those of `instructions` do not."""

    def __init__(self, programs, quick):
        self._programs = programs
        self._counts = CountBenches(programs)
        self._calls = 5_000 if quick else 20_000
        self._repeats = 200_000 if quick else 2_000_000

    def instructions(self, case, _peer, _placement):
        """What a call takes more at each side where both stub and skeleton are programs."""
        operation = case.split("/")[0]
        values = {}
        for side in SIDES:
            code, program = (self._counts.instructions_per_call(f"param-{style}", operation, side) for style in STYLES)
            values |= {f"instr-{side}": program, f"instr-{side}-over": program - code}
        return values

    def calls(self, case, _peer, placement):
        """Calls a second over TCP."""
        style, operation = case.split("/")[:2]
        with self._programs.orb_server(f"param-{style}", placement) as (_, reference):
            return self._programs.client(f"param-{style}", reference, "calls", "--operation", operation, "--calls",
                                         self._calls, placement=placement)

    def codec(self, case, _peer, _placement):
        """Elements a microsecond, in memory."""
        style, kind, count, direction = case.split("/")[:4]
        return finish(start([self._programs.path(f"param-{style}-codec"), "--kind", kind, "--count", count,
                             "--direction", direction, "--repeats", str(self._repeats)]))
