"""Starts the benchmark programs: placement, servers that die with the measurement, results as dictionaries."""

import contextlib
import json
import os
import pathlib
import select
import subprocess
import threading

TIMEOUT = 300
# The clients whose levels are of another transport than TCP.
OF_OTHER_TRANSPORTS = ("corbel-shm", "corbel-tls")


class NotMeasured(Exception):
    """A measurement that cannot be made; the message says why."""


class Programs:
    """The benchmark programs of one build directory."""

    def __init__(self, build):
        self.build = pathlib.Path(build)
        self.folder = self.build / "bench"

    def path(self, name):
        found = self.folder / name
        if not found.exists():
            raise NotMeasured(f"{name} is not built")
        return str(found)

    def has_peer(self, peer):
        if peer == "raw":
            return (self.folder / "raw-pingpong").exists()
        return (self.folder / f"{peer}-client").exists()

    @contextlib.contextmanager
    def server(self, command, placement="free", env=None):
        """A server process; yields it and its first line of output. It is killed if it is still there at the end."""
        process = start(command, cpu_of(placement, "server"), env)
        try:
            yield process, first_line(process)
        finally:
            process.kill()
            process.communicate()

    @contextlib.contextmanager
    def orb_server(self, peer, placement="free", prefix=(), env=None):
        """A server of an ORB; yields it and its reference."""
        with self.server([*prefix, self.path(f"{peer}-server")], placement, env) as started:
            yield started

    def client_command(self, peer, reference, mode, *options):
        # What Corbel would choose on one host is measured as such; the levels say which transport they are of.
        held_to_tcp = peer.startswith("corbel") and peer not in OF_OTHER_TRANSPORTS
        transport = ("-ORBtransports", "tcp") if held_to_tcp else ()
        return [self.path(f"{peer}-client"), "--ior", reference, "--mode", mode, *map(str, options), *transport]

    def client(self, peer, reference, mode, *options, placement="free", env=None, prefix=()):
        """Runs a client of an ORB to its end; gives what it printed."""
        command = [*prefix, *self.client_command(peer, reference, mode, *options)]
        return finish(start(command, cpu_of(placement, "client"), env))

    def stop(self, peer, server, reference):
        """Shuts a server down in order; gives what it printed."""
        self.client(peer, reference, "stop")
        return finish(server)


def cpu_of(placement, side):
    """The processor of a side: both the first (`same`), one each (`split`), or None (`free`)."""
    if placement == "free":
        return None
    cpus = sorted(os.sched_getaffinity(0))
    if placement == "same" or side == "server":
        return cpus[0]
    if len(cpus) < 2:
        raise NotMeasured("placement split needs two processors")
    return cpus[1]


def start(command, cpu=None, env=None):
    def pin():
        os.sched_setaffinity(0, {cpu})

    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, **(env or {})}, preexec_fn=pin if cpu is not None else None)


def first_line(process):
    ready, _, _ = select.select([process.stdout], [], [], 60)
    line = process.stdout.readline().strip() if ready else ""
    if not line:
        process.kill()
        raise NotMeasured(f"{process.args[-1]} did not start: {process.stderr.read().strip()}")
    return line


def finish(process):
    """Waits for a program; gives its results. Raises NotMeasured when it failed or never ended."""
    try:
        out, err = process.communicate(timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise NotMeasured(f"{described(process)} did not end") from None
    if process.returncode != 0:
        raise NotMeasured(f"{described(process)}: exit {process.returncode}: {err.strip()[-300:]}")
    lines = [line for line in out.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if lines else {}


def wait(process):
    """Waits without polling, so that the moment of return is the moment of the process's end."""
    watchdog = threading.Timer(TIMEOUT, process.kill)
    watchdog.start()
    try:
        return process.wait()
    finally:
        watchdog.cancel()


def described(process):
    words = [word if len(word) < 60 else word[:12] + "..." for word in map(str, process.args)]
    return " ".join([pathlib.Path(words[0]).name, *words[1:]])
