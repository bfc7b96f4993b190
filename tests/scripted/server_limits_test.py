"""Clients that stay silent, lie about sizes or never end: they cost a socket, not threads or memory."""

import contextlib
import time
import unittest

from tests.scripted import contract
from tests.scripted.programs import TRANSPORT, in_every_variant
from tests.scripted.server import ServerTest
from tests.support import cdr, giop
from tests.support.giop import HEADER, Message, Request, Type, fragmented

SILENT = 200
LITTLE_MEMORY = 4096  # kB: what servers may grow by while nothing but lies arrives


class LimitsTest(ServerTest):
    def setUp(self):
        super().setUp()
        self.call("ping")
        self.threads, self.memory = self.server.status("Threads"), self.server.status("VmRSS")

    def assert_little_spent(self, memory=LITTLE_MEMORY):
        until = time.monotonic() + 10  # a thread stays a moment with a connection that has fallen silent
        while self.server.status("Threads") > self.threads + 1 and time.monotonic() < until:
            time.sleep(0.01)
        self.assertLessEqual(self.server.status("Threads"), self.threads + 1)
        self.assertLess(self.server.status("VmRSS") - self.memory, memory)

    def octets(self, request_id, size):
        return Request(request_id, "give_chars", self.server.key, arguments=contract.writing(
            [contract.Sequence("octet")], [bytes(size)]))


class SilentClients(LimitsTest):
    def assert_costs_no_thread(self, *said):
        peers = [self.enterContext(self.server.connect()) for _ in range(SILENT)]
        for peer in peers:
            peer.send(*said)
            self.assertLess(self.server.status("Threads"), SILENT // 2)
        for _ in range(20):
            self.assert_serves()
        self.assert_little_spent(16384)
        return peers

    def test_clients_that_say_nothing(self):
        self.assert_costs_no_thread()

    def test_clients_that_stop_within_a_header(self):
        self.assert_costs_no_thread(b"GIOP\1\2")

    @in_every_variant(versions=[1, 2])
    def test_clients_that_stop_within_a_message(self, *variant):
        whole = self.octets(7, 3000).message(*variant)
        self.assert_costs_no_thread(whole.bytes()[:2000])

    @in_every_variant(versions=[1, 2])
    def test_clients_that_stop_between_fragments(self, *variant):
        self.assert_costs_no_thread(fragmented(self.octets(7, 3000).message(*variant), 1000)[0])

    @in_every_variant
    def test_clients_that_fall_silent_after_a_call(self, *variant):
        peers = self.assert_costs_no_thread(Request(7, "ping", self.server.key).message(*variant))
        for peer in peers:
            self.assertEqual(7, peer.reply().request_id)


class LyingClients(LimitsTest):
    @in_every_variant
    def test_sizes_beyond_the_limit_are_refused_at_once(self, *variant):
        whole = self.octets(7, 100).message(*variant)
        for size in [0xFFFFFFFF, 0x80000000, 0x7FFFFFFF]:
            for _ in range(20):
                self.assert_refused(whole.bytes(size))
        self.assert_serves()
        self.assert_little_spent()

    @in_every_variant
    def test_memory_is_spent_on_what_came_not_on_what_was_promised(self, *variant):
        whole = self.octets(7, 100).message(*variant)
        peers = [self.enterContext(self.server.connect()) for _ in range(50)]
        for peer in peers:
            peer.send(whole.bytes(0x40000000))
        self.assert_serves()
        self.assert_little_spent(8192)

    @in_every_variant
    def test_promised_octets_that_never_come_end_with_the_connection(self, *variant):
        whole = self.octets(7, 100).message(*variant)
        for end in ["close", "reset"]:
            for size in [len(whole.body) + 1, 100000, 0x40000000]:
                with self.server.connect() as peer:
                    peer.send(whole.bytes(size))
                    getattr(peer, end)()
        self.assert_serves()
        self.assert_little_spent()

    @in_every_variant
    def test_large_messages_leave_no_memory_behind(self, *variant):
        self.variant = variant
        for _ in range(3):
            self.peer.send(self.octets(8, 20000000).message(*variant))
            self.assertEqual(8, self.peer.reply().request_id)
        self.reconnect()
        self.assert_serves()
        self.assertLess(self.server.status("VmRSS") - self.memory, 100000)


class SmallServer(LimitsTest):
    OPTIONS = "-ORBgiopMaxMsgSize", "65536", "-ORBmessageTimeout", "500", "-ORBmaxServerConnections", "30"

    @in_every_variant
    def test_the_largest_message_is_an_option(self, *variant):
        self.variant = variant
        head = HEADER + len(self.octets(8, 0).message(*variant).body)
        largest = self.octets(8, 65536 - head).message(*variant)
        self.assertEqual(65536, len(largest.bytes()))
        self.peer.send(largest)
        self.assertEqual(8, self.peer.reply().request_id)
        self.assert_refused(self.octets(8, 65536 - head + 1).message(*variant).bytes()[:HEADER])
        self.assert_serves()

    @in_every_variant(versions=[1, 2])
    def test_a_message_that_does_not_come_to_its_end_is_given_up(self, *variant):
        self.variant = variant
        whole = self.octets(8, 3000).message(*variant)
        with self.server.connect() as within, self.server.connect() as idle:
            within.send(whole.bytes()[:1000])
            begun = time.monotonic()
            while (message := within.receive()) is not None:
                self.assertEqual(Type.ERROR, message.type)
            self.assertGreater(time.monotonic() - begun, 0.3)
            idle.send(Request(1, "ping", self.server.key).message(*variant))
            self.assertEqual(1, idle.reply().request_id)
        self.assert_serves()

    def test_others_that_overtake_it_do_not_prolong_the_time_of_a_message_in_fragments(self):
        self.variant = 2, cdr.LITTLE
        first = fragmented(self.octets(10_000, 3000).message(*self.variant), 1000)[0]
        self.peer.send(first)
        begun = time.monotonic()
        with self.assertRaises((OSError, EOFError, AssertionError)):
            while time.monotonic() < begun + 20:
                self.call("ping")
                time.sleep(0.1)
        self.assertGreater(time.monotonic() - begun, 0.3)
        self.reconnect()
        self.assert_serves()

    def test_connections_beyond_the_limit_are_told_so_and_the_others_served(self):
        peers, answers = [], []
        for _ in range(60):
            with contextlib.suppress(OSError):  # over TLS, told by an end in place of the handshake
                peers.append(self.enterContext(self.server.connect()))
        for peer in peers:
            with contextlib.suppress(OSError):  # told before it sent anything
                peer.send(Request(1, "ping", self.server.key).message(2, cdr.BIG))
            with contextlib.suppress(OSError):  # by TCP, which forgets what was said before that
                message = peer.receive()
                # Over shared memory nobody can be told whose memory had not come yet.
                if message is not None or TRANSPORT != "shm":
                    answers.append(message.type)
        self.assertEqual(29, answers.count(Type.REPLY))
        self.assertEqual({Type.REPLY} if TRANSPORT == "ssl" else {Type.REPLY, Type.CLOSE}, set(answers))
        self.doCleanups()
        for _ in range(100):
            try:
                return self.assert_serves()
            except (OSError, AssertionError):
                time.sleep(0.05)
                self.reconnect()
        self.fail("nobody is served after the others have left")


class DeafClients(LimitsTest):
    OPTIONS = "-ORBwriteTimeout", "1000"

    def test_a_client_that_does_not_read_its_replies_does_not_stop_others(self):
        deaf = self.enterContext(self.server.connect())
        request = self.octets(9, 1000000).message(2, cdr.LITTLE).bytes()
        deaf.socket.settimeout(3)
        sent = 0
        try:
            for _ in range(200):
                deaf.socket.sendall(request)
                sent += 1
                if sent % 5 == 0:
                    self.assert_serves()
        except OSError:
            pass
        self.assertLess(sent, 200, "the server takes requests without end, though its replies are not read")
        self.assert_serves()
        self.assertLess(self.server.status("VmRSS") - self.memory, 100000)


if __name__ == "__main__":
    unittest.main()
