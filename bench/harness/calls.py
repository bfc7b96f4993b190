"""Latency, bulk data and call rates over TCP."""

import functools
import pathlib
import re

from . import giop_tap, sweep
from .programs import finish, start, cpu_of

MESSAGE_SIZES_OF = ("corbel", "omniorb")


class CallBenches:
    """Measurements of calls between two processes. Each method gives a dictionary of unit and value."""

    def __init__(self, programs, quick):
        self._programs = programs
        self._calls = 10_000 if quick else 50_000
        self._total = 64_000_000 if quick else 512_000_000
        self._milliseconds = 500 if quick else 2_000
        self._records = 300 if quick else 2_000
        self._sizes = None

    def latency(self, _case, peer, placement):
        if peer == "raw":
            request, reply = self._void_call_sizes()
            sizes = ("--request", request, "--reply", reply)
            return self._raw("raw-pingpong", placement, sizes, ("--calls", self._calls), name_server=True)
        return self._orb(peer, placement, "latency", "--calls", self._calls, name_server=True)

    def flood(self, case, peer, placement):
        kind, size, direction, _ = case.split("/")
        if peer in ("raw", "framed"):
            header = ("--header", sweep.REQUEST_HEADER) if peer == "framed" else ()
            options = ("--direction", direction, "--size", size, "--buffers", self._total // int(size), *header)
            return self._raw("raw-flood", placement, options, ())
        # A client of UTF-8 and a server of ISO 8859-1; the text is ASCII.
        sets = ("-ORBnativeCharCodeSet", "UTF-8") if kind == "char-of-utf-8" else ()
        return self._orb(peer, placement, "flood", "--type", "char" if sets else kind, "--size", size,
                         "--direction", direction, "--total", self._total, *sets)

    def sweep(self, case, peer, placement):
        def raw(where, common, for_client):
            return self._raw("raw-flood", where, common, for_client)

        return sweep.sweep(case, placement, raw, functools.partial(self._orb, peer), self._total)

    def one(self, case, peer, placement):
        """Peak memory of a two-way call with one large sequence: of the client over its own sequence, and of the
        server in sizes of the message."""
        size = int(case.split("/")[1])
        with self._programs.orb_server(peer, placement) as (server, reference):
            result = self._programs.client(peer, reference, "one", "--size", size, placement=placement)
            status = pathlib.Path(f"/proc/{server.pid}/status").read_text()
            peak = int(re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE).group(1)) * 1024
            self._programs.stop(peer, server, reference)
        return {**result, "x-message-server": peak / size}

    def records(self, case, peer, placement):
        count = case.split("/")[1]
        return self._orb(peer, placement, "records", "--count", count, "--calls", self._records)

    def threads(self, case, peer, placement):
        count = case.split("/")[1]
        one_connection = {"omniorb": ("-ORBmaxGIOPConnectionPerServer", 1, "-ORBoneCallPerConnection", 0)}
        return self._orb(peer, placement, "threads", "--threads", count, "--milliseconds", self._milliseconds,
                         *one_connection.get(peer, ()))

    def _void_call_sizes(self):
        """Corbel's, or without Corbel those of the peer that is there."""
        if self._sizes is None:
            there = [peer for peer in MESSAGE_SIZES_OF if self._programs.has_peer(peer)]
            self._sizes = giop_tap.void_call_sizes(self._programs, there[0])
        return self._sizes

    def _orb(self, peer, placement, mode, *options, name_server=False):
        with self._programs.orb_server(peer, placement) as (server, reference):
            if name_server:
                options = (*options, "--server", server.pid)
            result = self._programs.client(peer, reference, mode, *options, placement=placement)
            self._programs.stop(peer, server, reference)
        return result

    def _raw(self, program, placement, common, for_client, name_server=False):
        command = [self._programs.path(program), *map(str, common)]
        with self._programs.server([*command, "--role", "server"], placement) as (server, port):
            if name_server:
                for_client = (*for_client, "--server", server.pid)
            more = ["--role", "client", "--port", port, *map(str, for_client)]
            return finish(start([*command, *more], cpu_of(placement, "client")))
