"""Counts the octets of a request and of its reply, by sitting between a client and a server of an ORB."""

import socket
import struct
import threading

from .programs import NotMeasured

HEADER = 12
BODY_FIELDS = {True: "<", False: ">"}


def readdressed(reference, port):
    """The stringified reference with the port of its first IIOP profile replaced, and the port it had."""
    if not reference.startswith("IOR:"):
        raise NotMeasured(f"not a stringified reference: {reference[:20]}")
    data = bytearray.fromhex(reference[4:])
    at, order = _first_iiop_profile(data)
    at += 4  # byte order, version, padding
    (length,) = struct.unpack_from(order + "I", data, at)
    host = bytes(data[at + 4 : at + 3 + length]).decode()
    at += 4 + length
    at += at % 2
    (old,) = struct.unpack_from(order + "H", data, at)
    struct.pack_into(order + "H", data, at, port)
    return "IOR:" + data.hex(), (host, old)


def _first_iiop_profile(data):
    """Where the body of the first profile with tag 0 begins, and its byte order."""
    order = BODY_FIELDS[bool(data[0])]
    (length,) = struct.unpack_from(order + "I", data, 4)
    at = _aligned(8 + length, 4)
    (count,) = struct.unpack_from(order + "I", data, at)
    at += 4
    for _ in range(count):
        tag, size = struct.unpack_from(order + "II", data, at)
        at += 8
        if tag == 0:
            return at, BODY_FIELDS[bool(data[at])]
        at = _aligned(at + size, 4)
    raise NotMeasured("the reference has no IIOP profile")


def _aligned(at, to):
    return (at + to - 1) // to * to


class Tap:
    """Forwards one connection in both directions and keeps the size of every GIOP message."""

    def __init__(self):
        self.sizes = {"request": [], "reply": []}
        self._listener = socket.create_server(("0.0.0.0", 0))
        self.port = self._listener.getsockname()[1]
        self._threads = []

    def start(self, server):
        self._listener.settimeout(30)
        self._threads = [threading.Thread(target=self._accept, args=(server,), daemon=True)]
        self._threads[0].start()

    def close(self):
        self._threads[0].join(30)
        self._listener.close()

    def _accept(self, server):
        client, _ = self._listener.accept()
        with client, socket.create_connection(server) as upstream:
            back = threading.Thread(target=self._forward, args=(upstream, client, self.sizes["reply"]), daemon=True)
            back.start()
            self._forward(client, upstream, self.sizes["request"])
            back.join(30)

    @staticmethod
    def _forward(source, target, sizes):
        while header := _exactly(source, HEADER):
            order = BODY_FIELDS[bool(header[6] & 1)]
            (length,) = struct.unpack_from(order + "I", header, 8)
            target.sendall(header + _exactly(source, length))
            sizes.append(HEADER + length)
        try:
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # the peer was faster


def _exactly(source, size):
    data = b""
    while len(data) < size:
        try:
            more = source.recv(size - len(data))
        except ConnectionResetError:
            return b""
        if not more:
            return b""
        data += more
    return data


def message(source):
    """The next whole GIOP message of a connection."""
    header = _exactly(source, HEADER)
    (length,) = struct.unpack_from(BODY_FIELDS[bool(header[6] & 1)] + "I", header, 8)
    return header + _exactly(source, length)


def void_call_sizes(programs, peer):
    """Octets of the request and of the reply of a void call once the connection is in use."""
    tap = Tap()
    with programs.orb_server(peer) as (_, reference):
        tapped, server = readdressed(reference, tap.port)
        tap.start(server)
        programs.client(peer, tapped, "calls", "--operation", "ping", "--calls", 4)
        tap.close()
    if len(tap.sizes["request"]) < 4 or len(tap.sizes["reply"]) < 4:
        raise NotMeasured(f"the tap of {peer} saw {tap.sizes}")
    return tap.sizes["request"][3], tap.sizes["reply"][3]
