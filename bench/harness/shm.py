"""Calls through shared memory, given nothing but a reference, against bare programs and against unix sockets; and calls over
unix sockets against bare ones."""

import functools
import pathlib
import time

from . import giop_tap, sweep
from .programs import TIMEOUT, NotMeasured, cpu_of, finish, start

# What the transports of the levels set in the environment of both ends.
SETTINGS = {"shm": {}, "shm-spin": {"CORBEL_SHM_SPIN": "1000"}, "shm-sleep": {"CORBEL_SHM_SPIN": "0"}}
UNIX = {"CORBEL_END_POINT": "giop:unix:", "CORBEL_TRANSPORTS": "unix"}
WAITS = {"shm-spin": "spin", "shm-sleep": "futex"}
ALLOWED_US = 0.3
IDLE_SECONDS = 10


class ShmBenches:
    """Each method gives a dictionary of unit and value. Of the peers, `raw` is the bare program that the case names
    and `unix` Corbel over unix sockets."""

    def __init__(self, programs, quick):
        self._programs = programs
        self._calls = 10_000 if quick else 50_000
        self._total = 64_000_000 if quick else 512_000_000
        self._sizes = None

    def latency(self, case, peer, placement):
        kind, transport = case.split("/")
        if peer == "raw" and kind == "void-tcp":  # always pinned to one processor
            return self._raw("raw-pingpong", "same", self._void_call(), ("--calls", self._calls), "--port")
        if peer == "raw" and transport == "unix":
            return self._raw("raw-pingpong", placement, ("--family", "unix", *self._void_call()), ("--calls", self._calls),
                             "--port", name_server=True)
        if peer == "raw":
            result = self._raw("raw-shared", placement, ("--wait", WAITS[transport]), ("--calls", self._calls), "--memory")
            return {**result, "us-p50-beyond": result["us-p50"]}
        result = self._orb(peer, transport, placement, "latency", "--calls", self._calls, name_server=True)
        return {**result, "us-p50-beyond": result["us-p50"] - ALLOWED_US}

    def flood(self, case, peer, placement):
        kind, size, direction, transport = case.split("/")
        if peer == "raw":
            options = ("--family", "unix", "--direction", direction, "--size", size, "--buffers", self._total // int(size))
            return self._raw("raw-flood", placement, options, (), "--port")
        return self._orb(peer, transport, placement, "flood", "--type", kind, "--size", size, "--direction", direction,
                         "--total", self._total)

    def sweep(self, case, peer, placement):
        """Over unix sockets."""
        def raw(where, common, for_client):
            return self._raw("raw-flood", where, ("--family", "unix", *common), for_client, "--port")

        return sweep.sweep(case, placement, raw, functools.partial(self._orb, peer, "unix"), self._total)

    def idle(self, case, peer, placement):
        """Processor time of both ends in ten seconds without a call, in ms."""
        env = self._environment(peer, case.split("/")[1])
        with self._programs.orb_server("corbel", placement, env=env) as (server, reference):
            command = self._programs.client_command("corbel-shm", reference, "idle", "--milliseconds", IDLE_SECONDS * 1000)
            client = start(command, cpu_of(placement, "client"), env)
            time.sleep(1)
            expect_memory(server.pid, client)
            before = _processor_ns(server.pid)
            time.sleep(IDLE_SECONDS - 2)
            after = _processor_ns(server.pid)
            result = finish(client)
            self._stop(server, reference, env)
        return {**result, "ms-server": (after - before) / 1e6 * IDLE_SECONDS / (IDLE_SECONDS - 2)}

    @staticmethod
    def _environment(peer, transport):
        return UNIX if "unix" in (peer, transport) else SETTINGS[transport]

    def _void_call(self):
        if self._sizes is None:
            request, reply = giop_tap.void_call_sizes(self._programs, "corbel")
            self._sizes = ("--request", request, "--reply", reply)
        return self._sizes

    def _orb(self, peer, transport, placement, mode, *options, name_server=False):
        env = self._environment(peer, transport)
        with self._programs.orb_server("corbel", placement, env=env) as (server, reference):
            if name_server:
                options = (*options, "--server", server.pid)
            client = start(self._programs.client_command("corbel-shm", reference, mode, *options), cpu_of(placement, "client"), env)
            if env is not UNIX:
                expect_memory(server.pid, client)
            result = finish(client)
            self._stop(server, reference, env)
        return result

    def _stop(self, server, reference, env):
        self._programs.client("corbel-shm", reference, "stop", env=env)
        finish(server)

    def _raw(self, program, placement, common, for_client, where, name_server=False):
        command = [self._programs.path(program), *map(str, common)]
        with self._programs.server([*command, "--role", "server"], placement) as (server, place):
            if name_server:
                for_client = (*for_client, "--server", server.pid)
            more = ["--role", "client", where, place, *map(str, for_client)]
            return finish(start([*command, *more], cpu_of(placement, "client")))


def expect_memory(server, client):
    """That the client's calls go through memory: it has been given no transport, and there are others."""
    maps = pathlib.Path(f"/proc/{server}/maps")
    until = time.monotonic() + TIMEOUT
    while "memfd:corbel" not in maps.read_text():
        if client.poll() is not None or time.monotonic() > until:
            client.kill()
            client.communicate()
            raise NotMeasured("the calls did not go through shared memory")
        time.sleep(0.001)  # a quick client is gone in ten


def _processor_ns(pid):
    """Of all threads."""
    tasks = pathlib.Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks)
