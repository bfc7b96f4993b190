"""Requests of the other byte order: recorded from Corbel's client, turned around, and sent again by a raw program."""

import pathlib
import socket
import struct
import sys
import tempfile

from . import giop_tap
from .programs import cpu_of, finish, start

# Of an element: octets and alignment of its members.
ELEMENTS = {"short": (2,), "long": (4,), "double": (8,), "struct": (2, 1, 4, 1, 8)}
ORDERS = {"little": "<", "big": ">"}
HEADER = 12


class ReplayBenches:
    """Each method gives a dictionary of unit and value."""

    def __init__(self, programs, quick):
        self._programs = programs
        self._total = 64_000_000 if quick else 512_000_000

    def replay(self, case, peer, placement):
        """A two-way call with a sequence, in this host's byte order or, `TYPE-swapped`, in the other one."""
        kind, size = case.split("/")[0], int(case.split("/")[1])
        kind, swapped = kind.removesuffix("-swapped"), kind.endswith("-swapped")
        with self._programs.orb_server(peer, placement) as (server, reference), \
                tempfile.TemporaryDirectory() as folder:
            request, port = self._recorded(peer, reference, kind, size)
            file = pathlib.Path(folder) / "request"
            file.write_bytes(turned_around(request, kind) if swapped else request)
            command = [self._programs.path("raw-replay"), "--file", str(file), "--port", str(port),
                       "--payload", str(size), "--calls", str(self._total // size)]
            result = finish(start(command, cpu_of(placement, "client")))
            self._programs.stop(peer, server, reference)
        return result

    def _recorded(self, peer, reference, kind, size):
        """The first request of a client, and the port of its server."""
        with socket.create_server(("0.0.0.0", 0)) as listener:
            listener.settimeout(30)
            tapped, (_, port) = giop_tap.readdressed(reference, listener.getsockname()[1])
            client = start(self._programs.client_command(peer, tapped, "sweep", "--type", kind, "--sizes", size))
            try:
                connection, _ = listener.accept()
                with connection:
                    return giop_tap.message(connection), port
            finally:
                client.kill()
                client.communicate()


def turned_around(request, kind):
    """The GIOP 1.2 request in the other byte order: the numbers of its headers, and one sequence."""
    other = "big" if sys.byteorder == "little" else "little"
    data = bytearray(request)
    data[6] ^= 1

    def number(at, code="I"):
        (value,) = struct.unpack_from(ORDERS[sys.byteorder] + code, data, at)
        struct.pack_into(ORDERS[other] + code, data, at, value)
        return value

    number(8)  # size
    number(HEADER)  # request id
    number(HEADER + 8, "H")  # addressing: the key follows
    at = HEADER + 12
    for _ in ("key", "operation"):
        at = _aligned(at + 4 + number(at), 4)
    contexts = number(at)
    at += 4
    for _ in range(contexts):
        number(at)
        at = _aligned(at + 8 + number(at + 4), 4)
    at = _aligned(at, 8)
    count = number(at)
    at += 4
    for _ in range(count):
        for width in ELEMENTS[kind]:
            at = _aligned(at, width)
            data[at : at + width] = data[at : at + width][::-1]
            at += width
    return bytes(data)


def _aligned(at, to):
    return (at + to - 1) // to * to
