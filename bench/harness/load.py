"""Many threads on one connection, and many connections at one server, over TCP."""

import contextlib
import pathlib
import resource
import socket
import struct
import tempfile
import time

from . import giop_tap
from .programs import NotMeasured, cpu_of, finish, start

TCP = ("-ORBtransports", "tcp", "-ORBendPoint", "giop:tcp:127.0.0.1:")
WITHOUT_COALESCING = ("-ORBcoalesceWrites", "0")
SETTLE_SECONDS = 1
# The calls of which the instructions are the difference, and how often each is measured in one server.
FEW, MANY, PASSES = 1_000, 9_000, 5
LINGER_SECONDS = 0.2  # until the server's threads are done with a client that has gone


class LoadBenches:
    """Each method gives a dictionary of unit and value."""

    def __init__(self, programs, quick):
        self._programs = programs
        self._milliseconds = 1_000 if quick else 3_000
        self._calls = 20_000 if quick else 100_000
        self._sizes = None
        self._capacity = {}

    def load(self, case, peer, placement):
        """Void calls of N threads, in closed loops or, case `open`, on a schedule at half of raw's capacity."""
        mode, threads = case.split("/")[:2]
        if mode in ("naps", "bulk"):
            return self._orb(placement, mode, "--threads", threads, "--milliseconds", self._milliseconds)
        if mode == "alone":
            return self._orb(placement, "closed", "--threads", threads, "--milliseconds", self._milliseconds,
                             options=WITHOUT_COALESCING)
        if mode == "open":
            rate = int(self._capacity_for(peer, placement, threads) / 2)
            options = ("open", "--threads", threads, "--milliseconds", self._milliseconds, "--rate", rate)
        else:
            options = ("closed", "--threads", threads, "--milliseconds", self._milliseconds)
        return self._raw(placement, threads, *without(options, "--threads")) if peer == "raw" else \
            self._orb(placement, *options)

    def _capacity_for(self, peer, placement, threads):
        """Raw's calls per second, measured for the first peer of a round; the other is held to the same."""
        first, capacity = self._capacity.pop((placement, threads), (peer, None))
        if first == peer:
            capacity = self._raw(placement, threads, "closed", "--milliseconds", 500)["calls/s"]
            self._capacity[placement, threads] = peer, capacity
        return capacity

    def connections(self, case, _peer, placement):
        """CPU time of both processes per call, the connections used in turn."""
        count = case.split("/")[1]
        with open_files():
            return self._orb(placement, "round", "--connections", count, "--calls", self._calls)

    def idle_connections(self, case, _peer, placement):
        """What N connections that were used once cost a server, and what a call of another one costs beside them."""
        count = int(case.split("/")[1])
        with open_files(), self._server(placement) as (server, reference), contextlib.ExitStack() as held:
            for _ in range(2):
                self._client(placement, reference, "latency", "--calls", 2_000)
            before, threads = memory(server.pid), thread_count(server.pid)
            idle = [held.enter_context(used_once(reference)) for _ in range(count)]
            time.sleep(SETTLE_SECONDS)
            grown = memory(server.pid) - before
            more = thread_count(server.pid) - threads
            result = self._client(placement, reference, "latency", "--calls", self._calls)
            expect_idle(idle)
            held.close()
            self._stop(server, reference)
        per = {"B-each": grown / count, "threads-more": more} if count else {}
        return {**result, **per}

    def instructions_beside(self, case, _peer, _placement):
        """User-mode instructions per void call of a server that has N idle connections."""
        count = int(case.split("/")[1])
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as held:
            valgrind = ("valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/profile")
            with open_files(), self._server("free", valgrind) as (server, reference):
                idle = [held.enter_context(used_once(reference)) for _ in range(count)]
                self._instructions(server, reference, FEW, folder)  # with all that went before
                least = {calls: min(self._instructions(server, reference, calls, folder) for _ in range(PASSES))
                         for calls in (FEW, MANY)}
                expect_idle(idle)
                self._stop(server, reference)
        return {"instr-server": (least[MANY] - least[FEW]) / (MANY - FEW)}

    def _instructions(self, server, reference, calls, folder):
        """What the server has executed since it was asked last, once a client has made so many calls."""
        self._client("free", reference, "latency", "--calls", calls)
        time.sleep(LINGER_SECONDS)
        finish(start(["callgrind_control", "-d", str(server.pid)]))
        profiles = [p for p in pathlib.Path(folder).iterdir() if p.name.startswith("profile.")]
        total = total_of(profiles[0])
        profiles[0].unlink()
        return total

    @contextlib.contextmanager
    def _server(self, placement, prefix=(), options=()):
        with self._programs.server([*prefix, self._programs.path("load-server"), *TCP, *options],
                                   placement) as started:
            yield started

    def _client(self, placement, reference, mode, *options):
        command = [self._programs.path("load-client"), "--ior", reference, "--mode", mode, *map(str, options),
                   "-ORBtransports", "tcp"]
        return finish(start(command, cpu_of(placement, "client")))

    def _orb(self, placement, mode, *options, **more):
        extra = more.get("options", ())
        with self._server(placement, options=extra) as (server, reference):
            result = self._client(placement, reference, mode, *options, *extra)
            self._stop(server, reference)
        return result

    def _stop(self, server, reference):
        self._client("free", reference, "stop")
        finish(server)

    def _void_call_sizes(self):
        """Octets of the request and of the reply of a void call once the connection is in use."""
        tap = giop_tap.Tap()
        with self._server("free") as (_, reference):
            tapped, server = giop_tap.readdressed(reference, tap.port)
            tap.start(server)
            self._client("free", tapped, "latency", "--calls", 4)
            tap.close()
        if len(tap.sizes["request"]) < 4 or len(tap.sizes["reply"]) < 4:
            raise NotMeasured(f"the tap saw {tap.sizes}")
        return tap.sizes["request"][3], tap.sizes["reply"][3]

    def _raw(self, placement, threads, mode, *options):
        if self._sizes is None:
            self._sizes = self._void_call_sizes()
        common = [self._programs.path("raw-threads"), "--request", str(self._sizes[0]), "--reply",
                  str(self._sizes[1]), "--threads", str(threads)]
        with self._programs.server([*common, "--role", "server"], placement) as (_, port):
            return finish(start([*common, "--role", "client", "--port", port, "--mode", mode, *map(str, options)],
                                cpu_of(placement, "client")))


def without(options, name):
    at = options.index(name)
    return (*options[:at], *options[at + 2:])


def total_of(profile):
    for line in profile.read_text().splitlines():
        if line.startswith(("summary:", "totals:")):
            return int(line.split()[1])
    raise NotMeasured("callgrind wrote no total")


@contextlib.contextmanager
def open_files():
    """As many descriptors as the system allows, for this process and those it starts."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@contextlib.contextmanager
def used_once(reference):
    """A connection over which a LocateRequest was answered."""
    host, port, key = address_of(reference)
    with socket.create_connection((host, port), timeout=60) as connection:
        body = struct.pack("<IHHI", 1, 0, 0, len(key)) + key
        connection.sendall(b"GIOP\1\2\1\3" + struct.pack("<I", len(body)) + body)
        if connection.recv(64)[:8] != b"GIOP\1\2\1\4":
            raise NotMeasured("a LocateRequest was not answered")
        yield connection


def expect_idle(connections):
    """That all are open still, and nothing has come."""
    for connection in connections:
        connection.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            with contextlib.suppress(ConnectionResetError):
                connection.recv(1)
            raise NotMeasured("the server has closed an idle connection")


def address_of(reference):
    """Host, port and object key of a little-endian IOR's first profile, which is an IIOP profile."""
    data = bytes.fromhex(reference[4:])
    type_size, = struct.unpack_from("<I", data, 4)
    at = (8 + type_size + 3) // 4 * 4 + 4  # behind the count of profiles
    _, size = struct.unpack_from("<II", data, at)
    profile = data[at + 8:at + 8 + size]
    host_size, = struct.unpack_from("<I", profile, 4)
    host = profile[8:8 + host_size - 1].decode()
    at = (8 + host_size + 1) // 2 * 2
    port, = struct.unpack_from("<H", profile, at)
    at = (at + 2 + 3) // 4 * 4
    key_size, = struct.unpack_from("<I", profile, at)
    return host, port, profile[at + 4:at + 4 + key_size]


def memory(pid):
    """Resident octets."""
    return field(pid, "VmRSS") * 1024


def thread_count(pid):
    return field(pid, "Threads")


def field(pid, name):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1])
    raise NotMeasured(f"/proc/{pid}/status has no {name}")
