"""Servers that want to harm their clients: each call ends, in time and with an exception that says so, others are served, and
what it cost is given back."""

import itertools
import random
import socket
import threading
import time
import unittest

from tests.scripted.hostile import LIE
from tests.scripted.programs import KEY, Raised
from tests.scripted.rogues import LARGE, LIMIT, ORDER, VERY_LARGE, HostileServers, id_of, number
from tests.scripted.server import PATIENCE
from tests.support import giop
from tests.support.giop import HEADER, Addressing, Locate, Message, Reply, Status, Type

TOO_LARGE = 100_000_000  # octets: who reads them little by little takes longer than LIMIT
MANY = 40  # replies that are begun and not ended: twice as many are more than a connection takes


def flood(peer):
    """Replies to nobody, for ever: the last index of ids is that of requests without replies."""
    replies = number(0xFFFFFFFF, 66).bytes() * 200_000
    while True:
        peer.send(replies)


class Endless(HostileServers):
    """Only the client's own limit ends these calls."""

    LIMIT = LIMIT

    def test_late_replies_reach_nobody(self):
        def attack():
            late = []

            def behave(peer, message):
                if message.type != Type.REQUEST:
                    return
                if len(late) < 3:
                    late.append(id_of(message))
                    return
                peer.send(*[number(i, 66) for i in late], number(id_of(message), 4))

            with self.rogues(behave):
                for _ in range(3):
                    self.assert_raised(self.client.call("plus", 1), "TIMEOUT", "MAYBE")
                self.assertEqual("4", self.answer())

        self.in_rounds(attack)

    def test_replies_to_nobody_without_end(self):
        def behave(peer, message):
            for i in itertools.count(id_of(message) + 1):
                peer.send(*[number(i & 0xFFFFFFFF, 66)] * 20)
                time.sleep(0.0005)  # for the others of this process

        self.assert_ends(behave, ["TIMEOUT"])

    def test_replies_to_nobody_without_a_pause(self):
        self.assert_ends(lambda peer, message: flood(peer), ["TIMEOUT"])

    def test_a_reply_that_comes_steadily_and_takes_too_long(self):
        def behave(peer, message):
            peer.send(number(id_of(message), 1).bytes(LIE))
            while True:
                peer.send(bytes(10_000))
                time.sleep(0.001)

        self.assert_ends(behave, ["TIMEOUT", "COMM_FAILURE"])

    def test_a_server_that_reads_nothing_and_sends_replies_to_nobody_without_end(self):
        def behave(peer, message):
            self.assertEqual(Type.LOCATE_REQUEST, message.type)
            peer.send(giop.locate_reply(2, ORDER, id_of(message), Locate.HERE))
            flood(peer)

        self.assert_ends(behave, ["TIMEOUT"], "octets", VERY_LARGE)

    def test_a_server_that_reads_a_request_little_by_little(self):
        read, ended = [], threading.Event()

        def behave(peer, message):
            self.assertEqual(Type.LOCATE_REQUEST, message.type)
            peer.send(giop.locate_reply(2, ORDER, id_of(message), Locate.HERE))
            try:
                while octets := peer.socket.recv(100_000):
                    read.append(len(octets))
                    time.sleep(0.002)
            finally:
                ended.set()

        self.assert_ends(behave, ["TIMEOUT"], "octets", TOO_LARGE)
        self.assertTrue(ended.wait(PATIENCE))
        self.assertLess(sum(read), TOO_LARGE)

    def test_a_reply_that_drips(self):
        def behave(peer, message):
            said = Reply(id_of(message), results=bytes(1_000_000)).message(2, ORDER).bytes()
            for i in range(len(said)):
                peer.send(said[i : i + 1])
                time.sleep(0.001)

        self.assert_ends(behave, ["TIMEOUT"])

    def test_fragments_without_end(self):
        def behave(peer, message):
            begun = number(id_of(message), 1)
            begun.more = True
            peer.send(begun)
            more = Message(Type.FRAGMENT, 2, ORDER, id_of(message).to_bytes(4, "little") + bytes(1000), more=True)
            while True:
                peer.send(more)
                time.sleep(0.001)

        self.assert_ends(behave, ["TIMEOUT", "COMM_FAILURE", "MARSHAL", "IMP_LIMIT"])

    def test_fragments_of_many_that_nobody_asked_for(self):
        def behave(peer, message):
            for i in itertools.count(id_of(message) + 1):
                begun = number(i & 0xFFFFFFFF, 1)
                begun.more = True
                peer.send(begun)
                time.sleep(0.0005)

        self.assert_ends(behave, ["TIMEOUT", "COMM_FAILURE"])

    def test_replies_that_end_for_nobody(self):
        def attack():
            unanswered, connections = [], set()

            def behave(peer, message):
                connections.add(peer.number)
                if message.type != Type.REQUEST:
                    return
                if len(unanswered) < 2 * MANY:
                    unanswered.append(id_of(message))
                    begun = number(unanswered[-1], 1)
                    begun.more = True
                    peer.send(begun)
                    return
                answer = number(id_of(message), 4)
                begun = Message(Type.REPLY, 2, ORDER, answer.body[:4], more=True)
                end = Message(Type.FRAGMENT, 2, ORDER, answer.body)
                late = [Message(Type.FRAGMENT, 2, ORDER, i.to_bytes(4, "little") + bytes(100), more=True) for i in unanswered]
                peer.send(*late, begun, *late, end)

            with self.rogues(behave):
                for _ in range(2):
                    calls = [self.client.begin("plus", 1) for _ in range(MANY)]
                    for tag in calls:
                        self.assertEqual("TIMEOUT", self.client.result(tag).name)
                self.assertEqual("4", self.answer())
                self.assertEqual(1, len(connections))

        self.in_rounds(attack)

    def test_sizes_that_lie(self):
        def behave(peer, message):
            peer.send(number(id_of(message), 1).bytes(LIE) + bytes(20_000))
            peer.receive()

        self.assert_ends(behave, ["TIMEOUT", "COMM_FAILURE"])

    def test_a_server_that_reads_nothing_and_one_that_says_nothing(self):
        gone = threading.Event()

        def behave(peer, message):
            if message.type == Type.LOCATE_REQUEST:
                peer.send(giop.locate_reply(2, ORDER, id_of(message), Locate.HERE))
            gone.wait(PATIENCE)

        for argument in (("octets", VERY_LARGE), ("plus", 1)):
            def attack(argument=argument):
                gone.clear()
                with self.rogues(behave):
                    try:
                        self.assert_raised(self.client.call(*argument), "TIMEOUT", "MAYBE")
                        self.assert_serves()
                    finally:
                        gone.set()

            self.in_rounds(attack)


class EarlyReplies(HostileServers):
    OPTIONS = "-ORBgiopFragmentSize", "0"

    def test_a_large_reply_that_comes_before_its_request_has_left(self):
        """The client reads it while it writes; then the next reply comes."""
        def reply(request_id, size):
            results = giop.values(ORDER).put("ulong", size).bytes() + bytes(size) + giop.values(ORDER).put("ulong", 0, 0).bytes()
            return Reply(request_id, results=results).message(2, ORDER).bytes()

        def behave(peer, message):
            self.assertEqual(Type.LOCATE_REQUEST, message.type)
            peer.send(giop.locate_reply(2, ORDER, id_of(message), Locate.HERE))
            while begun := peer.socket.recv(HEADER + 4, socket.MSG_WAITALL):
                _, size = Message.from_header(begun[:HEADER])
                peer.send(reply(int.from_bytes(begun[HEADER:], "little"), 100_000 if size > VERY_LARGE else 50_000))
                time.sleep(0.1)
                while size > 4:
                    size -= len(peer.socket.recv(min(size - 4, 1_000_000)))

        with self.rogues(behave):
            for _ in range(3):
                self.assertEqual("100000 0 0", self.client.call("octets", VERY_LARGE))
                self.assertEqual("50000 0 0", self.client.call("octets", 100_000))
        self.assert_serves()


class Lies(HostileServers):
    def test_replies_that_come_twice_and_to_nobody(self):
        def attack():
            def behave(peer, message):
                own = id_of(message)
                strangers = [number(i & 0xFFFFFFFF, 66) for i in (own - 1, own - 2, own - 4096, own ^ 0x80000000)]
                peer.send(*strangers, number(own, 5), *[number(own, 66)] * 300, *strangers)

            with self.rogues(behave):
                for _ in range(20):
                    self.assertEqual("5", self.client.call("plus", 1))

        self.in_rounds(attack)

    def test_messages_that_only_clients_send(self):
        def behave(peer, message):
            peer.send(*[message] * 100, giop.cancel(2, ORDER, id_of(message)), number(id_of(message), 7))

        def attack():
            outcome, _ = self.call(behave)
            self.assertEqual("7", outcome)

        self.in_rounds(attack)

    def test_replies_that_end_at_every_octet(self):
        said = number(1, 1).bytes()
        ends = itertools.cycle(itertools.product(range(len(said)), (False, True)))

        def behave(peer, _):
            end, reset = next(ends)
            peer.send(said[:end])
            peer.reset() if reset else peer.socket.shutdown(socket.SHUT_WR)
            raise EOFError

        self.assert_ends_often(behave, 2 * len(said), ["COMM_FAILURE", "TRANSIENT", "MARSHAL"])

    def test_garbage(self):
        rng = random.Random(20261121)

        def behave(peer, message):
            if rng.randrange(2):
                peer.send(rng.randbytes(rng.randrange(1, 2000)))
                raise EOFError
            said = bytearray(number(id_of(message), 1).bytes())
            said[rng.randrange(len(said))] = rng.randrange(256)
            peer.send(bytes(said))
            raise EOFError

        self.assert_ends_often(behave, 60, ["COMM_FAILURE", "TRANSIENT", "MARSHAL", "UNKNOWN", "OBJECT_NOT_EXIST"], answered=True)


class Circles(HostileServers):
    def test_forwards_in_a_circle(self):
        def attack():
            for status, count in itertools.product((Status.FORWARD, Status.FORWARD_PERM), (1, 2, 3)):
                places = []

                def behave_at(index, status=status, count=count, places=places):
                    def behave(peer, message):
                        target = places[(index + 1) % count].reference(KEY, ORDER)
                        peer.send(Reply(id_of(message), status, target.encode(giop.values(ORDER)).bytes()).message(2, ORDER))
                    return behave

                with self.rogues(*[behave_at(index) for index in range(count)]) as rogues:
                    places.extend(rogues)
                    self.assert_raised(self.client.call("plus", 1), "TRANSIENT", "NO")
                    self.assertLess(sum(len(place.received) for place in places), 40)

        self.in_rounds(attack)

    def test_forwards_to_ever_new_keys(self):
        def attack():
            for status in (Status.FORWARD, Status.FORWARD_PERM):
                keys, places = itertools.count(), []

                def behave(peer, message, status=status, keys=keys, places=places):
                    target = places[0].reference(b"key %d" % next(keys), ORDER)
                    peer.send(Reply(id_of(message), status, target.encode(giop.values(ORDER)).bytes()).message(2, ORDER))

                with self.rogues(behave) as rogues:
                    places.extend(rogues)
                    self.assert_raised(self.client.call("plus", 1), "TRANSIENT", "NO")
                    self.assertLess(len(places[0].received), 40)

        self.in_rounds(attack)

    def test_addressing_modes_in_a_circle(self):
        def attack():
            for wanted in ([Addressing.KEY, Addressing.PROFILE, Addressing.REFERENCE], [Addressing.PROFILE, Addressing.KEY],
                           [Addressing.REFERENCE], [Addressing.PROFILE], [7]):
                modes = itertools.cycle(wanted)

                def behave(peer, message, modes=modes):
                    body = giop.values(ORDER).put("short", next(modes)).bytes()
                    peer.send(Reply(id_of(message), Status.NEEDS_ADDRESSING_MODE, body).message(2, ORDER))

                outcome, messages = self.call(behave)
                self.assertIsInstance(outcome, Raised)
                self.assertIn(outcome.name, ["TRANSIENT", "MARSHAL", "INTERNAL", "COMM_FAILURE"])
                self.assertLess(messages, 40)

        self.in_rounds(attack)

    def test_locate_replies_in_a_circle(self):
        def forward(peer, message):
            if message.type == Type.LOCATE_REQUEST:
                target = places[-1].reference(KEY, ORDER)
                peer.send(giop.locate_reply(2, ORDER, id_of(message), Locate.FORWARD, target.encode))

        def ask(peer, message):
            if message.type == Type.LOCATE_REQUEST:
                peer.send(giop.locate_reply(2, ORDER, id_of(message), Locate.NEEDS_ADDRESSING_MODE,
                                            lambda w: w.put("short", next(modes))))

        modes, places = itertools.cycle((0, 1, 2)), []
        for behave in (forward, ask):
            def attack(behave=behave):
                with self.rogues(behave) as rogues:
                    places.extend(rogues)
                    self.assertIsInstance(self.client.call("octets", LARGE), Raised)
                    self.assertLess(len(rogues[0].received), 60)

            self.in_rounds(attack)

    def test_goodbyes_in_a_circle(self):
        def behave(peer, _):
            peer.send(giop.close(2, ORDER))
            raise EOFError

        self.assert_ends(behave, ["TRANSIENT"], most=20)


if __name__ == "__main__":
    unittest.main()
