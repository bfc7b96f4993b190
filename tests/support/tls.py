"""TLS as a script speaks it: records by hand, and conversations of OpenSSL whose octets the test carries."""

import contextlib
import ssl

from .giop import HEADER, Message, Reply

ALERT, HANDSHAKE, DATA, CHANGE_CIPHER = 21, 22, 23, 20
MOST_RECORD = 1 << 14
VERSIONS = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3


def record(kind, body, version=b"\3\3"):
    return bytes([kind]) + version + len(body).to_bytes(2, "big") + body


class Talk:
    """TLS in memory over a plain socket: what OpenSSL says leaves only where the test lets it."""

    def __init__(self, plain, context, server_side=False):
        self.plain, self._in, self._out = plain, ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls, self._heard = context.wrap_bio(self._in, self._out, server_side), b""

    def said(self):
        return self._out.read()

    def step(self):
        """One step of the handshake: what it says, and whether it is over."""
        with contextlib.suppress(ssl.SSLWantReadError):
            self.tls.do_handshake()
            return self.said(), True
        return self.said(), False

    def hear(self):
        octets = self.plain.recv(65536)
        if not octets:
            raise EOFError("the other side has ended the connection")
        self._in.write(octets)

    def flight(self):
        """What it says next in the handshake, once it has heard enough."""
        said, over = self.step()
        while not said and not over:
            self.hear()
            said, over = self.step()
        return said

    def shake_hands(self):
        while True:
            said, over = self.step()
            self.plain.sendall(said)
            if over:
                return
            self.hear()

    def encrypted(self, octets):
        self.tls.write(octets)
        return self.said()

    def goodbye(self):
        with contextlib.suppress(ssl.SSLError):
            self.tls.unwrap()
        return self.said()

    def reply(self):
        """The next message, which has to be a Reply, whole."""
        return Reply.decode(self.message())

    def message(self):
        message, size = Message.from_header(self._exactly(HEADER))
        message.body = self._exactly(size)
        return message

    def _exactly(self, size):
        while len(self._heard) < size:
            try:
                self._heard += self.tls.read(65536)
            except ssl.SSLWantReadError:
                try:
                    self.hear()
                except (OSError, EOFError) as error:
                    raise AssertionError("no message") from error
        octets, self._heard = self._heard[:size], self._heard[size:]
        return octets
