"""Marshaling in memory, without a connection."""

from .programs import finish, start


class CodecBenches:
    """Each method gives a dictionary of unit and value."""

    def __init__(self, programs, quick):
        self._programs = programs
        self._repeats = 2_000 if quick else 20_000

    def codec(self, case, peer, _placement):
        """Nanoseconds per element of a sequence of records that is encoded or decoded again and again."""
        kind, count, direction, _ = case.split("/")
        options = ("--kind", kind, "--count", count, "--repeats", str(self._repeats), "--direction", direction)
        return finish(start([self._programs.path(f"{peer}-codec"), *options]))
