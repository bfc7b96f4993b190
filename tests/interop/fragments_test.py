"""A client and a server of Corbel, and between them someone who cuts every message: fragments_test.py SERVER CLIENT MINOR.

Fragments of one octet each and of odd sizes in GIOP 1.2, of 8 and more in 1.1, where a fragment counts alignment from its
own header: so that borders lie everywhere, in tags, ids, indirections, chunks and what they are the length of.
"""
import contextlib
import socket
import struct
import sys
import threading

import pair

HEADER = 12
SIZES = {1: (8, 24), 2: (1, 3, 8)}
MOST = 3000  # fragments of one message
REQUEST, REPLY, FRAGMENT = 0, 1, 7
SENT = [0]  # messages that were cut


def receive(connection, size):
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            return b""
        data += more
    return data


def pieces(header, body, size):
    """The message as its fragments, or as it is if it cannot be cut."""
    order = "<" if header[6] & 1 else ">"
    minor, kind = header[5], header[7]
    if kind not in (REQUEST, REPLY) or header[6] & 2 or not SIZES.get(minor):
        return header + body
    size = max(size, -(-len(body) // MOST) + 7 & ~7)
    start = body[:4] if minor == 2 else b""
    first = max(size, 4) if minor == 2 else size
    parts = [body[:first], *(body[i : i + size] for i in range(first, len(body), size))]
    result = b""
    for i, part in enumerate(parts):
        flags = header[6] | 2 * (i + 1 < len(parts))
        content = (start if i else b"") + part
        result += header[:6] + bytes([flags, FRAGMENT if i else kind]) + struct.pack(order + "I", len(content)) + content
    return result


def forward(source, target, size):
    with contextlib.suppress(OSError):
        while header := receive(source, HEADER):
            length = struct.unpack("<I" if header[6] & 1 else ">I", header[8:])[0]
            message = pieces(header, receive(source, length), size)
            SENT[0] += message[6] >> 1 & 1
            target.sendall(message)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def cutter(host, port, size):
    """Gives the port of who stands before the server and cuts messages of both directions."""
    listener = socket.create_server((host, 0))

    def serve():
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                server = socket.create_connection((host, port))
                for ends in ((client, server), (server, client)):
                    for end in ends:
                        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    threading.Thread(target=forward, args=(*ends, size), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def moved(reference, host, port):
    """The reference with another port in its profile: it follows the host, aligned to 2."""
    octets = bytearray.fromhex(reference[4:])
    name = host.encode() + b"\0"
    at = octets.index(name) + len(name)
    struct.pack_into("<H" if octets[0] else ">H", octets, at + at % 2, port)
    return "IOR:" + octets.hex()


def main(server, client, minor):
    host = "127.0.0.1"
    with pair.server(server, minor) as (_, reference, port):
        for size in SIZES[int(minor)]:
            with cutter(host, port, size) as other:
                pair.run_client(client, minor, moved(reference, host, other), other, options=("-ORBtransports", "tcp"))
    if SENT[0] < 100:
        raise RuntimeError(f"only {SENT[0]} messages were cut")


if __name__ == "__main__":
    main(*sys.argv[1:])
