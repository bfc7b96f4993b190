"""Servers that break shared memory under their clients: what they scribble into it, how they ring, and where they leave."""

import contextlib
import ctypes
import functools
import itertools
import os
import random
import secrets
import socket
import time
import unittest

from tests.scripted.contract import Sequence, writing
from tests.scripted.programs import KEY, MEDIUM, Raised
from tests.scripted.rogues import LARGE, LIMIT, ORDER, VERY_LARGE, HostileServers, Rogue, id_of, number
from tests.scripted.server import PATIENCE
from tests.support import giop, ior, shm
from tests.support.giop import HEADER, Locate, Reply, Type
from tests.support.media import Shm, network_id

SIDE = ctypes.sizeof(shm.Side)
GONE = "COMM_FAILURE", "TRANSIENT"


def until_gone(peer):
    """Stays until the client ends the connection; by itself it does so later than a call may take."""
    until = time.monotonic() + 2 * PATIENCE
    while not peer.socket.hung_up() and time.monotonic() < until:
        time.sleep(0.001)
    raise EOFError


def echoed(request_id, size):
    """A reply to the operation octets."""
    results = writing([Sequence("octet")] * 3, [bytes(size), bytes(size), b""])
    return Reply(request_id, results=results).message(2, ORDER)


class ShmServers(HostileServers):
    OPTIONS = "-ORBshmRingSize", str(shm.RING)

    def here(self, peer, message):
        """The object is: a large request follows."""
        self.assertEqual(Type.LOCATE_REQUEST, message.type)
        peer.send(giop.locate_reply(2, ORDER, id_of(message), Locate.HERE))

    def assert_answered_or(self, names, behave, times, operation="plus", argument=1):
        """Each of so many calls of one server ends, with an answer or one of these."""
        with self.rogues(behave) as (rogue,):
            for _ in range(times):
                outcome = self.client.call(operation, argument)
                if isinstance(outcome, Raised):
                    self.assertIn(outcome.name, names)
            self.assert_serves()
        return rogue


class Positions(ShmServers):
    """That the client finds wrong: nothing else ends its calls."""

    IMPOSSIBLE = shm.RING + 1, 1 << 31, 1 << 32, 1 << 63, (1 << 64) - 1

    @staticmethod
    def say_without_a_word(peer, message, at):
        """A good reply stands there in the ring, if only the positions were right."""
        said = number(id_of(message), 5).bytes()
        ctypes.memmove(peer.socket.out + at, said, len(said))

    def test_written_where_nothing_is(self):
        def behave(far, peer, _):
            peer.socket.own.written = far
            peer.socket.announce("data_wait")
            until_gone(peer)

        self.assert_each_ends([functools.partial(behave, far) for far in (HEADER, 100, shm.RING)], GONE)

    def test_written_further_than_the_ring_reaches(self):
        def behave(far, peer, message):
            self.say_without_a_word(peer, message, 0)
            peer.socket.own.written = far
            peer.socket.announce("data_wait")
            until_gone(peer)

        self.assert_each_ends([functools.partial(behave, far) for far in self.IMPOSSIBLE], GONE)

    def test_written_backwards(self):
        def behave(back, peer, message):
            if peer.socket.own.written == 0:
                peer.send(number(id_of(message), 5))
                return
            self.say_without_a_word(peer, message, peer.socket.own.written)
            peer.socket.own.written -= back
            peer.socket.announce("data_wait")
            until_gone(peer)

        def attack():
            for back in (1, HEADER, shm.RING):
                with self.rogues(functools.partial(behave, back)):
                    self.assertEqual("5", self.client.call("plus", 1))
                    self.assert_raised(self.client.call("plus", 1), "COMM_FAILURE", "MAYBE")

        self.in_rounds(attack)

    def test_taken_more_than_there_was_and_backwards(self):
        def behave(far, peer, message):
            peer.socket.own.taken += far
            peer.send(number(id_of(message), 5))
            until_gone(peer)

        def attack():
            for far in (1, *self.IMPOSSIBLE[:-1], -shm.RING - 1, -2 * shm.RING):
                rogue = self.assert_answered_or(GONE, functools.partial(behave, far), 3)
                self.assertGreater(rogue.connections, 1)

        self.in_rounds(attack)

    def test_taken_more_than_there_was_while_the_client_waits_for_room(self):
        def behave(far, peer, message):
            self.here(peer, message)
            taken = peer.socket.own.taken
            while peer.socket.peer.written - taken < shm.RING:
                time.sleep(0.001)
            peer.socket.own.taken += far
            peer.socket.announce("room_wait")
            until_gone(peer)

        self.assert_each_ends([functools.partial(behave, far) for far in self.IMPOSSIBLE], GONE, "octets", LARGE)

    def test_origins_anywhere(self):
        rng = random.Random(20261121)

        def behave(peer, message):
            peer.socket.own.origin = rng.randrange(1 << 64)
            peer.send(number(id_of(message), 1))

        self.assert_ends_often(behave, 30, [*GONE, "MARSHAL"], answered=True)

    def test_rings_that_nobody_asked_for(self):
        def behave(count, peer, _):
            with contextlib.suppress(OSError):
                peer.socket.rendezvous.sendall(bytes(count))
            until_gone(peer)

        self.assert_each_ends([functools.partial(behave, count) for count in (100, 1_000_000)], GONE)

    def test_descriptors_that_come_with_rings(self):
        def behave(peer, _):
            with contextlib.suppress(OSError):
                for _ in range(50):
                    shm.send_with_descriptors(peer.socket.rendezvous, b"xx", [peer.socket.memory] * 100)
            until_gone(peer)

        self.assert_ends(behave, GONE)

    def test_servers_that_hang_up_and_go_on_in_the_memory(self):
        said = number(1, 1).bytes()

        def behave(how, end, peer, _):
            peer.socket.put(said[:end])
            peer.socket.rendezvous.shutdown(how)
            for octet in range(end, len(said)):
                peer.socket.put(said[octet : octet + 1])
                time.sleep(0.001)
            until_gone(peer)

        self.assert_each_ends([functools.partial(behave, *way) for way in itertools.product(
            (socket.SHUT_WR, socket.SHUT_RDWR), (0, HEADER - 1, HEADER, len(said) - 1))], GONE)

    def test_the_memory_keeps_its_size(self):
        refused = []

        def behave(peer, message):
            for size in (0, shm.RINGS_AT, 4 * shm.RING):
                try:
                    os.ftruncate(peer.socket.memory, size)
                except PermissionError:
                    refused.append(size)
            peer.send(number(id_of(message), 5))

        with self.rogues(behave):
            self.assertEqual("5", self.client.call("plus", 1))
        self.assertEqual(3, len(refused))


class Words(ShmServers):
    """Where nobody may wake the client any more, its own limit ends the call."""

    LIMIT = LIMIT

    def assert_harmless(self, side, fields, values):
        def behave(field, value, peer, message):
            setattr(getattr(peer.socket, side), field, value)
            peer.send(number(id_of(message), 5))

        def attack():
            for way in itertools.product(fields, values):
                self.assert_answered_or([*GONE, "TIMEOUT"], functools.partial(behave, *way), 2)

        self.in_rounds(attack)

    def test_words_that_are_the_clients_own(self):
        self.assert_harmless("peer", ("written", "origin", "finished", "taken", "data_wait", "room_wait", "processor"),
                             (0, 1, 2, 3, 0xFFFFFFFF))

    def test_waiting_that_is_nonsense(self):
        self.assert_harmless("own", ("data_wait", "room_wait", "finished", "processor"), (1, 2, 3, 4, 0xFFFFFFFF))

    def test_a_server_that_wakes_nobody(self):
        def behave(peer, message):
            if message.type == Type.LOCATE_REQUEST:
                self.here(peer, message)
            while not peer.socket.hung_up():
                peer.socket.peer.data_wait = peer.socket.peer.room_wait = shm.NOBODY

        for argument in (("plus", 1), ("octets", VERY_LARGE)):
            self.assert_ends(behave, ["TIMEOUT"], *argument)

    def test_a_server_that_rings_as_often_as_it_may_and_says_nothing(self):
        def behave(peer, message):
            if message.type == Type.LOCATE_REQUEST:
                self.here(peer, message)
            while not peer.socket.hung_up():
                for _ in range(100):
                    peer.socket.announce("data_wait")
                    peer.socket.announce("room_wait")

        for argument in (("plus", 1), ("octets", VERY_LARGE)):
            self.assert_ends(behave, ["TIMEOUT"], *argument)


class Scribbling(ShmServers):
    """Whatever the results are, or the exception."""

    LIMIT = 100
    SIZE = 40_000  # of what comes back twice: more than a ring holds

    def assert_survived(self, at, size):
        def behave(peer, message):
            peer.socket.settimeout(0.02)
            with peer.socket.scribbled(at, size):
                peer.send(echoed(id_of(message), self.SIZE))
                peer.receive()

        def attack():
            with self.rogues(behave):
                for _ in range(20):
                    self.client.call("octets", self.SIZE)
                self.assert_serves()

        self.in_rounds(attack)

    def test_over_all_positions(self):
        self.assert_survived(0, 2 * SIDE)

    def test_over_its_own_positions(self):
        self.assert_survived(SIDE, SIDE)

    def test_over_the_clients_positions(self):
        self.assert_survived(0, SIDE)

    def test_over_replies_that_are_read(self):
        self.assert_survived(shm.RINGS_AT + shm.RING, shm.RING)

    def test_over_requests_that_are_written(self):
        def behave(peer, message):
            self.here(peer, message)
            peer.socket.settimeout(0.02)
            with peer.socket.scribbled(shm.RINGS_AT, shm.RING):
                while peer.socket.recv(1000):
                    pass

        def attack():
            with self.rogues(behave):
                for _ in range(10):
                    self.assertIsInstance(self.client.call("octets", LARGE), Raised)
                self.assert_serves()

        self.in_rounds(attack)

    def test_holes_in_the_memory(self):
        def behave(peer, message):
            peer.socket.punch()
            peer.send(echoed(id_of(message), self.SIZE))
            peer.socket.punch()

        def attack():
            with self.rogues(behave):
                for _ in range(10):
                    self.client.call("octets", self.SIZE)
                self.assert_serves()

        self.in_rounds(attack)


class Meeting(Rogue):
    """`begin` has each connection before its memory has been looked at; it stays open until the client ends it."""

    def __init__(self, begin):
        self.medium = Shm()
        self.medium.begin = begin
        super().__init__(None)

    def _serve(self, peer):
        with contextlib.suppress(OSError), peer:
            peer.socket.settimeout(2 * PATIENCE)
            while peer.socket.recv(65536):
                pass


class Rendezvous(ShmServers):
    ROGUE = Meeting

    def test_servers_that_take_no_memory(self):
        def hang_up(connection):
            connection.close()
            raise ConnectionAbortedError

        def hang_up_later(connection):
            shm.ShmSocket.accept(connection).reset()
            raise ConnectionAbortedError

        def ring(said, connection):
            connection.sendall(said)
            return connection

        def pass_descriptors(connection):
            shm.send_with_descriptors(connection, shm.hello(), [connection.fileno()] * 100)
            return connection

        said = b"x" * 100, shm.hello(), number(1, 1).bytes(), bytes(100_000)
        self.assert_each_ends([hang_up, hang_up_later, pass_descriptors, *[functools.partial(ring, s) for s in said]], GONE)


class Silence(ShmServers):
    LIMIT = LIMIT
    ROGUE = Meeting

    def test_servers_that_look_at_nothing(self):
        for argument in (("plus", 1), ("octets", 200_000)):
            self.assert_ends(lambda connection: connection, ["TIMEOUT"], *argument)

    def test_servers_that_take_no_connection(self):
        name = secrets.token_hex(16)
        profile = MEDIUM.profile("", f"{network_id()}/1/{name}", KEY, 2, [])
        reference = ior.Ior("IDL:Contract/Everything:1.0", [(ior.TAG_INTERNET_IOP, profile.encode(ORDER))])

        def attack():
            with contextlib.ExitStack() as stack:
                full = stack.enter_context(shm.listen(name))
                full.listen(0)
                with contextlib.suppress(BlockingIOError):
                    while True:
                        waiting = stack.enter_context(socket.socket(socket.AF_UNIX))
                        waiting.setblocking(False)
                        waiting.connect(full.getsockname())
                self.client.use(reference)
                self.assert_raised(self.client.call("plus", 1), "TIMEOUT", "NO")

        self.in_rounds(attack)


if __name__ == "__main__":
    unittest.main()
