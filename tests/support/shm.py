"""Corbel's shared memory (orb/transport/shm_ring.h) as a script sees it: a memfd that a unix socket passes on, with two
rings in it. `ShmSocket` is like a socket; its sides, rings and descriptors are there for whoever wants to break them."""

import contextlib
import ctypes
import fcntl
import os
import random
import select
import socket
import struct
import threading
import time

RINGS_AT = 4096
RING = 64 * 1024
NOBODY, FUTEX, DOORBELL = 0, 1, 2
SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
HELLO = struct.Struct("=8sII")
MAGIC, VERSION = b"CorbelSM", 1
PREFIX = "\0corbel-shm-"
PAUSE = 0.0002
HOLE = 1 | 2  # of FALLOC_FL_: the file keeps its size, a hole is made

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
_libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
_exchange = ctypes.CDLL("libatomic.so.1")["__atomic_exchange_4"]
_SEQUENTIAL = 5
_FUTEX_CALL = {"x86_64": 202, "aarch64": 98}[os.uname().machine]
_FUTEX_WAKE = 1


def _field(at, size):
    return ctypes.c_char * (at - size)


class Side(ctypes.Structure):
    """What one end writes and the other reads."""

    _fields_ = [("written", ctypes.c_uint64), ("origin", ctypes.c_uint64), ("finished", ctypes.c_uint32),
                ("_1", _field(128, 20)), ("taken", ctypes.c_uint64), ("_2", _field(256, 136)),
                ("data_wait", ctypes.c_uint32), ("room_wait", ctypes.c_uint32), ("processor", ctypes.c_uint32),
                ("_3", _field(384, 268))]


def new_memory(ring=RING, seals=SEALS, size=None):
    """The descriptor of a memfd."""
    memory = os.memfd_create("corbel", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(memory, RINGS_AT + 2 * ring if size is None else size)
    fcntl.fcntl(memory, fcntl.F_ADD_SEALS, seals)
    return memory


def hello(ring=RING, magic=MAGIC, version=VERSION):
    return HELLO.pack(magic, version, ring)


def name_of(address):
    """The socket's, of an address in a reference."""
    return PREFIX + address.split("/", 2)[2]


def rendezvous(address, patience):
    """A unix socket that leads to a server's listener; nothing has been said on it."""
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(patience)
    connection.connect(name_of(address))
    return connection


def listen(name):
    """Where clients meet a scripted server; what they say first is for ShmSocket.accept."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(PREFIX + name)
    listening.listen(64)
    return listening


def send_with_descriptors(connection, data, descriptors):
    """The data alone where Linux lets nobody send descriptors to the other end, which has said that it takes none."""
    try:
        socket.send_fds(connection, [data], descriptors)
    except PermissionError:
        connection.sendall(data)


class ShmSocket:
    """One end. Threads: one that reads and one that writes; close() and shutdown() may come from others."""

    family = socket.AF_UNIX

    def __init__(self, connection, memory, ring, client):
        self.rendezvous, self.ring_size, self._size = connection, ring, RINGS_AT + 2 * ring
        self.memory = memory  # the descriptor, which stays open so that tests can harm it
        self.base = _libc.mmap(None, self._size, 3, 1, memory, 0)
        if self.base in (None, ctypes.c_void_p(-1).value):
            raise OSError(ctypes.get_errno(), "mmap")
        sides = [Side.from_address(self.base), Side.from_address(self.base + ctypes.sizeof(Side))]
        self.own, self.peer = sides if client else sides[::-1]
        rings = [self.base + RINGS_AT, self.base + RINGS_AT + ring]
        self.out, self.incoming = rings if client else rings[::-1]
        self._written = self._taken = 0
        self._closing = threading.Lock()
        self.timeout = None

    @classmethod
    def connect(cls, address, patience, ring=RING):
        connection = rendezvous(address, patience)
        memory = new_memory(ring)
        try:
            socket.send_fds(connection, [hello(ring)], [memory])
        except OSError:
            connection.close()
            os.close(memory)
            raise
        return cls(connection, memory, ring, True)

    @classmethod
    def accept(cls, connection):
        data, descriptors, _, _ = socket.recv_fds(connection, HELLO.size, 1)
        magic, version, ring = HELLO.unpack(data)
        if (magic, version, len(descriptors)) != (MAGIC, VERSION, 1):
            raise AssertionError(f"no hello of a client but {data} with {len(descriptors)} descriptors")
        return cls(connection, descriptors[0], ring, False)

    def settimeout(self, seconds):
        self.timeout = seconds

    def setsockopt(self, *_):
        """There is nothing to set."""

    # ---- data

    def sendall(self, data):
        if self.hung_up():
            raise BrokenPipeError()
        until, at = self._until(), 0
        while at < len(data):
            room = self.ring_size - (self._written - self.peer.taken)
            if not 0 <= room <= self.ring_size:
                raise OSError("the peer's position is impossible")
            if room == 0:
                if self.hung_up():
                    raise BrokenPipeError()
                self._pause(until)
                continue
            n = min(room, len(data) - at)
            self.put(data[at : at + n])
            at += n

    def put(self, data):
        """Copies and publishes without a look at the room."""
        at = self._written % self.ring_size
        first = min(len(data), self.ring_size - at)
        ctypes.memmove(self.out + at, data[:first], first)
        ctypes.memmove(self.out, data[first:], len(data) - first)
        self._written += len(data)
        self.own.written = self._written
        self.announce("data_wait")

    def readable(self):
        """Whether recv() would give something at once, its end among it; if not, the peer rings at `rendezvous`."""
        if select.select([self.rendezvous], [], [], 0)[0]:
            self.rendezvous.recv(64)
        _exchange(ctypes.byref(self.own, Side.data_wait.offset), DOORBELL, _SEQUENTIAL)
        return self.peer.written != self._taken or self.peer.finished != 0 or self.hung_up()

    def recv(self, size, flags=0):
        until = self._until()
        while True:
            over = self.peer.finished != 0 or self.hung_up()
            there = self.peer.written - self._taken
            if not 0 <= there <= self.ring_size:
                raise OSError("the peer's position is impossible")
            if there:
                break
            if over:
                return b""
            self._pause(until)
        n = min(size, there)
        at = (self._taken - self.peer.origin) % self.ring_size
        first = min(n, self.ring_size - at)
        data = ctypes.string_at(self.incoming + at, first) + ctypes.string_at(self.incoming, n - first)
        if not flags & socket.MSG_PEEK:
            self._taken += n
            self.own.taken = self._taken
            self.announce("room_wait")
        return data

    def announce(self, word):
        """Lets the peer go on if it waits."""
        at = ctypes.byref(self.peer, getattr(Side, word).offset)
        how = _exchange(at, NOBODY, _SEQUENTIAL)
        if how == FUTEX:
            _libc.syscall(_FUTEX_CALL, at, _FUTEX_WAKE, 1, None, None, 0)
        elif how == DOORBELL:
            with contextlib.suppress(OSError):
                self.rendezvous.send(b"\0", socket.MSG_DONTWAIT)

    @contextlib.contextmanager
    def scribbled(self, at, size):
        """Meanwhile anything is written there."""
        done, begin = threading.Event(), self.base + at

        def write():
            rng = random.Random(20261121)
            while not done.is_set():
                data = rng.randbytes(64)
                for _ in range(20):
                    ctypes.memmove(begin + 4 * rng.randrange((size - 64) // 4), data, rng.choice((1, 2, 4, 8, 64)))
                time.sleep(0)

        writer = threading.Thread(target=write)
        writer.start()
        try:
            yield
        finally:
            done.set()
            writer.join()

    def punch(self):
        """All of the memory is zero."""
        _libc.fallocate(self.memory, HOLE, ctypes.c_long(0), ctypes.c_long(self._size))

    def _until(self):
        return None if self.timeout is None else time.monotonic() + self.timeout

    @staticmethod
    def _pause(until):
        if until is not None and time.monotonic() >= until:
            raise TimeoutError("timed out")
        time.sleep(PAUSE)

    # ---- the end

    def hung_up(self):
        poll = select.poll()
        poll.register(self.rendezvous, select.POLLRDHUP)
        return bool(poll.poll(0))

    def _finish(self):
        with self._closing:
            if not self.base:
                return False
            self.own.finished = 1
            self.announce("data_wait")
            return True

    def shutdown(self, how):
        if how != socket.SHUT_RD and not self._finish():
            raise OSError("closed")
        if how == socket.SHUT_RDWR:
            self.rendezvous.shutdown(how)

    def close(self):
        self._finish()
        self.reset()

    def reset(self):
        """Like the end of a process."""
        self.rendezvous.close()
        with self._closing:
            if self.base:
                del self.own, self.peer
                _libc.munmap(self.base, self._size)
                os.close(self.memory)
                self.base = None
