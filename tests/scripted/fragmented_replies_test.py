"""Replies that come in fragments: any cut, any mixture, and never more memory than allowed."""

import unittest

from tests.scripted.hostile import MEASURED
from tests.scripted.programs import ScriptedTest, in_every_variant
from tests.support import cdr, giop, ior
from tests.support.giop import HEADER, Message, Reply, Status, Type, fragmented
from tests.support.peer import Answering, Listener

FRAGMENTED = [1, 2]  # the versions that know fragments


def numbers_reply(minor, order, request_id, count=40):
    results = giop.values(order).sequence("long", range(count)).sequence("long", []).sequence("long", [count])
    return Reply(request_id, results=results.bytes()).message(minor, order)


def expected(count=40):
    return f"[{','.join(map(str, range(count)))}] [] [{count}]"


def cut_every(message, size):
    """Fragments of so many octets, as far as the message goes."""
    return fragmented(message, *range(HEADER + size, HEADER + len(message.body), size))


class FragmentedReplies(ScriptedTest):
    def start(self, minor, order, options=()):
        self.listener = self.enterContext(Listener())
        self.client = self.client_of(self.listener, order, minor, options)
        self.peer = None
        return self.client

    def begin(self, *calls):
        """Begins these calls in threads; gives tags and request ids, in the order of the calls."""
        tags, ids = [], []
        for operation, argument in calls:
            tags.append(self.client.begin(operation, argument))
            if self.peer is None:
                self.peer = self.listener.accept()
            ids.append(self.peer.request().request_id)
        return tags, ids

    @in_every_variant(versions=FRAGMENTED)
    def test_a_reply_may_be_cut_anywhere(self, minor, order):
        client = self.start(minor, order)
        texts = giop.values(order).string("one").string("three").string("\xfc").bytes()
        (tag,), (request_id,) = self.begin(("text", "61"))
        # Of 1.2 the request id stands in the first part, so that the fragments can name it.
        for cut in range(HEADER + (4 if minor == 2 else 0), HEADER + len(
                Reply(request_id, results=texts).message(minor, order).body) + 1):
            if not giop.may_cut(minor, cut):
                continue
            self.peer.send(*fragmented(Reply(request_id, results=texts).message(minor, order), cut))
            self.assertEqual("6f6e65 7468726565 fc", client.result(tag), f"cut at {cut}")
            (tag,), (request_id,) = self.begin(("text", "61"))

    @in_every_variant(versions=[1])
    def test_a_reply_may_be_cut_behind_its_contexts(self, minor, order):
        """There the request id begins a fragment, which counts alignment from its own header."""
        client = self.start(minor, order, ["-ORBclientCallTimeOutPeriod", "20000"])
        for size in range(9):
            (tag,), (request_id,) = self.begin(("plus", 1))
            contexts = giop.writer(order).put("ulong", 1, 77).octets(bytes(size)).bytes()
            rest = giop.writer(order).put("ulong", request_id, Status.NO_EXCEPTION, 2).bytes()
            self.peer.send(Message(Type.REPLY, minor, order, contexts, more=True), Message(Type.FRAGMENT, minor, order, rest))
            self.assertEqual("2", client.result(tag), f"{size} octets of context")

    @in_every_variant(versions=FRAGMENTED)
    def test_a_reply_may_come_in_many_small_fragments(self, minor, order):
        client = self.start(minor, order)
        for size in [4, 5, 7, 8, 24] if minor == 2 else [8, 24]:
            (tag,), (request_id,) = self.begin(("longs", ""))
            self.peer.send(*cut_every(numbers_reply(minor, order, request_id), size))
            self.assertEqual(expected(), client.result(tag), f"{size} octets each")

    @in_every_variant(versions=FRAGMENTED)
    def test_fragments_may_be_empty(self, minor, order):
        client = self.start(minor, order)
        (tag,), (request_id,) = self.begin(("longs", ""))
        whole = numbers_reply(minor, order, request_id)
        end = HEADER + len(whole.body)
        self.peer.send(*fragmented(whole, 44, 44, 44, end, end, end))
        self.assertEqual(expected(), client.result(tag))

    @in_every_variant(versions=FRAGMENTED)
    def test_fragments_may_come_octet_by_octet(self, minor, order):
        client = self.start(minor, order)
        (tag,), (request_id,) = self.begin(("longs", ""))
        for part in cut_every(numbers_reply(minor, order, request_id, 3), 16):
            for octet in part.bytes():
                self.peer.send(bytes([octet]))
        self.assertEqual(expected(3), client.result(tag))

    @in_every_variant(versions=FRAGMENTED)
    def test_a_large_reply_is_put_together(self, minor, order):
        client = self.start(minor, order)
        (tag,), (request_id,) = self.begin(("longs", ""))
        self.peer.send(*cut_every(numbers_reply(minor, order, request_id, 100000), 8192 - 16))
        self.assertEqual(expected(100000), client.result(tag))

    @in_every_variant(versions=FRAGMENTED)
    def test_exceptions_come_in_fragments_too(self, minor, order):
        client = self.start(minor, order)
        (tag,), (request_id,) = self.begin(("refuse", "1"))
        body = giop.values(order).string("IDL:Contract/Refused:1.0").string("full").put("long", -7).bytes()
        self.peer.send(*cut_every(Reply(request_id, Status.USER_EXCEPTION, body).message(minor, order), 16))
        self.assertEqual("Refused 66756c6c -7", client.result(tag))
        (tag,), (request_id,) = self.begin(("ping", ""))
        body = giop.system_exception(order, "NO_RESOURCES", 5, giop.Completion.YES)
        self.peer.send(*cut_every(Reply(request_id, Status.SYSTEM_EXCEPTION, body).message(minor, order), 16))
        self.assert_raised(client.result(tag), "NO_RESOURCES", "YES", 5)

    @in_every_variant(versions=FRAGMENTED)
    def test_forwards_come_in_fragments_too(self, minor, order):
        new = self.enterContext(Answering(lambda r: Reply(r.request_id, results=giop.values(order).put(
            "long", 3).bytes()).message(minor, order)))
        client = self.start(minor, order)
        (tag,), (request_id,) = self.begin(("plus", "1"))
        body = new.reference(b"there", order, minor).encode(giop.values(order)).bytes()
        self.peer.send(*cut_every(Reply(request_id, Status.FORWARD, body).message(minor, order), 8))
        self.assertEqual("3", client.result(tag))

    @in_every_variant(versions=[2])
    def test_fragments_of_two_replies_may_be_mixed(self, minor, order):
        client = self.start(minor, order)
        tags, ids = self.begin(("longs", ""), ("longs", ""), ("count", ""))
        first = cut_every(numbers_reply(minor, order, ids[0], 30), 12)
        second = cut_every(numbers_reply(minor, order, ids[1], 50), 12)
        whole = Reply(ids[2], results=giop.values(order).put("long", 9).bytes()).message(minor, order)
        mixed = [part for pair in zip(first, second) for part in pair]
        self.peer.send(*mixed[:5], whole)
        self.assertEqual("9", client.result(tags[2]))
        self.peer.send(*mixed[5:], *second[len(first):])
        self.assertEqual([expected(30), expected(50)], [client.result(tag) for tag in tags[:2]])

    @in_every_variant(versions=[2])
    def test_fragments_of_an_unknown_request_are_ignored(self, minor, order):
        client = self.start(minor, order)
        (tag,), (request_id,) = self.begin(("longs", ""))
        unknown = cut_every(numbers_reply(minor, order, request_id + 16, 30), 12)
        known = cut_every(numbers_reply(minor, order, request_id), 60)
        self.peer.send(unknown[3], known[0], *unknown, *known[1:-1], unknown[-1], known[-1])
        self.assertEqual(expected(), client.result(tag))

    @in_every_variant(versions=FRAGMENTED)
    def test_a_fragment_without_a_beginning_is_ignored(self, minor, order):
        client = self.start(minor, order)
        (tag,), (request_id,) = self.begin(("longs", ""))
        stray = giop.writer(order).put("ulong", request_id).raw(b"12345678").bytes()
        self.peer.send(Message(Type.FRAGMENT, minor, order, stray, more=True))
        self.peer.send(Message(Type.FRAGMENT, minor, order, stray))
        self.peer.send(numbers_reply(minor, order, request_id))
        self.assertEqual(expected(), client.result(tag))

    def assert_ended_by_client(self, tags, with_error):
        for tag in tags:
            self.assert_raised(self.client.result(tag), "COMM_FAILURE", "MAYBE")
        if with_error:
            self.assertEqual(Type.ERROR, self.peer.receive().type)

    @in_every_variant(versions=FRAGMENTED)
    def test_fragments_of_another_order_or_version_are_an_error(self, minor, order):
        for change in ["order", "minor"]:
            self.start(minor, order)
            tags, ids = self.begin(("longs", ""))
            parts = cut_every(numbers_reply(minor, order, ids[0]), 40)
            other = cdr.BIG if order == cdr.LITTLE else cdr.LITTLE
            changed = Message(Type.FRAGMENT, minor, other, giop.writer(other).put("ulong", ids[0]).bytes(), True)
            if change == "minor":
                changed = Message(Type.FRAGMENT, 3 - minor, order, parts[1].body, True)
            self.peer.send(parts[0], changed)
            if change == "minor" and minor == 1:  # of 1.2, so about another message, of which nothing is known
                self.peer.send(*parts[1:])
                self.assertEqual(expected(), self.client.result(tags[0]))
            elif change == "minor":  # of 1.1, and no message of 1.1 has begun
                self.peer.send(*parts[1:])
                self.assertEqual(expected(), self.client.result(tags[0]))
            else:
                self.assert_ended_by_client(tags, with_error=True)

    @in_every_variant(versions=[0])
    def test_giop_1_0_has_no_fragments(self, minor, order):
        self.start(minor, order)
        tags, ids = self.begin(("longs", ""))
        whole = numbers_reply(minor, order, ids[0])
        whole.more = True
        self.peer.send(whole)
        self.assert_ended_by_client(tags, with_error=True)

    @in_every_variant(versions=FRAGMENTED)
    def test_what_a_fragmented_reply_may_grow_to_is_bounded(self, minor, order):
        self.start(minor, order, ["-ORBgiopMaxMsgSize", "100000"])
        tags, ids = self.begin(("longs", ""), ("longs", ""))
        parts = cut_every(numbers_reply(minor, order, ids[0], 50000), 8000)
        sent = 0
        try:
            for part in parts:
                self.peer.send(part)
                sent += 1
        except OSError:
            self.assertGreater(sent, 11)
        self.assert_ended_by_client(tags, with_error=False)
        if MEASURED:
            self.assertLess(self.client.status("VmRSS"), 100000)

    @in_every_variant(versions=[2])
    def test_how_many_fragmented_replies_may_be_begun_is_bounded(self, minor, order):
        self.start(minor, order)
        tags, ids = self.begin(*[("longs", "")] * 66)
        try:
            for request_id in ids:
                self.peer.send(cut_every(numbers_reply(minor, order, request_id), 40)[0])
        except OSError:
            pass
        self.assert_ended_by_client(tags, with_error=False)

    @in_every_variant(versions=[2])
    def test_replies_that_are_begun_for_nobody_are_passed_over(self, minor, order):
        client = self.start(minor, order)
        (tag,), (known,) = self.begin(("longs", ""))
        first = cut_every(numbers_reply(minor, order, 0), 40)[0]
        for request_id in range(20000):
            first.body = giop.writer(order).put("ulong", request_id | 1 << 30).bytes() + first.body[4:]
            self.peer.send(first)
        self.peer.send(*cut_every(numbers_reply(minor, order, known), 40))
        self.assertEqual(expected(), client.result(tag))
        if MEASURED:
            self.assertLess(client.status("VmRSS"), 100000)

    @in_every_variant(versions=FRAGMENTED)
    def test_an_end_between_fragments_fails_the_call(self, minor, order):
        self.start(minor, order)
        tags, ids = self.begin(("longs", ""), ("count", ""))
        self.peer.send(*cut_every(numbers_reply(minor, order, ids[0]), 20)[:3])
        self.peer.close()
        self.assert_ended_by_client(tags, with_error=False)

    @in_every_variant(versions=FRAGMENTED)
    def test_a_request_whose_reply_has_begun_is_not_sent_again_whatever_the_server_says(self, minor, order):
        client = self.start(minor, order)
        (tag,), (request_id,) = self.begin(("longs", ""))
        self.peer.send(cut_every(numbers_reply(minor, order, request_id), 24)[0], giop.close(minor, order))
        self.peer.close()
        self.assertTrue(self.listener.nobody_comes())
        self.assert_raised(client.result(tag), "COMM_FAILURE", "MAYBE")

    @in_every_variant(versions=[2])
    def test_a_locate_reply_may_come_in_fragments(self, minor, order):
        new = self.enterContext(Answering(lambda r: giop.locate_reply(minor, order, r.request_id, giop.Locate.HERE)
                                          if isinstance(r, giop.LocateRequest) else
                                          Reply(r.request_id, results=bytes(12)).message(minor, order)))
        client = self.start(minor, order)
        tag = client.begin("octets", 300000)
        self.peer = self.listener.accept()
        request = giop.LocateRequest.decode(self.peer.receive())
        there = new.reference(b"there", order, minor)
        whole = giop.locate_reply(minor, order, request.request_id, giop.Locate.FORWARD, there.encode)
        self.peer.send(*cut_every(whole, 10))
        self.assertEqual("0 0 0", client.result(tag))
        self.assertEqual(ior.Ior.parse(str(there)).iiop()[0].key, new.received[-1].key)


if __name__ == "__main__":
    unittest.main()
