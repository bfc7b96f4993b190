"""Requests that come in fragments: any cut, any mixture, cancelled in between, and never more memory than allowed."""

import contextlib
import time
import unittest

from tests.scripted import contract
from tests.scripted.hostile import MEASURED, HostileTest
from tests.scripted.programs import in_every_variant
from tests.scripted.server import PATIENCE
from tests.support import cdr, giop, ior
from tests.support.giop import HEADER, Addressing, Locate, LocateRequest, Message, Request, Status, Type, fragmented

FRAGMENTED = [1, 2]
LONGS = contract.Sequence("long")


def cut_every(message, size):
    return fragmented(message, *range(HEADER + size, HEADER + len(message.body), size))


class LongsTest(HostileTest):
    def longs(self, request_id, count):
        arguments = contract.writing([LONGS] * 2, [list(range(count)), [count]])
        return Request(request_id, "give_longs", self.server.key, arguments=arguments).message(*self.variant)

    def assert_longs(self, request_id, count, reply=None):
        reply = reply or self.peer.reply()
        self.assertEqual((request_id, Status.NO_EXCEPTION), (reply.request_id, reply.status))
        numbers = list(range(count))
        self.assertEqual([numbers, numbers, [count]], [reply.reader.sequence("long") for _ in range(3)])


class FragmentedRequests(LongsTest):
    def text(self, request_id):
        arguments = contract.writing(["string"] * 2, ["one", "\xfcber"])
        return Request(request_id, "text", self.server.key, arguments=arguments, contexts=[(1234, b"abc")])

    @in_every_variant(versions=FRAGMENTED)
    def test_a_request_may_be_cut_anywhere(self, *variant):
        self.variant = variant
        whole = self.text(0).message(*variant)
        for cut in range(HEADER + (4 if variant[0] == 2 else 0), HEADER + len(whole.body) + 1):
            if not giop.may_cut(variant[0], cut):
                continue
            self.peer.send(*fragmented(self.text(cut).message(*variant), cut))
            reply = self.peer.reply()
            self.assertEqual((cut, Status.NO_EXCEPTION), (reply.request_id, reply.status))
            self.assertEqual(["one", "one", "\xfcber"], [reply.reader.string() for _ in range(3)], f"cut at {cut}")

    @in_every_variant(versions=FRAGMENTED)
    def test_a_request_may_come_in_many_small_fragments(self, *variant):
        self.variant = variant
        for size in [4, 5, 7, 8, 24] if variant[0] == 2 else [8, 24]:
            self.peer.send(*cut_every(self.longs(size, 100), size))
            self.assert_longs(size, 100)

    @in_every_variant(versions=FRAGMENTED)
    def test_fragments_may_be_empty(self, *variant):
        self.variant = variant
        whole = self.longs(9, 50)
        end = HEADER + len(whole.body)
        self.peer.send(*fragmented(whole, 44, 44, 44, end, end, end))
        self.assert_longs(9, 50)

    @in_every_variant(versions=FRAGMENTED)
    def test_fragments_may_come_octet_by_octet(self, *variant):
        self.variant = variant
        for part in cut_every(self.longs(9, 5), 16):
            for octet in part.bytes():
                self.peer.send(bytes([octet]))
        self.assert_longs(9, 5)

    @in_every_variant(versions=FRAGMENTED)
    def test_a_large_request_is_put_together(self, *variant):
        self.variant = variant
        self.peer.send(*cut_every(self.longs(9, 100000), 8192 - 16))
        self.assert_longs(9, 100000)

    @in_every_variant(versions=FRAGMENTED)
    def test_fragmented_requests_may_follow_each_other_at_once(self, *variant):
        self.variant = variant
        self.peer.send(*[part for n in range(20) for part in cut_every(self.longs(n, n + 8), 32)])
        replies = {r.request_id: r for r in [self.peer.reply() for _ in range(20)]}
        for n in range(20):
            self.assert_longs(n, n + 8, replies[n])

    @in_every_variant(versions=[2])
    def test_fragments_of_several_requests_may_be_mixed(self, *variant):
        self.variant = variant
        first, second = cut_every(self.longs(1, 30), 12), cut_every(self.longs(2, 50), 12)
        mixed = [part for pair in zip(first, second) for part in pair]
        self.peer.send(*mixed[:5])
        self.assertEqual(Status.NO_EXCEPTION, self.call("ping").status)
        self.peer.send(LocateRequest(77, self.server.key).message(*variant))
        self.assertEqual(Type.LOCATE_REPLY, self.peer.receive().type)
        self.peer.send(*mixed[5:])
        self.assert_longs(1, 30)
        self.peer.send(*second[len(first):])
        self.assert_longs(2, 50)

    @in_every_variant(versions=[2])
    def test_fragments_of_two_byte_orders_do_not_meet(self, *variant):
        self.variant = variant
        other = 2, cdr.BIG if variant[1] == cdr.LITTLE else cdr.LITTLE
        first = cut_every(self.longs(1, 30), 12)
        self.variant = other
        second = cut_every(self.longs(2, 30), 12)
        self.peer.send(*[part for pair in zip(first, second) for part in pair])
        replies = sorted((self.peer.reply() for _ in range(2)), key=lambda reply: reply.request_id)  # of two threads
        self.assert_longs(1, 30, replies[0])
        self.assert_longs(2, 30, replies[1])

    @in_every_variant(versions=FRAGMENTED)
    def test_what_is_cancelled_between_its_fragments_is_forgotten(self, *variant):
        self.variant = variant
        minor, order = variant
        add = lambda n: Request(500, "note", self.server.key, 0, contexts=[(5, bytes(40))],
                                arguments=contract.writing(["long"], [n])).message(*variant)
        before = self.results("noted", [], [], ["long"])[0]
        cancelled = cut_every(add(1000), 64)
        # Of 1.1 whatever follows belongs to the cancelled request until its last fragment has come.
        self.peer.send(cancelled[0], giop.cancel(minor, order, 500), *cancelled[1:])
        self.peer.send(*cut_every(add(7), 64))
        self.assert_noted(before + 7)

    @in_every_variant(versions=FRAGMENTED)
    def test_a_fragment_without_a_beginning_is_ignored(self, *variant):
        self.variant = variant
        stray = giop.writer(variant[1]).put("ulong", 55).raw(b"12345678").bytes()
        self.peer.send(Message(Type.FRAGMENT, *variant, stray, more=True), Message(Type.FRAGMENT, *variant, stray))
        self.assert_serves()

    @in_every_variant(versions=[2])
    def test_a_target_may_be_cut_too(self, *variant):
        self.variant = variant
        profile = 0, ior.Profile("elsewhere", 1, self.server.key).encode(variant[1])
        for fields in [dict(addressing=Addressing.PROFILE, profile=profile),
                       dict(addressing=Addressing.REFERENCE, reference=(0, ior.Ior("IDL:X:1.0", [profile])))]:
            whole = Request(5, "ping", b"", **fields).message(*variant)
            for size in [4, 9, 50]:
                self.peer.send(*cut_every(whole, size))
                self.assertEqual(Status.NO_EXCEPTION, self.peer.reply().status)

    @in_every_variant(versions=[2])
    def test_locate_requests_come_in_fragments_too(self, *variant):
        self.variant = variant
        for size in [4, 6, 10]:
            self.peer.send(*cut_every(LocateRequest(5, self.server.key).message(*variant), size))
            r = self.peer.receive().reader()
            self.assertEqual((5, Locate.HERE), (r.get("ulong"), r.get("ulong")))

    @in_every_variant(versions=FRAGMENTED)
    def test_other_messages_have_no_fragments(self, *variant):
        messages = [giop.cancel(*variant, 1), giop.close(*variant), giop.error(*variant)]
        if variant[0] == 1:
            messages.append(LocateRequest(1, self.server.key).message(*variant))
        for message in messages:
            message.more = True
            self.assert_refused(message)
        self.assert_serves()

    @in_every_variant(versions=[2])
    def test_fragments_too_short_for_a_request_id_are_refused(self, *variant):
        for size in range(4):
            self.assertIsNotNone(self.assert_refused(Message(Type.FRAGMENT, *variant, bytes(size))))
            self.assertIsNotNone(self.assert_refused(Message(Type.REQUEST, *variant, bytes(size), more=True)))
        self.assert_serves()

    @in_every_variant(versions=FRAGMENTED)
    def test_a_second_beginning_is_refused(self, *variant):
        self.variant = variant
        first, second = cut_every(self.longs(1, 30), 40)[0], cut_every(self.longs(1, 20), 40)[0]
        self.assertIsNotNone(self.assert_refused(first, second))
        self.assert_serves()

    @in_every_variant(versions=FRAGMENTED)
    def test_a_fragment_in_another_byte_order_is_refused(self, *variant):
        self.variant = variant
        minor, order = variant
        other = cdr.BIG if order == cdr.LITTLE else cdr.LITTLE
        fragment = Message(Type.FRAGMENT, minor, other, giop.writer(other).put("ulong", 1).bytes(), True)
        self.assertIsNotNone(self.assert_refused(cut_every(self.longs(1, 30), 40)[0], fragment))
        self.assert_serves()

    @in_every_variant(versions=FRAGMENTED)
    def test_clients_may_leave_between_fragments(self, *variant):
        self.variant = variant
        for end in ["close", "reset"]:
            for count in [1, 2]:
                with self.server.connect() as leaving:
                    leaving.send(*cut_every(self.longs(1, 30), 40)[:count])
                    getattr(leaving, end)()
        self.assert_serves()


class Bounds(LongsTest):
    OPTIONS = "-ORBgiopMaxMsgSize", "100000", "-ORBmaxPendingBytes", "300000"

    def flood(self, messages):
        """Sends until the server ends the connection; gives how many octets that took."""
        sent = 0
        with self.server.connect() as peer:
            try:
                for message in messages:
                    peer.send(message)
                    sent += len(message.bytes())
                peer.receive()
            except ConnectionError:
                pass
            return sent

    def assert_little_since(self, before):
        if MEASURED:
            self.assertLess(self.server.has()[0] - before, 1_000_000)

    @in_every_variant(versions=FRAGMENTED)
    def test_what_a_fragmented_request_may_grow_to_is_bounded(self, *variant):
        self.variant = variant
        before = self.server.has()[0]
        parts = cut_every(self.longs(1, 20000), 8000)
        fragment = parts[1]
        self.flood([parts[0]] + [fragment] * 20000)
        self.assert_little_since(before)
        self.assert_serves()

    @in_every_variant(versions=[2])
    def test_how_many_requests_may_be_begun_is_bounded(self, *variant):
        self.variant = variant

        def begun(count):
            for number in range(1000, 1000 + count):
                yield Message(Type.REQUEST, *variant, giop.writer(variant[1]).put("ulong", number).bytes(), more=True)

        # So few octets that no other bound is met.
        self.peer.send(*begun(10))
        self.assert_serves()
        self.assert_refused(*begun(1000))
        self.assert_serves()
        self.reconnect()

    @in_every_variant
    def test_small_requests_in_two_parts_are_read_beside_those_that_fill_it(self, *variant):
        almost = Message(Type.REQUEST, *variant, bytes(100_000 - HEADER)).bytes()[:-1]
        ping = Request(7, "ping", self.server.key).message(*variant).bytes()
        descriptors = self.server.descriptors()
        with contextlib.ExitStack() as all:
            for _ in range(3):
                all.enter_context(self.server.connect()).send(almost)
            time.sleep(0.05)  # which the server has read by then; if not, this shows less
            peer = all.enter_context(self.server.connect())
            peer.send(ping[:20])
            time.sleep(0.05)
            peer.send(ping[20:])
            self.assertEqual(7, peer.reply().request_id)
        self.settle(descriptors)

    @in_every_variant(versions=FRAGMENTED)
    def test_all_connections_together_are_bounded(self, *variant):
        self.variant = variant
        before = self.server.has()[0]
        self.assert_serves()
        descriptors = self.server.descriptors()
        first = cut_every(self.longs(1, 20000), 60000)[0]
        peers = [self.enterContext(self.server.connect()) for _ in range(20)]
        for peer in peers:
            peer.send(first)
        # At most five of them fit into the bound; the others are ended.
        until = time.monotonic() + PATIENCE
        while sum(not peer.silent(0.02) for peer in peers) < 15:
            self.assertLess(time.monotonic(), until, "more than the bound allows are kept")
        self.assert_little_since(before)
        self.doCleanups()
        self.settle(descriptors)
        self.assert_serves()
        self.peer.send(*cut_every(self.longs(2, 20000), 60000))
        self.assert_longs(2, 20000)


if __name__ == "__main__":
    unittest.main()
