"""Ways of waiting for requests, on bare sockets: blocking reads, epoll, io_uring. A report; no level depends on it."""

import statistics

from .programs import NotMeasured, cpu_of, finish, start

LOOPS = ("blocking", "epoll", "io_uring", "io_uring-registered")
CONNECTIONS = (1, 1000)
PLACEMENT = "same"
SIZES = ("--request", "68", "--reply", "24")  # those of a void call
COLUMNS = {"us-server": "server us/call", "us-wall": "wall us/call"}


class EventLoops:
    def __init__(self, programs, quick):
        self._programs = programs
        self._calls = 10_000 if quick else 50_000

    def loop(self, connections, loop):
        """Processor time of the server, and elapsed time, of a call; in microseconds."""
        program = self._programs.path("raw-event-loops")
        case = ("--connections", str(connections), *SIZES)
        with self._programs.server([program, "--role", "server", *case, "--loop", loop], PLACEMENT) as (server, port):
            client = [program, "--role", "client", *case, "--port", port, "--calls", str(self._calls), "--server", str(server.pid)]
            return finish(start(client, cpu_of(PLACEMENT, "client")))


class LoopReport:
    """Measures in rounds, with the loops in turn inside each, and makes the table."""

    def __init__(self, measure, records, progress):
        self._measure = measure
        self._records = records
        self._progress = progress
        self._refused = {}

    def run(self, rounds):
        for number in range(1, rounds + 1):
            for connections in CONNECTIONS:
                turn = number % len(LOOPS)
                for loop in LOOPS[turn:] + LOOPS[:turn]:
                    self._one(number, connections, loop)

    def _one(self, number, connections, loop):
        if (connections, loop) in self._refused:
            return
        self._progress(f"bench: event-loops round {number}: {connections} {loop}")
        try:
            results = self._measure(connections, loop)
        except NotMeasured as reason:
            self._refused[connections, loop] = str(reason)
            return
        self._records.add("event-loops", str(connections), loop, PLACEMENT, number, results)

    def table(self):
        """Medians, and those of the ratios to blocking reads in the same round; what could not be measured says why."""
        yield f"{'connections':>11}  {'loop':20}" + "".join(f"{name:>16}{'ratio':>7}" for name in COLUMNS.values())
        for connections in CONNECTIONS:
            for loop in LOOPS:
                yield f"{connections:>11}  {loop:20}" + self._cells(connections, loop)

    def _cells(self, connections, loop):
        if reason := self._refused.get((connections, loop)):
            return f"  not measured: {reason}"
        cells = ""
        for unit in COLUMNS:
            own = self._values(connections, loop, unit)
            base = self._values(connections, LOOPS[0], unit)
            ratios = [value / base[number] for number, value in own.items() if number in base]
            cells += f"{statistics.median(own.values()):16.2f}" + (f"{statistics.median(ratios):7.2f}" if ratios else f"{'-':>7}")
        return cells

    def _values(self, connections, loop, unit):
        return self._records.values("event-loops", str(connections), loop, PLACEMENT, unit)
