"""Start-up, shutdown, and what a server costs that nobody calls."""

import pathlib
import time

from .programs import finish, start, wait

SETTLE_SECONDS = 1
IDLE_SECONDS = 10


class LifetimeBenches:
    """Each method gives a dictionary of unit and value."""

    def __init__(self, programs):
        self._programs = programs

    def startup(self, _case, peer, _placement):
        """Exec to first reply, destruction of the client's ORB, `stop` to the end of the server, in ms."""
        with self._programs.orb_server(peer) as (server, reference):
            stamp = (self._programs.path("exec-stamp"),)
            result = self._programs.client(peer, reference, "first", prefix=stamp)
            stopper = start(self._programs.client_command(peer, reference, "stop"))
            wait(server)
            ended = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
            begun = finish(stopper)["ns-stop"]
        return {**result, "ms-shutdown-server": (ended - begun) / 1e6}

    def idle(self, _case, peer, _placement):
        """Resident memory after one call, and the wake-ups of all threads in ten seconds without any."""
        with self._programs.orb_server(peer) as (server, reference):
            self._programs.client(peer, reference, "calls", "--operation", "ping", "--calls", 1)
            time.sleep(SETTLE_SECONDS)
            before = _switches(server.pid)
            time.sleep(IDLE_SECONDS)
            after = _switches(server.pid)
            resident = _field(pathlib.Path(f"/proc/{server.pid}/status"), "VmRSS") * 1024 / 1e6
            self._programs.stop(peer, server, reference)
        wakeups = sum(count - before.get(task, 0) for task, count in after.items())
        return {"MB-resident": resident, "wakeups-10s": wakeups}


def _switches(pid):
    """Context switches, wanted or not, of every thread of a process."""
    tasks = pathlib.Path(f"/proc/{pid}/task").iterdir()
    kinds = ("voluntary_ctxt_switches", "nonvoluntary_ctxt_switches")
    return {task.name: sum(_field(task / "status", kind) for kind in kinds) for task in tasks}


def _field(status, name):
    for line in status.read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1])
    raise ValueError(f"{status} has no {name}")
