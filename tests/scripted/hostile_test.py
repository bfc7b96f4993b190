"""Clients that want to harm by what they say and when they say it, over every transport and in every server model."""

import contextlib
import itertools
import random
import resource
import socket
import time
import unittest

from tests.scripted.hostile import FAR, FEW, LIE, MEASURED, HostileTest, limits, octets, one_by_one
from tests.scripted.programs import TRANSPORT
from tests.scripted.server import PATIENCE
from tests.support import cdr
from tests.support.giop import HEADER, Message, Request, Type, fragmented


class Ends(HostileTest):
    def conversation(self):
        return self.ping().bytes() + b"".join(m.bytes() for m in fragmented(self.large(2, 60), 80))

    def test_resets_at_every_octet(self):
        said = self.conversation()
        for end in range(len(said) + 1):
            with self.attack() as peer:
                peer.send(said[:end])
                peer.reset()

    def test_ends_of_output_at_every_octet(self):
        said = self.conversation()
        for end in range(0, len(said) + 1, 3):
            with self.attack() as peer:
                peer.send(said[:end])
                peer.socket.shutdown(socket.SHUT_WR)
                while peer.socket.recv(65536):
                    pass

    def test_resets_while_a_reply_is_written(self):
        for _ in range(5):
            with self.attack() as peer:
                peer.send(self.large(1, 3_000_000))
                peer.socket.recv(1000)
                peer.reset()

    def test_clients_that_leave_without_reading(self):
        for _ in range(FEW):
            with self.attack() as peer:
                peer.send(*[self.ping(i) for i in range(20)])


class SlowOnes(HostileTest):
    OPTIONS = limits(500)

    def dripping(self):
        """What ends too late, by name: a connection on which it has begun, and the rest of it in little pieces."""
        begun = fragmented(self.large(1, 1000), 500)[0].bytes()
        more = Message(Type.FRAGMENT, 2, cdr.LITTLE, (1).to_bytes(4, "little") + b"x", more=True).bytes()
        first, second, *_ = fragmented(self.large(1, 2_000_000), 1_000_000)
        said = self.large(1, 2_000_000).bytes()
        drips = {"a header": (b"", one_by_one(said[: HEADER - 1])), "a body": (said[:1000], one_by_one(said[1000:])),
                 "fragments": (begun, itertools.repeat(more)), "a fragment": (first.bytes(), one_by_one(second.bytes()))}
        for name, (begin, pieces) in drips.items():
            peer = self.enterContext(self.server.connect())
            peer.send(begin)
            yield name, (peer, pieces)

    def test_what_drips_is_cut_off(self):
        for pause in (0.1, 0):  # in the first the server's threads turn to others, with the other they always find a little
            drips = dict(self.dripping())
            if not pause:
                del drips["a header"]  # which is over at once
            self.assert_cut_off(drips, pause)
            self.doCleanups()

    def test_others_are_served_beside_many_that_drip(self):
        said = self.large(1, 2_000_000).bytes()
        dripping = {self.enterContext(self.server.connect()) for _ in range(40)}
        begin, at = time.monotonic(), 0
        while dripping:
            for peer in list(dripping):
                try:
                    peer.send(said[at : at + 1])
                except OSError:
                    dripping.remove(peer)
            at += 1
            if at % 50 == 0:
                self.call("ping")
            self.assertLess(time.monotonic() - begin, PATIENCE, "nobody minds")
        self.doCleanups()


class SteadyOnes(HostileTest, attacks=False):
    """Large messages may take longer than the time that each of their parts has."""

    OPTIONS = limits(5000)
    PIECE, PAUSE = 400_000, 0.6

    def test_a_request_that_arrives_slowly_is_taken(self):
        said = self.large(1, 4_000_000)
        for parts in ([said.bytes()[at : at + self.PIECE] for at in range(0, 4_000_000 + self.PIECE, self.PIECE)],
                      [m.bytes() for m in fragmented(said, self.PIECE)]):
            with self.server.connect() as peer:
                for part in parts:
                    peer.send(part)
                    time.sleep(self.PAUSE)
                self.assertEqual(1, peer.reply().request_id)

    def test_a_reply_that_is_read_slowly_leaves_whole(self):
        with self.server.connect() as peer:
            with contextlib.suppress(AttributeError):
                peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
            peer.send(self.large(1, 4_000_000))
            read = 0
            while read < 4_000_000:
                octets = peer.socket.recv(self.PIECE)
                self.assertTrue(octets, f"the reply ended after {read} octets")
                read += len(octets)
                time.sleep(self.PAUSE * len(octets) / self.PIECE)


class SilentReaders(HostileTest):
    OPTIONS = (*limits(FAR), "-ORBwriteTimeout", "500")

    def test_a_client_that_does_not_read_a_large_reply_loses_its_connection(self):
        with self.server.connect() as peer:
            peer.send(self.large(1, 12_000_000))
            self.settle(self.descriptors)
            self.assertEqual(self.descriptors, self.server.descriptors(), "nobody minds")

    def test_a_client_that_does_not_read_loses_its_connection(self):
        with self.server.connect() as peer:
            with self.assertRaises(OSError) as ended:
                for i in range(1000):
                    peer.send(self.large(i, 100_000))
            self.assertNotIsInstance(ended.exception, TimeoutError)


class Floods(HostileTest):
    def test_requests_that_are_cancelled_at_once(self):
        with self.attack() as peer:
            for first in range(1, 3000, 100):
                peer.send(*[m for i in range(first, first + 100)
                            for m in (self.ping(i), Message(Type.CANCEL, 2, cdr.LITTLE, i.to_bytes(4, "little")))])
                peer.socket.settimeout(0.01)
                with contextlib.suppress(TimeoutError):
                    peer.socket.recv(1 << 20)
                peer.socket.settimeout(PATIENCE)

    def test_cancels_of_nothing(self):
        with self.server.connect() as peer:
            for first in range(0, 200 * FEW, 1000):
                peer.send(*[Message(Type.CANCEL, 2, cdr.LITTLE, i.to_bytes(4, "little"))
                            for i in range(first, first + 1000)])
            peer.send(self.ping(7))
            self.assertEqual(7, peer.reply().request_id)

    def test_cancels_of_others_beside_a_large_request_of_1_1_whose_id_has_not_come(self):
        with self.server.connect() as peer:
            count = 500_000
            body = count.to_bytes(4, "little") + (b"c\0\0\0" + bytes(4)) * (count - 1)
            peer.send(Message(Type.REQUEST, 1, cdr.LITTLE, body, more=True))
            peer.send(*[Message(Type.CANCEL, 1, cdr.LITTLE, (12345).to_bytes(4, "little"))] * 10_000)
            self.assert_serves()

    def test_requests_begun_in_fragments_and_never_ended(self):
        for _ in range(20):
            with self.attack() as peer:
                for i in range(1, 500):
                    peer.send(fragmented(self.large(i, 5000), 1000)[0])

    def test_requests_begun_in_fragments_and_cancelled(self):
        with self.server.connect() as peer:
            for i in range(1, 2000):
                peer.send(fragmented(self.large(i, 5000), 1000)[0],
                          Message(Type.CANCEL, 2, cdr.LITTLE, i.to_bytes(4, "little")))
            peer.send(self.ping(9))
            self.assertEqual(9, peer.reply().request_id)

    def test_connections_made_and_dropped(self):
        for _ in range(5 * FEW):
            self.server.connect().close()

    @unittest.skipIf(TRANSPORT == "ssl", "who is turned away has not even a handshake")
    def test_more_than_there_are_descriptors_for_are_turned_away(self):
        resource.prlimit(self.server.pid, resource.RLIMIT_NOFILE, (96, 96))
        with contextlib.ExitStack() as all:
            try:
                for _ in range(96 - 96 // 4):
                    last = all.enter_context(self.server.connect())
            except BrokenPipeError:  # by shared memory: before it could say hello
                self.assertEqual("shm", TRANSPORT)
                return
            self.assertEqual(Type.CLOSE, last.receive().type)

    def test_many_sizes_that_lie(self):
        held = []
        with contextlib.suppress(OSError):
            for _ in range(FEW):
                held.append(self.server.connect())
                held[-1].send(b"GIOP\1\2\1\0" + LIE.to_bytes(4, "little") + bytes(20_000))
        if MEASURED:
            self.assertLess(self.server.status("VmRSS"), 64 * 1024)
        for peer in held:
            peer.close()


class Streams(HostileTest):
    """Replies so large that they leave while they are marshaled, by fragments that are small."""

    OPTIONS = limits(FAR) + ("-ORBgiopFragmentSize", "1024")
    LARGE = 300_000
    SEED = 20261121

    def cancel(self, request_id):
        return Message(Type.CANCEL, 2, cdr.LITTLE, request_id.to_bytes(4, "little"))

    def assert_answers(self, peer, request_id):
        """Passes over what is left of others until this reply comes."""
        peer.send(self.ping(request_id))
        while True:
            message = peer.receive()
            self.assertIsNotNone(message, "the server has ended the connection")
            self.assertIn(message.type, (Type.REPLY, Type.FRAGMENT))
            if message.type == Type.REPLY and message.body[:4] == request_id.to_bytes(4, "little"):
                return

    def test_others_are_served_while_replies_are_not_read(self):
        with contextlib.ExitStack() as stack:
            silent = [stack.enter_context(self.server.connect()) for _ in range(4)]
            for peer in silent:
                peer.send(self.large(1, 12_000_000))
                self.assertTrue(peer.receive().more)
            with self.server.connect() as other:
                self.assert_answers(other, 99)
            for peer in silent:  # nothing of these is lost
                while peer.receive().more:
                    pass
                self.assert_answers(peer, 99)

    def test_replies_cancelled_while_they_leave(self):
        with self.server.connect() as peer:
            for i in range(1, 12):  # fewer than the pool has upcalls: those that write would let nobody read
                peer.send(self.large(i, self.LARGE))
                self.assertTrue(peer.receive().more)
                peer.send(self.cancel(i))
            self.assert_answers(peer, 99)

    def test_replies_that_nobody_waits_for_beside_those_that_are_read(self):
        for _ in range(5):
            with self.server.connect() as peer:
                peer.send(*[self.large(i, 40_000) for i in range(4)], *[self.cancel(i) for i in range(3)])
                self.assert_answers(peer, 99)

    def test_resets_at_any_fragment_of_a_reply(self):
        for count in range(0, self.LARGE // 1024, 500 // FEW):
            with self.attack() as peer:
                peer.send(self.large(1, self.LARGE))
                for _ in range(count):
                    peer.receive()
                peer.reset()

    def test_conversations_that_change_at_random(self):
        rng = random.Random(self.SEED)
        for _ in range(FEW):
            with self.attack() as peer:
                peer.socket.settimeout(0.2)  # that it does not read on is an end like others
                for i in range(1, rng.randrange(2, 12)):
                    message = self.large(i, rng.choice((100, 20_000, self.LARGE)))
                    cuts = sorted(rng.randrange(3, len(message.body) // 8) * 8 for _ in range(rng.randrange(6)))
                    parts = fragmented(message, *cuts) if cuts else [message]
                    for part in parts:
                        peer.send(part)
                        if rng.randrange(8) == 0:
                            peer.send(self.cancel(rng.choice((i, max(i - 1, 1)))))
                        if rng.randrange(20) == 0:
                            break
                    for _ in range(rng.randrange(4)):
                        peer.socket.settimeout(0.02)
                        with contextlib.suppress(TimeoutError):
                            peer.socket.recv(rng.randrange(1, 100_000))
                    peer.socket.settimeout(0.2)


class Lies(HostileTest):
    """Each number of a good message is something else."""

    def told(self, octets):
        with self.attack() as peer:
            peer.send(octets)
            peer.socket.shutdown(socket.SHUT_WR)
            while peer.socket.recv(65536):
                pass

    def test_sizes_that_are_huge_or_negative(self):
        for order in cdr.ORDERS:
            byte_order = "little" if order == cdr.LITTLE else "big"
            for minor in (0, 2):
                request = Request(1, "give_chars", self.server.key, contexts=[(9, b"12345678")], arguments=octets(40))
                said = request.message(minor, order).bytes()
                for at in range(8, len(said) - 3, 4):
                    for size in (0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 0x10000000):
                        self.told(said[:at] + size.to_bytes(4, byte_order) + said[at + 4 :])

    def test_versions_flags_and_types_that_there_are_not(self):
        message = self.ping()
        message.body += bytes(256 - len(message.body))  # in the other byte order the size stays small
        said = message.bytes()
        for at in (4, 5, 6, 7):
            for value in {*range(10), 15, 16, 31, 32, 63, 64, 127, 128, 129, 254, 255}:
                self.told(said[:at] + bytes([value]) + said[at + 1 :] + said)
                self.told(said[:6] + b"\2" + said[7:at] + bytes([value]) + said[max(at, 7) + 1 :])

    def test_fragments_whose_ids_are_interleaved(self):
        with self.server.connect() as peer:
            parts = [fragmented(self.large(i, 3000), *range(500, 3000, 500)) for i in range(1, 61)]
            for at in range(len(parts[0])):
                for message in parts if at % 2 else parts[::-1]:
                    peer.send(message[at])
            self.assertEqual(set(range(1, 61)), {peer.reply().request_id for _ in parts})
        with self.attack() as peer:  # the same ids, begun again and again
            for _ in range(200):
                for message in parts:
                    peer.send(message[0])
        with self.attack() as peer:  # of another order, of another version, of nobody
            for first, second, *_ in parts:
                peer.send(first, Message(Type.FRAGMENT, 2, cdr.BIG, second.body), Message(Type.FRAGMENT, 1, cdr.LITTLE, b"x"),
                          Message(Type.FRAGMENT, 2, cdr.LITTLE, b"\xff\xff\xff\xff"))


class Garbage(HostileTest):
    SEED = 20261121

    def test_random_octets(self):
        rng = random.Random(self.SEED)
        for _ in range(FEW):
            with self.attack() as peer:
                peer.send(rng.randbytes(rng.randrange(1, 3000)))
                peer.socket.shutdown(socket.SHUT_WR)
                while peer.socket.recv(65536):
                    pass

    def test_random_octets_behind_a_good_header(self):
        rng = random.Random(self.SEED)
        for _ in range(FEW):
            with self.attack() as peer:
                body = rng.randbytes(256 if rng.randrange(10) else rng.randrange(300))  # small in the other byte order, too
                peer.send(b"GIOP\1" + bytes([rng.randrange(3), rng.randrange(4), rng.randrange(8)]) +
                          len(body).to_bytes(4, "little") + body)
                peer.socket.shutdown(socket.SHUT_WR)
                while peer.socket.recv(65536):
                    pass

    def test_conversations_with_single_octets_changed(self):
        rng = random.Random(self.SEED)
        said = self.large(1, 200).bytes() + self.ping(2).bytes()
        for _ in range(2 * FEW):
            changed = bytearray(said)
            changed[rng.randrange(len(changed))] = rng.randrange(256)
            with self.attack() as peer:
                peer.send(bytes(changed))
                peer.socket.shutdown(socket.SHUT_WR)
                while peer.socket.recv(65536):
                    pass


if __name__ == "__main__":
    unittest.main()
