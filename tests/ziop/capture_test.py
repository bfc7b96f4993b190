"""What a client and a server that compress say to each other, read by tshark, whose dissector is nobody's here.

The octets are recorded on their way and written as the packets that they would have been, so nobody has to be allowed to
capture."""

import contextlib
import os
import socket
import struct
import subprocess
import tempfile
import threading
import unittest

from tests.scripted.programs import Client, Server
from tests.support import cdr, ior, ziop

PORT = 40000  # of the server in the file; nobody listens there


class Relay:
    """Passes one connection on to `port` and keeps what goes each way: (to the server, octets) in order."""

    def __init__(self, port):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(20)
        self.port, self.target, self.passed, self.lock = self.listener.getsockname()[1], port, [], threading.Lock()
        self.ends, self.threads = [], [threading.Thread(target=self.accept, daemon=True)]
        self.threads[0].start()

    def accept(self):
        client = self.listener.accept()[0]
        server = socket.create_connection(("127.0.0.1", self.target))
        self.ends = [client, server]
        for source, sink, to_server in ((client, server, True), (server, client, False)):
            self.threads.append(threading.Thread(target=self.forward, args=(source, sink, to_server), daemon=True))
            self.threads[-1].start()

    def forward(self, source, sink, to_server):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 20):
                with self.lock:
                    self.passed.append((to_server, data))
                sink.sendall(data)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_WR)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for s in self.ends:
            with contextlib.suppress(OSError):
                s.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join(20)
        for s in (self.listener, *self.ends):
            s.close()


def packets(passed):
    """A capture file of IPv4 packets, TCP and all."""
    file = bytearray(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 1 << 18, 101))
    sent = {True: 1, False: 1}
    for n, (to_server, data) in enumerate(passed):
        for at in range(0, len(data), 60000):
            piece = data[at : at + 60000]
            ports = (PORT + 1, PORT) if to_server else (PORT, PORT + 1)
            tcp = struct.pack(">HHIIBBHHH", *ports, sent[to_server], sent[not to_server], 5 << 4, 0x18, 65535, 0, 0)
            ends = (b"\x7f\0\0\1", b"\x7f\0\0\2") if to_server else (b"\x7f\0\0\2", b"\x7f\0\0\1")
            ip = struct.pack(">BBHHHBBH", 0x45, 0, 40 + len(piece), n & 0xFFFF, 0, 64, 6, 0) + b"".join(ends)
            packet = ip + tcp + piece
            file += struct.pack("<IIII", n, 0, len(packet), len(packet)) + packet
            sent[to_server] += len(piece)
    return bytes(file)


def dissected(passed, *fields):
    with tempfile.TemporaryDirectory() as directory:
        name = os.path.join(directory, "packets.pcap")
        with open(name, "wb") as file:
            file.write(packets(passed))
        words = ["tshark", "-r", name, "-d", f"tcp.port=={PORT},giop", "-T", "fields"]
        for field in fields:
            words += ["-e", field]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60, check=True)
    return [line.split("\t") for line in done.stdout.splitlines()]


class Capture(unittest.TestCase):
    OPTIONS = ("-ORBtransports", "tcp", "-ORBcompression", "1", "-ORBcompressors")

    def record(self, compressor, sizes):
        with Server(*self.OPTIONS, compressor) as server, Relay(server.profile.port) as relay, \
                Client(*self.OPTIONS, compressor) as client:
            profile = server.profile
            profile.port = relay.port
            client.use(ior.Ior(server.reference.type_id, [(0, profile.encode(cdr.LITTLE))]))
            for size in sizes:
                self.assertEqual(f"{size} {size} 0", client.call("octets", size))
            return relay.passed

    def test_every_compressed_message_is_one_of_ziop(self):
        for compressor, number in (("zlib", ziop.ZLIB), ("zstd", ziop.ZSTD), ("gzip", ziop.GZIP)):
            with self.subTest(compressor=compressor):
                passed = self.record(compressor, [3000, 10, 50_000])
                found = dissected(passed, "ziop.magic", "ziop.giop_version_minor", "ziop.message_type", "ziop.compressor_id",
                                  "ziop.original_length", "giop.type", "_ws.malformed", "_ws.expert.severity")
                self.assertEqual([], [f for f in found if any(f[6:])], "malformed")
                zipped = [(int(f[2], 0), int(f[3])) for f in found if f[0]]
                self.assertEqual([(0, number), (1, number)] * 2, zipped)
                self.assertEqual({"ZIOP"}, {f[0] for f in found if f[0]})
                lengths = [int(f[4]) for f in found if f[0]]
                self.assertEqual([True] * 4, [a <= n <= a + 400 for a, n in zip([3000, 6000, 50_000, 100_000], lengths)])
                self.assertEqual([0, 1], [int(f[5], 0) for f in found if f[5]], "the small messages are as they were")

    def test_messages_are_as_much_smaller_as_they_can_be(self):
        plain, packed = (sum(len(data) for _, data in self.record(c, [100_000])) for c in ("99", "zstd"))
        self.assertGreater(plain, 300_000)
        self.assertLess(packed, plain // 50)  # they count up again and again
        print(f"octets on the wire for 100,000 there and twice back: {plain} plain, {packed} by zstd")


if __name__ == "__main__":
    unittest.main()
