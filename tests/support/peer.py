"""The scripted side of a conversation: a socket that sends and receives whole GIOP messages."""

import contextlib
import itertools
import socket
import struct
import threading

from . import giop, ior
from .media import PATIENCE, Tcp


class Peer:
    """One connection. Everything has a time limit. No two have the same number."""

    _numbers = itertools.count(1)

    def __init__(self, connection):
        self.socket, self.number = connection, next(self._numbers)
        self.socket.settimeout(PATIENCE)
        if connection.family != socket.AF_UNIX:
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, *messages):
        """Messages, or octets as they are, in one write."""
        self.socket.sendall(b"".join(m if isinstance(m, bytes) else m.bytes() for m in messages))

    def receive(self):
        """The next message, or None where the connection ends in order."""
        header = self._exactly(giop.HEADER)
        if not header:
            return None
        message, size = giop.Message.from_header(header)
        message.body = self._exactly(size)
        return message

    def whole(self):
        """The next message, put together where it comes in fragments: `parts` are the sizes of what it came in. Of 1.2
        only, and one after the other; one that is cancelled before its end is passed over."""
        message = self.receive()
        if message is None:
            return None
        parts, more = [giop.HEADER + len(message.body)], message.more
        while more:
            fragment = self.receive()
            if fragment.type == giop.Type.CANCEL and fragment.body[:4] == message.body[:4]:
                return self.whole()
            if (fragment.type, fragment.minor, fragment.order) != (giop.Type.FRAGMENT, 2, message.order):
                raise AssertionError(f"no fragment of 1.2 but {fragment}")
            if fragment.body[:4] != message.body[:4]:
                raise AssertionError("the fragment of another message")
            message.body += fragment.body[4:]
            parts.append(giop.HEADER + len(fragment.body))
            more = fragment.more
        message.more, message.parts = False, parts
        return message

    def _exactly(self, size):
        data = bytearray()
        while len(data) < size:
            more = self.socket.recv(size - len(data))
            if not more:
                if data:
                    raise EOFError(f"the connection ended after {len(data)} of {size} octets")
                return b""
            data += more
        return bytes(data)

    def request(self):
        """The next message, which has to be a Request."""
        message = self.whole()
        if message is None or message.type != giop.Type.REQUEST:
            raise AssertionError(f"no request but {message}")
        return giop.Request.decode(message)

    def reply(self):
        """The next message, which has to be a Reply."""
        message = self.whole()
        if message is None or message.type != giop.Type.REPLY:
            raise AssertionError(f"no reply but {message}")
        return giop.Reply.decode(message)

    def silent(self, seconds):
        """Whether nothing comes for so long."""
        self.socket.settimeout(seconds)
        try:
            return self.socket.recv(1, socket.MSG_PEEK) is None
        except (TimeoutError, socket.timeout):
            return True
        finally:
            self.socket.settimeout(PATIENCE)

    def ended(self):
        """Waits for the other side's end; whether it was an orderly one without further octets."""
        return self.socket.recv(1) == b""

    def close(self):
        self.socket.close()

    def reset(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        getattr(self.socket, "reset", self.socket.close)()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def connect(host, port):
    return Peer(socket.create_connection((host, port), timeout=PATIENCE))


class Listener:
    """Where clients of a scripted server connect: by `medium`, which all of a process share. `at` is its port, or what
    else the medium has for an address."""

    medium = Tcp()

    def __init__(self, host="127.0.0.1"):
        self.host = host
        self.socket, self.at = self.medium.listen(host)
        self.socket.settimeout(PATIENCE)
        self.peers = []

    @property
    def port(self):
        return self.at

    def accept(self):
        self.peers.append(Peer(self.socket.accept()[0]))
        return self.peers[-1]

    def nobody_comes(self, seconds=0.2):
        """Whether no further connection is made for so long."""
        self.socket.settimeout(seconds)
        try:
            self.accept()
            return False
        except (TimeoutError, socket.timeout):
            return True
        finally:
            self.socket.settimeout(PATIENCE)

    def profile(self, key, minor=2, components=()):
        return self.medium.profile(self.host, self.at, key, minor, components)

    def reference(self, key, order, minor=2, components=(), type_id="IDL:Contract/Everything:1.0"):
        return ior.Ior(type_id, [(ior.TAG_INTERNET_IOP, self.profile(key, minor, components).encode(order))])

    def close(self):
        for peer in self.peers:
            peer.close()
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Answering(Listener):
    """A server in threads of its own. `answer` gets each message and gives what is to be sent, or None to end the
    connection without a word; `received` keeps what came, Requests and LocateRequests decoded, in order."""

    def __init__(self, answer, host="127.0.0.1"):
        super().__init__(host)
        self.answer, self.received, self.connections = answer, [], 0
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def _accept(self):
        while True:
            try:
                peer = self.accept()
            except TimeoutError:
                continue
            except OSError:
                return
            self.connections += 1
            self._threads.append(threading.Thread(target=self._serve, args=(peer,), daemon=True))
            self._threads[-1].start()

    def _serve(self, peer):
        decoders = {giop.Type.REQUEST: giop.Request.decode, giop.Type.LOCATE_REQUEST: giop.LocateRequest.decode}
        with contextlib.suppress(OSError, EOFError), peer:
            while message := peer.whole():
                received = decoders.get(message.type, lambda m: m)(message)
                received.message_read = message
                self.received.append(received)
                answer = self.answer(received)
                if answer is None:
                    return
                peer.send(*answer if isinstance(answer, (list, tuple)) else [answer])

    def close(self):
        """Nobody listens any more, and the connections have ended."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        for peer in self.peers:
            with contextlib.suppress(OSError):
                peer.socket.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        super().close()


@contextlib.contextmanager
def silent(port=0, host="127.0.0.1"):
    """The address of a port whose connections are neither taken nor refused: the queue of those that wait is full."""
    with contextlib.ExitStack() as stack:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        full = stack.enter_context(socket.socket(family))
        full.bind((host, port))
        full.listen(0)
        for _ in range(4):
            waiting = stack.enter_context(socket.socket(family))
            waiting.setblocking(False)
            waiting.connect_ex(full.getsockname())
        yield full.getsockname()[:2]


@contextlib.contextmanager
def unreachable():
    """The address of a port where nobody listens, and nobody else will meanwhile."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()
