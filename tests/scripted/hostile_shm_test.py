"""Clients that break shared memory: what they pass on, what they scribble into it, and where they die."""

import contextlib
import ctypes
import fcntl
import functools
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import unittest

from tests.scripted.hostile import FEW, HostileTest
from tests.scripted.server import PATIENCE
from tests.support import cdr, ior, shm
from tests.support.giop import Status

SIZE = shm.RINGS_AT + 2 * shm.RING
NOBODY = 65534


@contextlib.contextmanager
def somebody_else(do):
    """Another user's process, which lives on meanwhile; what it says is read by what this gives."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            do(functools.partial(os.write, writing))
            signal.pause()
        finally:
            os._exit(0)
    os.close(writing)
    try:
        yield functools.partial(os.read, reading, 100)
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


class ShmTest(HostileTest):
    @property
    def address(self):
        return ior.endpoints(self.server.profile)["shm"]

    def assert_turned_away(self, connection):
        """The server ends the connection without a word."""
        with contextlib.suppress(ConnectionError):
            self.assertEqual(b"", connection.recv(1))

    def passing(self, data, descriptors):
        """A connection on which this is the first that is said; it owns the descriptors."""
        connection = self.enterContext(shm.rendezvous(self.address, PATIENCE))
        with contextlib.suppress(ConnectionError):
            socket.send_fds(connection, [data], descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        return connection

    def assert_cut(self, peer):
        """The connection ends, whatever was said on it before."""
        until = time.monotonic() + PATIENCE
        while not peer.socket.hung_up():
            self.assertLess(time.monotonic(), until, "nobody minds")
            time.sleep(0.005)

    def ring(self, peer):
        peer.socket.announce("data_wait")


class Rendezvous(ShmTest):
    def test_greetings_that_are_none(self):
        for data in (b"", b"x", shm.hello()[:-1], shm.hello() + b"x", shm.hello(magic=b"corbelsm"), shm.hello(version=0),
                     shm.hello(version=2), shm.hello(ring=0), shm.hello(ring=1), shm.hello(ring=4095), shm.hello(ring=4097),
                     shm.hello(ring=2048), shm.hello(ring=1 << 25), shm.hello(ring=0x80000000), shm.hello(ring=0xFFFFFFFF),
                     shm.hello(ring=2 * shm.RING), shm.hello(ring=shm.RING // 2), bytes(16), b"GIOP\1\2\1\0\0\0\0\0\0\0\0\0"):
            connection = self.passing(data or b"x", [shm.new_memory()])
            self.assert_turned_away(connection)
        self.doCleanups()

    def test_too_many_descriptors_or_none(self):
        for count in (0, 2, 3, 100, 250):
            connection = self.passing(shm.hello(), [shm.new_memory() for _ in range(count)])
            self.assert_turned_away(connection)
        self.doCleanups()

    def test_descriptors_of_something_else(self):
        reading, writing = os.pipe()
        files = [reading, writing, os.open("/dev/null", os.O_RDWR), os.open("/dev/zero", os.O_RDWR),
                 os.open("/", os.O_RDONLY), os.open("/proc/self/mem", os.O_RDWR), socket.socket().detach(),
                 os.eventfd(0) if hasattr(os, "eventfd") else os.open("/dev/null", os.O_RDONLY)]
        for file in files:
            self.assert_turned_away(self.passing(shm.hello(), [file]))
        self.doCleanups()

    def test_memory_that_could_change_its_size(self):
        for seals in (0, fcntl.F_SEAL_SHRINK, fcntl.F_SEAL_GROW, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW,
                      shm.SEALS & ~fcntl.F_SEAL_SHRINK):
            self.assert_turned_away(self.passing(shm.hello(), [shm.new_memory(seals=seals)]))
        self.doCleanups()

    def test_memory_of_another_size(self):
        for size in (0, 1, 4096, SIZE - 1, SIZE + 1, SIZE - 4096, SIZE + 4096, 1 << 40):
            self.assert_turned_away(self.passing(shm.hello(), [shm.new_memory(size=size)]))
        self.doCleanups()

    def test_memory_that_cannot_be_written(self):
        sealed = shm.new_memory(seals=shm.SEALS & ~fcntl.F_SEAL_SEAL)
        fcntl.fcntl(sealed, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SEAL)
        writable = shm.new_memory()
        read_only = os.open(f"/proc/self/fd/{writable}", os.O_RDONLY)
        os.close(writable)
        for memory in (sealed, read_only):
            self.assert_turned_away(self.passing(shm.hello(), [memory]))
        self.doCleanups()

    def test_memory_whose_size_does_not_change_once_it_is_shared(self):
        with self.server.connect() as peer:
            for size in (0, SIZE // 2, SIZE * 2):
                with self.assertRaises(PermissionError):
                    os.ftruncate(peer.socket.memory, size)
            peer.send(self.ping(3))
            self.assertEqual(3, peer.reply().request_id)

    def test_many_that_say_nothing(self):
        with contextlib.ExitStack() as stack:
            for _ in range(200):
                stack.enter_context(shm.rendezvous(self.address, PATIENCE))
            self.assert_serves()

    @unittest.skipUnless(os.geteuid() == 0, "only root can be somebody else")
    def test_other_users(self):
        def intrude(say):
            with shm.rendezvous(self.address, PATIENCE) as connection:
                with contextlib.suppress(ConnectionError):
                    socket.send_fds(connection, [shm.hello()], [shm.new_memory()])
                self.assert_turned_away(connection)
            say(b"turned away")

        with somebody_else(intrude) as said:
            self.assertEqual(b"turned away", said())

    @unittest.skipUnless(os.geteuid() == 0, "only root can be somebody else")
    def test_other_users_whose_sockets_do_not_close(self):
        with somebody_else(functools.partial(self.pass_lingering_sockets, 40)) as said:
            self.assertEqual(b"passed", said())
            self.assert_serves()

    def pass_lingering_sockets(self, count, say):
        """Each waits while it is closed for a reader who does not read."""
        with socket.socket() as listening:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            listening.bind(("127.0.0.1", 0))
            listening.listen(count)
            kept = []
            for _ in range(count):
                lingering = socket.socket()
                lingering.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
                lingering.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 10 * PATIENCE))
                lingering.connect(listening.getsockname())
                kept.append(listening.accept()[0])
                lingering.settimeout(0.01)
                with contextlib.suppress(TimeoutError):
                    while lingering.send(bytes(65536)):
                        pass
                with contextlib.suppress(ConnectionError), shm.rendezvous(self.address, PATIENCE) as connection:
                    socket.send_fds(connection, [shm.hello()], [lingering.fileno()])
                # Mostly it is the server that closes it last, and waits.
                threading.Thread(target=lingering.close, daemon=True).start()
            say(b"passed")
            signal.pause()


class Crowded(ShmTest, attacks=False):
    @unittest.skipUnless(os.geteuid() == 0, "only root can be somebody else")
    def test_too_many_of_others_sockets_that_do_not_close_end_the_rendezvous(self):
        """Its own user's clients find that at once, and take other ways."""
        with somebody_else(functools.partial(Rendezvous.pass_lingering_sockets, self, 400)) as said:
            self.assertEqual(b"passed", said())
            until = time.monotonic() + PATIENCE
            with self.assertRaises(ConnectionRefusedError):
                while time.monotonic() < until:
                    shm.rendezvous(self.address, PATIENCE).close()
                    time.sleep(0.02)
        self.assertTrue(self.server.alive())

    @unittest.skipUnless(os.geteuid() == 0, "only root can be somebody else")
    def test_who_waits_when_it_ends_is_cut_and_costs_the_server_no_descriptor(self):
        def queue(say):
            with contextlib.ExitStack() as stack:
                waiting = [stack.enter_context(shm.rendezvous(self.address, 2 * PATIENCE)) for _ in range(400)]
                say(b"waiting")
                for connection in waiting:
                    with contextlib.suppress(ConnectionError):
                        connection.recv(1)
                say(b"cut")

        before = self.server.descriptors()
        os.kill(self.server.pid, signal.SIGSTOP)
        with somebody_else(lambda say: Rendezvous.pass_lingering_sockets(self, 300, lambda _: queue(say))) as said:
            try:
                self.assertEqual(b"waiting", said())
            finally:
                os.kill(self.server.pid, signal.SIGCONT)
            self.assertEqual(b"cut", said())
            self.assertLess(self.server.descriptors(), before + 300)  # those that do not close


class Positions(ShmTest):
    FAR = 1, shm.RING, shm.RING + 1, 1 << 31, 1 << 32, 1 << 63, (1 << 64) - 1

    def test_written_far_ahead(self):
        for far in self.FAR[2:]:
            with self.server.connect() as peer:
                peer.socket.own.written = far
                self.ring(peer)
                self.assert_cut(peer)

    def test_written_backwards(self):
        for back in (1, 12, 40):
            with self.server.connect() as peer:
                peer.send(self.ping(1))
                self.assertEqual(1, peer.reply().request_id)
                peer.socket.own.written -= back
                self.ring(peer)
                self.assert_cut(peer)

    def assert_cut_after(self, peer, message):
        with contextlib.suppress(BrokenPipeError):
            peer.send(message)
        self.assert_cut(peer)

    def test_taken_more_than_there_was(self):
        for far in self.FAR[:-1]:  # by the last it would have taken less
            with self.server.connect() as peer:
                peer.send(self.ping(1))
                self.assertEqual(1, peer.reply().request_id)
                peer.socket.own.taken += far
                self.assert_cut_after(peer, self.ping(2))

    def test_taken_backwards(self):
        with self.server.connect() as peer:
            for i in range(20):
                peer.send(self.large(i, shm.RING // 4))
                self.assertEqual(i, peer.reply().request_id)
            peer.socket.own.taken -= 2 * shm.RING
            self.assert_cut_after(peer, self.ping(99))

    def test_origins_anywhere(self):
        rng = random.Random(20261121)
        for _ in range(FEW):
            with self.attack() as peer:
                peer.socket.own.origin = rng.randrange(1 << 64)
                peer.send(self.ping(1), self.large(2, shm.RING // 2), self.ping(3))
                self.ring(peer)

    def test_words_that_are_the_servers_own(self):
        """Its positions, its waiting and its end, written by a client that goes on with the conversation."""
        for field in ("written", "origin", "finished", "taken", "data_wait", "room_wait", "processor"):
            for value in (0, 1, 2, 3, 0x7FFFFFFF, 0xFFFFFFFF):
                with self.attack() as peer:
                    peer.send(self.ping(1))
                    peer.reply()
                    setattr(peer.socket.peer, field, value)
                    with contextlib.suppress(TimeoutError):
                        peer.socket.settimeout(0.02)
                        peer.send(self.ping(2))
                        peer.socket.recv(100)

    def test_waiting_that_is_nonsense(self):
        for word in ("data_wait", "room_wait", "finished", "processor"):
            for value in (2, 3, 4, 0xFFFFFFFF):
                with self.attack() as peer:
                    peer.send(self.ping(1))
                    setattr(peer.socket.own, word, value)
                    peer.send(self.large(2, 3 * shm.RING))
                    self.ring(peer)
                    peer.socket.settimeout(0.02)
                    peer.socket.recv(100)


class Scribbling(ShmTest):
    def scribble(self, peer, at, size, say):
        """Writes anything there while the conversation goes on; what this end reads then may be anything, too."""
        peer.socket.settimeout(0.05)
        with peer.socket.scribbled(at, size), contextlib.suppress(OSError, EOFError, cdr.Malformed):
            for _ in range(30):
                say()

    def test_over_all_positions(self):
        for _ in range(20):
            with self.attack() as peer:
                self.scribble(peer, 0, 2 * ctypes.sizeof(shm.Side), lambda: (peer.send(self.ping(1)), peer.receive()))

    def test_over_its_own_positions(self):
        for _ in range(20):
            with self.attack() as peer:
                self.scribble(peer, 0, ctypes.sizeof(shm.Side), lambda: (peer.send(self.large(1)), peer.receive()))

    def test_over_messages_that_are_read(self):
        for _ in range(10):
            with self.attack() as peer:
                self.scribble(peer, shm.RINGS_AT, shm.RING, lambda: (peer.send(self.large(1, 40_000)), peer.receive()))

    def test_over_replies_that_are_written(self):
        for _ in range(10):
            with self.attack() as peer:
                self.scribble(peer, shm.RINGS_AT + shm.RING, shm.RING,
                              lambda: (peer.send(self.large(1, 40_000)), peer.socket.recv(65536)))

    def test_holes_in_the_memory(self):
        for _ in range(20):
            with self.attack() as peer:
                peer.send(self.ping(1))
                peer.reply()
                peer.socket.punch()
                peer.socket.settimeout(0.05)
                peer.send(self.ping(2))
                peer.reply()

    def test_rings_that_nobody_asked_for(self):
        with self.server.connect() as peer:
            with contextlib.suppress(OSError):
                for _ in range(1000):
                    peer.socket.rendezvous.send(bytes(1000))
            self.assert_cut(peer)

    def test_descriptors_that_come_later(self):
        for _ in range(20):
            with self.attack() as peer:
                peer.send(self.ping(1))
                peer.reply()
                memory = shm.new_memory()
                with contextlib.suppress(OSError):
                    for _ in range(50):
                        shm.send_with_descriptors(peer.socket.rendezvous, b"x", [memory] * 100)
                os.close(memory)


# Steps of a client's life; it is killed after each.
STEPS = ("connect", "create", "greet", "put", "announce", "wait", "take", "finish")
CLIENT = """import os, signal, socket, sys
from tests.support import shm
address, last, said = sys.argv[1], sys.argv[2], bytes.fromhex(sys.argv[3])
def step(name):
    if name == last:
        os.kill(os.getpid(), signal.SIGKILL)
connection = shm.rendezvous(address, 20)
step("connect")
memory = shm.new_memory()
step("create")
socket.send_fds(connection, [shm.hello()], [memory])
step("greet")
end = shm.ShmSocket(connection, memory, shm.RING, True)
announce, end.announce = end.announce, lambda word: None
end.put(said)
step("put")
announce("data_wait")
step("announce")
end.settimeout(20)
while end.peer.written == 0:
    end._pause(None)
step("wait")
end.recv(5)
step("take")
end.shutdown(socket.SHUT_WR)
step("finish")
"""


class Deaths(ShmTest):
    def test_clients_that_are_killed_at_every_step(self):
        for last in STEPS:
            for message in (self.ping(1), self.large(2, 30_000)):
                done = subprocess.run([sys.executable, "-B", "-c", CLIENT, self.address, last, message.bytes().hex()],
                                      timeout=60, check=False)
                self.assertEqual(-signal.SIGKILL, done.returncode, last)

    def test_clients_that_vanish_while_they_are_written_to(self):
        for size in (100, 40_000, 3 * shm.RING, 3_000_000):
            for wait in (False, True):
                with self.attack() as peer:
                    writer = threading.Thread(target=self.send_all, args=(peer, self.large(1, size)))
                    writer.start()
                    if wait:
                        peer.socket.recv(1)
                    time.sleep(0.01)
                    peer.socket.rendezvous.shutdown(socket.SHUT_RDWR)
                    writer.join()

    @staticmethod
    def send_all(peer, message):
        with contextlib.suppress(OSError):
            peer.send(message)

    def test_a_good_conversation_by_the_same_means_is_answered(self):
        for _ in range(20):
            with self.server.connect() as peer:
                peer.send(self.ping(5), self.large(6, 40_000))
                for request_id in (5, 6):
                    reply = peer.reply()
                    self.assertEqual((request_id, Status.NO_EXCEPTION), (reply.request_id, reply.status))


if __name__ == "__main__":
    unittest.main()
