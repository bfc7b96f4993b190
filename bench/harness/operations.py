"""Finding the operation of a request: the strategies in memory, and interfaces of many methods over TCP."""

import pathlib
import tempfile

from .counts import FEW, MANY, instructions_counter
from .programs import cpu_of, finish, start

FEW_IN_MEMORY, MANY_IN_MEMORY = 20_000, 60_000
RUNS = 5


class OperationBenches:
    """Each method gives a dictionary of unit and value."""

    def __init__(self, programs, quick):
        self._programs = programs
        self._calls = 10_000 if quick else 50_000

    def operations(self, case, _peer, _placement):
        """Instructions of one dispatch by a strategy, among so many operations."""
        strategy, count = case.split("/")[:2]

        def instructions(calls):
            with tempfile.TemporaryDirectory() as folder:
                profile = pathlib.Path(folder) / "profile"
                finish(start([*instructions_counter.prefix(profile), self._programs.path("operations"), strategy, count,
                              str(calls)]))
                return instructions_counter.total(profile)
        difference = instructions(MANY_IN_MEMORY) - instructions(FEW_IN_MEMORY)
        return {"instr": difference / (MANY_IN_MEMORY - FEW_IN_MEMORY)}

    def methods(self, case, _peer, placement):
        """Server's instructions of a call to an interface of so many methods, of all of them in turn; what they are more
        than with one; and the median time."""
        strategy, count = case.split("/")[:2]
        options = ("--strategy", strategy, "--methods", count)
        own = self._server_instructions(options)
        one = own if count == "1" else self._server_instructions(("--strategy", strategy, "--methods", "1"))
        with self._server(options, placement) as (_, references):
            timed = self._client(references, options, self._calls, placement)
        return {"instr-server": own, "instr-over-one": own - one, **timed}

    def _server_instructions(self, options):
        def instructions(calls):
            with tempfile.TemporaryDirectory() as folder:
                profile = pathlib.Path(folder) / "profile"
                with self._server(options, "free", instructions_counter.prefix(profile)) as (server, references):
                    self._client(references, options, calls, "free")
                    self._programs.client("corbel", references.split()[1], "stop")
                    finish(server)
                return instructions_counter.total(profile)
        # Looks of the server's leader at what runs are no part of a call, and there are more of them on a busy machine.
        few, many = (min(instructions(calls) for _ in range(RUNS)) for calls in (FEW, MANY))
        return (many - few) / (MANY - FEW)

    def _server(self, options, placement, prefix=()):
        command = [*prefix, self._programs.path("methods-server"), *options]
        return self._programs.server(command, placement)

    def _client(self, references, options, calls, placement):
        return finish(start([self._programs.path("methods-client"), "--ior", references.split()[0], *options,
                             "--calls", str(calls), "-ORBtransports", "tcp"], cpu_of(placement, "client")))
