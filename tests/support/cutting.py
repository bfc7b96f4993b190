"""A link between real processes that is reset at an octet that the test names."""

import contextlib
import functools
import select
import socket
import struct
import threading

TO_SERVER, TO_CLIENT = 0, 1


class CuttingProxy:
    """Forwards connections of a medium, below TLS, one after the other, to the server of a profile; `at` is what profiles
    that lead here need to know."""

    def __init__(self, medium, profile):
        self._connect, self._accept = functools.partial(medium.connect_below, profile), medium.accept_below
        self.passed, self.cuts = [0, 0], 0  # octets, and resets that are over
        self._left = [None, None]  # that may still pass; None: any number
        self._listener, self.at = medium.listen_below("127.0.0.1")
        self._ended, self._end = socket.socketpair()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def cut_after(self, octets, way):
        """Resets both ends once so many more octets have passed this way, or would pass where it is none."""
        self._left[way] = octets

    def _run(self):
        while self._ended not in select.select([self._listener, self._ended], [], [])[0]:
            with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
                client = stack.enter_context(contextlib.closing(self._accept(self._listener)))
                self._forward([client, stack.enter_context(contextlib.closing(self._connect()))])

    def _forward(self, ends):
        while True:
            for source in self._readable(ends):
                if source is self._ended:
                    return
                way = ends.index(source)
                data, left = source.recv(65536), self._left[way]
                if not data:
                    return
                self.passed[way] += len(data[:left])
                ends[1 - way].sendall(data[:left])
                if left is not None:
                    if len(data) >= left:
                        return self._reset(ends)
                    self._left[way] = left - len(data)

    def _readable(self, ends):
        if isinstance(ends[0], socket.socket):
            return select.select([*ends, self._ended], [], [])[0]
        while not (ready := [end for end in ends if end.readable()]):
            if self._ended in select.select([*(end.rendezvous for end in ends), self._ended], [], [])[0]:
                return [self._ended]
        return ready

    def _reset(self, ends):
        self._left = [None, None]
        for s in ends:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            getattr(s, "reset", s.close)()
        self.cuts += 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._end.close()
        self._thread.join()
        self._ended.close()
        self._listener.close()
