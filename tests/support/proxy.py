"""A link between real processes that fails as networks do: it delays, holds back, cuts and resets."""

import contextlib
import random
import socket
import struct
import threading
import time


class Proxy:
    """Forwards TCP connections from a port of its own to `target`, a port on loopback that may change. In a thread."""

    def __init__(self, target=None, host="127.0.0.1", watch=lambda data: None):
        self.target, self.host = target, host
        self.watch = watch  # called with whatever passes
        self.delay = 0.0  # seconds, each way
        self.held = False  # a partition: nothing is forwarded, nothing is refused
        self._pairs, self._lock = [], threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(0.05)
        self.port = self._listener.getsockname()[1]
        self._open = True
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def _accept(self):
        while self._open:
            try:
                client = self._listener.accept()[0]
            except (TimeoutError, socket.timeout):
                continue
            except OSError:
                return
            try:
                server = socket.create_connection((self.host, self.target), timeout=5)
            except (OSError, TypeError):
                self._reset(client)
                continue
            for s in (client, server):
                s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                s.settimeout(None)
            with self._lock:
                self._pairs.append((client, server))
            for a, b in ((client, server), (server, client)):
                threading.Thread(target=self._forward, args=(a, b), daemon=True).start()

    def _forward(self, source, sink):
        try:
            while self._open:
                if self.held:
                    time.sleep(0.005)
                    continue
                data = source.recv(65536)
                if self.delay:
                    time.sleep(self.delay)
                while self.held:
                    time.sleep(0.005)
                if not data:
                    sink.shutdown(socket.SHUT_WR)
                    return
                self.watch(data)
                sink.sendall(data)
        except OSError:
            self._cut(source, sink)  # what befell one end befalls the other

    def _cut(self, *sockets):
        for s in sockets:
            with contextlib.suppress(OSError):
                s.shutdown(socket.SHUT_RDWR)  # wakes the threads that forward
        self._reset(*sockets)

    @staticmethod
    def _reset(*sockets):
        for s in sockets:
            with contextlib.suppress(OSError):
                s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                s.close()

    def reset(self):
        """Resets every connection, both ends, at whatever octet it is."""
        with self._lock:
            pairs, self._pairs = self._pairs, []
        for pair in pairs:
            order = list(pair)
            random.shuffle(order)
            self._cut(*order)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._open = False
        self._listener.close()
        self.reset()
