"""What carries the conversations of scripted peers: each of Corbel's transports, seen from the other end.

A medium connects to a server whose profile it is given, listens for clients, and makes profiles that lead to such a
listener. `server_options` make a server of Corbel listen there and nowhere else, `client_options` are its clients'. What
ends in `_below` does the same of that alone which TLS goes over."""

import atexit
import contextlib
import functools
import os
import queue
import secrets
import select
import socket
import ssl
import struct
import threading

from . import ior, shm
from .certificates import Authority

PATIENCE = 20  # seconds; nothing that a test waits for takes so long


class Tcp:
    server_options = ("-ORBendPoint", "giop:tcp:127.0.0.1:0")
    client_options = ()
    minors = (0, 1, 2)  # of references that lead there

    @staticmethod
    def address(profile):
        return "127.0.0.1", profile.port

    def connect_below(self, profile):
        connection = socket.create_connection(self.address(profile), timeout=PATIENCE)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def listen_below(self, host):
        """A socket, and what its profiles need to know."""
        listening = socket.create_server((host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # what it accepts has it, too
        return listening, listening.getsockname()[1]

    connect, listen = connect_below, listen_below

    @staticmethod
    def accept_below(listening):
        return listening.accept()[0]

    def profile(self, host, at, key, minor, components):
        return ior.Profile(host, at, key, minor, list(components))


def host_id(spaces=("net", "mnt")):
    """How Corbel tells hosts apart, by what processes see of them."""
    with open("/proc/sys/kernel/random/boot_id", "rb") as file:
        data = file.read(64)
    for space in spaces:
        data += struct.pack("=Q", os.stat(f"/proc/self/ns/{space}").st_ino)
    number = 14695981039346656037
    for octet in data:
        number = (number ^ octet) * 1099511628211 % (1 << 64)
    return f"{number:016x}"


def network_id():
    return host_id(("net",))


class BackgroundListener:
    """Like a listening socket; what has to be said before a connection carries anything is said as soon as it is made."""

    def __init__(self, listening, begin):
        self._listening, self._begin, self._timeout = listening, begin, None
        self._made, (self._ended, self._end) = queue.Queue(), os.pipe()
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self):
        while self._ended not in select.select([self._listening, self._ended], [], [])[0]:
            with contextlib.suppress(OSError):
                connection, address = self._listening.accept()
                connection.settimeout(PATIENCE)
                self._made.put((self._begin(connection), address))
        self._made.put(None)

    def settimeout(self, seconds):
        self._timeout = seconds

    def accept(self):
        try:
            made = self._made.get(timeout=self._timeout)
        except queue.Empty:
            raise TimeoutError("timed out") from None
        if made is None:
            self._made.put(None)
            raise OSError("nobody listens any more")
        return made

    def shutdown(self, _):
        if self._end is None:
            return
        os.write(self._end, b"x")
        self._thread.join()
        self._listening.close()
        os.close(self._end)
        os.close(self._ended)
        self._end = None
        while self._made.queue[0] is not None:  # that nobody wanted
            self._made.get()[0].close()

    def close(self):
        self.shutdown(None)


class OfOneHost:
    """Its address is in a component of Corbel's own."""

    client_options = ()
    minors = (1, 2)
    accept_below = staticmethod(Tcp.accept_below)

    def profile(self, host, at, key, minor, components):
        return ior.Profile("", 0, key, minor, [ior.endpoint(self.name, at), *components])


class Unix(OfOneHost):
    name = "unix"
    server_options = ("-ORBendPoint", "giop:unix:")

    def connect_below(self, profile):
        path = ior.endpoints(profile)["unix"].split("/", 1)[1]  # begins with @ outside of the file system
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(PATIENCE)
        connection.connect("\0" + path[1:] if path.startswith("@") else path)
        return connection

    def listen_below(self, _):
        listening, name = socket.socket(socket.AF_UNIX), "corbel-test-" + secrets.token_hex(8)
        listening.bind("\0" + name)
        listening.listen(64)
        return listening, f"{host_id()}/@{name}"

    connect = connect_below

    def listen(self, host):
        listening, at = self.listen_below(host)
        return BackgroundListener(listening, lambda connection: connection), at


class Shm(OfOneHost):
    name = "shm"
    server_options = ("-ORBendPoint", "giop:shm:")
    begin = staticmethod(shm.ShmSocket.accept)

    def connect_below(self, profile):
        return shm.ShmSocket.connect(ior.endpoints(profile)["shm"], PATIENCE)

    def listen_below(self, _):
        name = secrets.token_hex(16)
        return shm.listen(name), f"{network_id()}/1/{name}"

    def accept_below(self, listening):
        return self.begin(listening.accept()[0])

    connect = connect_below

    def listen(self, host):
        listening, at = self.listen_below(host)
        return BackgroundListener(listening, self.begin), at


class TlsSocket:
    """TLS over a connected socket, `below`; says goodbye where a socket would end in order. Threads: one that reads and one that
    writes, which Python's own may not have; close() and shutdown() may come from others."""

    def __init__(self, below, context, server_side=False):
        self.below, self.family = below, below.family
        self._in, self._out, self._read = ssl.MemoryBIO(), ssl.MemoryBIO(), b""
        self._tls = context.wrap_bio(self._in, self._out, server_side)
        self._lock, self._saying = threading.Lock(), threading.Lock()  # of what is in memory, and of what leaves
        self.settimeout, self.setsockopt, self.fileno = below.settimeout, below.setsockopt, below.fileno
        try:
            self._heard(self._tls.do_handshake)
        except BaseException:
            below.close()
            raise

    def _heard(self, step):
        """What it gives once enough has been heard."""
        while True:
            try:
                with self._lock:
                    return step()
            except ssl.SSLWantReadError:
                pass
            finally:
                if self._out.pending:
                    self._say()
            octets = self.below.recv(65536)
            with self._lock:
                self._in.write(octets) if octets else self._in.write_eof()

    def _say(self, octets=b""):
        with self._saying:
            with self._lock:
                if octets:
                    self._tls.write(octets)
                said = self._out.read()
            self.below.sendall(said)

    sendall = _say

    def recv(self, size, flags=0):
        if not self._read:
            try:
                self._read = self._heard(lambda: self._tls.read(65536))
            except ssl.SSLEOFError:
                return b""
        data = self._read[:size]
        if not flags & socket.MSG_PEEK:
            self._read = self._read[size:]
        return data

    def _say_goodbye(self):
        if not self._saying.acquire(blocking=False):
            return  # what is being said does not leave
        try:
            with self._lock, contextlib.suppress(OSError, ValueError):
                with contextlib.suppress(ssl.SSLError):
                    self._tls.unwrap()  # fails as the peer's own goodbye is not there yet, but says ours
                if select.select([], [self.below], [], 0)[1]:
                    self.below.send(self._out.read())
        finally:
            self._saying.release()

    def shutdown(self, how):
        if how == socket.SHUT_WR:
            self._say_goodbye()
        self.below.shutdown(how)

    def close(self):
        if self.below.fileno() >= 0:
            self._say_goodbye()
        self.below.close()

    def reset(self):
        self.below.close()


class Ssl(Tcp):
    minors = (1, 2)

    @functools.cached_property
    def _authority(self):
        authority = Authority()
        atexit.register(authority.__exit__)
        return authority

    @functools.cached_property
    def key(self):
        return str(self._authority.issue("everybody"))

    @property
    def server_options(self):
        # It calls back, but does not ask who its clients are.
        return ("-ORBendPoint", "giop:ssl:127.0.0.1:0", "-ORBsslKeyFile", self.key, *self.client_options,
                "-ORBsslClientCertificates", "none")

    @property
    def client_options(self):
        return "-ORBsslCAFile", str(self._authority.ca)

    def context(self):
        """A client's, which trusts everybody."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context

    @functools.cached_property
    def _client_context(self):
        return self.context()

    @functools.cached_property
    def server_context(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.key)
        context.num_tickets = 0
        return context

    @staticmethod
    def address(profile):
        data = next(data for tag, data in profile.components if tag == ior.SSL)
        return "127.0.0.1", ior.ssl_port(data)

    def connect(self, profile):
        return TlsSocket(self.connect_below(profile), self._client_context)

    def listen(self, host):
        listening, port = self.listen_below(host)
        begin = functools.partial(TlsSocket, context=self.server_context, server_side=True)
        return BackgroundListener(listening, begin), port

    def profile(self, host, at, key, minor, components):
        return ior.Profile(host, 0, key, minor, [ior.ssl_component(at), *components])


MEDIA = {"tcp": Tcp, "unix": Unix, "shm": Shm, "ssl": Ssl}
