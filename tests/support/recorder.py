"""Between clients and a server: passes on what they say, and keeps it, message by message, compressed ones expanded."""

import contextlib
import dataclasses
import socket
import struct
import threading

from . import cdr, giop, ior, ziop
from .media import PATIENCE


@dataclasses.dataclass
class Passed:
    """A message on its way. `compressor` is None for one that is not compressed, `size` what it takes on the wire."""

    connection: int
    to_server: bool
    message: giop.Message
    compressor: int
    size: int


def expanded(header, body):
    """The message that these octets are or stand for, and its compressor. The two octets behind the compressor's id may be
    anything."""
    message, _ = giop.Message.from_header(b"G" + header[1:])
    message.body = body
    if header[:1] == b"G":
        return message, None
    compressor, _, original, size = struct.unpack(message.order + "HHII", body[:12])
    if size != len(body) - 12:
        raise cdr.Malformed("the compressed data and the message do not end together")
    message.body = ziop.inflated(body[12:], compressor)
    if len(message.body) != original:
        raise cdr.Malformed(f"{len(message.body)} octets where {original} were announced")
    return message, compressor


class Recorder:
    """Stands before `reference`: `reference` of its own leads to it instead. `problems` are what it could not read."""

    def __init__(self, reference):
        original = ior.Ior.parse(reference)
        profile = original.iiop()[0]
        self.target = profile.host, profile.port
        self.components = dict(profile.components)
        self.problems, self._passed, self._lock = [], [], threading.Lock()
        self._ends, self._threads, self._connections = [], [], 0
        self._listener = socket.create_server((profile.host, 0))
        self.port = profile.port = self._listener.getsockname()[1]
        order = cdr.LITTLE if original.profiles[0][1][0] else cdr.BIG
        self.reference = ior.Ior(original.type_id, [(ior.TAG_INTERNET_IOP, profile.encode(order))]).text(order)
        self._start(self._accept)

    def take(self):
        """What has passed since it was asked last."""
        with self._lock:
            passed, self._passed = self._passed, []
        return passed

    def _start(self, run, *arguments):
        self._threads.append(threading.Thread(target=run, args=arguments, daemon=True))
        self._threads[-1].start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client = self._listener.accept()[0]
                server = socket.create_connection(self.target, timeout=PATIENCE)
                self._connections += 1
                for end in (client, server):
                    end.settimeout(None)
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    self._ends.append(end)
                for source, sink, to_server in ((client, server, True), (server, client, False)):
                    self._start(self._forward, source, sink, to_server, self._connections)

    def _forward(self, source, sink, to_server, connection):
        with contextlib.suppress(OSError), source.makefile("rb") as stream:
            while len(header := stream.read(giop.HEADER)) == giop.HEADER:
                body = stream.read(struct.unpack("<I" if header[6] & 1 else ">I", header[8:])[0])
                try:
                    passed = Passed(connection, to_server, *expanded(header, body), giop.HEADER + len(body))
                    with self._lock:
                        self._passed.append(passed)
                except (cdr.Malformed, ValueError, struct.error) as problem:
                    self.problems.append(f"{'to' if to_server else 'from'} the server: {problem}: {(header + body)[:64].hex()}")
                sink.sendall(header + body)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for end in (self._listener, *self._ends):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(PATIENCE)
        for end in (self._listener, *self._ends):
            end.close()
