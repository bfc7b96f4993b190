"""A client that compresses, and a script in the place of TAO's server."""

import random
import unittest

from tests.scripted import contract
from tests.scripted.programs import KEY, ScriptedTest, in_every_variant
from tests.support import cdr, giop, ior, ziop
from tests.support.giop import Message, Reply, Request, Status, Type
from tests.support.peer import Listener

ON = ("-ORBcompression", "1")
ZLIB = [(ziop.ZLIB, 9)]
SIZE = 5000  # of octets 0, 1, 2 ... which shrink


class ZipListener(Listener):
    def accept(self):
        self.peers.append(ziop.Peer(super().accept().socket))
        return self.peers[-1]


class ClientTest(ScriptedTest):
    def start(self, order, offer, options=ON, minor=2, enabled=True, component=None):
        """A client, and a server whose reference offers this."""
        self.listener = self.enterContext(ZipListener())
        if component is None and offer is not None:
            component = ziop.policies(order, offer, enabled)
        components = [] if component is None else [(ziop.TAG_POLICIES, component)]
        return self.client_of(self.listener, order, minor, options, components)

    def octets(self, client, peer=None, order=cdr.BIG, minor=2, answer=ziop.zipped, size=SIZE):
        """Lets the client send octets, which come back; gives the request."""
        tag = client.ask("octets", size)
        peer = peer or self.listener.accept()
        request = peer.request()
        request.compressor = peer.compressor
        request.wire_size = peer.wire_size
        self.assertEqual(bytes(n % 256 for n in range(size)), request.reader.octets())
        reply = Reply(request.request_id, results=contract.writing(["string"] * 3, ["a", "b", "c"]))
        reply.results = lambda w: w.octets(bytes(3000)).octets(b"12").octets(b"3")
        peer.send(answer(reply.message(minor, order)))
        self.assertEqual("3000 2 1", client.result(tag))
        return request

    def context(self, request):
        found = [data for tag, data in request.contexts if tag == ziop.INVOCATION_POLICIES]
        self.assertLessEqual(len(found), 1)
        return ziop.read_policies(found[0]) if found else None


class Requests(ClientTest):
    @in_every_variant(versions=[2])
    def test_a_request_is_compressed_where_the_reference_allows_it(self, minor, order):
        client = self.start(order, [(ziop.GZIP, 1), (ziop.ZLIB, 4)])
        request = self.octets(client, order=order)
        self.assertEqual(ziop.ZLIB, request.compressor)
        self.assertLess(request.wire_size, 1000)
        # The one that was chosen goes first, at the lower of both levels.
        self.assertEqual((True, [(ziop.ZLIB, 4), (ziop.ZSTD, 3)]), self.context(request))
        peer = self.listener.peers[-1]
        for answer in [Message.bytes, ziop.zipped, lambda m: ziop.zipped(m, ziop.GZIP)]:
            self.assertEqual(ziop.ZLIB, self.octets(client, peer, order, answer=answer).compressor)

    def test_nothing_is_compressed_that_the_reference_does_not_offer(self):
        good = ziop.policies(cdr.BIG, ZLIB)
        for offer, more in [(None, {}), (ZLIB, {"enabled": False}), ([], {}), ([(3, 9), (99, 1)], {}), (ZLIB, {"minor": 1}),
                            (ZLIB, {"options": ()}), (ZLIB, {"options": ("-ORBcompression", "0")}),
                            (ZLIB, {"options": (*ON, "-ORBmaxGIOPVersion", "1.1"), "answered": 1}),
                            (None, {"component": good[:-1]}), (None, {"component": b""}), (None, {"component": b"\2" + good[1:]}),
                            (None, {"component": b"\0\0\0\0" + b"\xff" * 4 + good[8:]})]:
            with self.subTest(offer=offer, **more):
                answered = more.pop("answered", more.get("minor", 2))
                client = self.start(cdr.BIG, offer, **more)
                request = self.octets(client, minor=answered, answer=Message.bytes)
                self.assertIsNone(request.compressor)
                self.assertIsNone(self.context(request))
                self.doCleanups()

    def test_small_requests_are_plain_and_say_how_to_reply(self):
        client = self.start(cdr.BIG, ZLIB)
        request = self.octets(client, size=100)
        self.assertIsNone(request.compressor)
        self.assertEqual([(ziop.ZLIB, 6), (ziop.ZSTD, 3)], self.context(request)[1])

    def test_requests_that_do_not_shrink_enough_are_plain(self):
        client = self.start(cdr.BIG, ZLIB, (*ON, "-ORBcompressionMinRatio", "0.01"))
        self.assertIsNone(self.octets(client).compressor)

    def test_large_requests_leave_in_one_piece(self):
        client = self.start(cdr.BIG, ZLIB, (*ON, "-ORBgiopFragmentSize", "1024"))
        self.assertEqual(ziop.ZLIB, self.octets(client, size=200_000).compressor)
        self.assertEqual(None, self.octets(client, self.listener.peers[-1], size=900).compressor)

    def test_a_server_that_a_call_is_forwarded_to_is_asked_itself(self):
        client = self.start(cdr.BIG, ZLIB)
        other = self.enterContext(ZipListener())
        tag = client.ask("octets", SIZE)
        peer = self.listener.accept()
        self.assertEqual(ziop.ZLIB, peer.request() and peer.compressor)
        target = other.reference(KEY, cdr.BIG)
        peer.send(ziop.zipped(Reply(self.last_id(peer), Status.FORWARD, results=target.encode).message(2, cdr.BIG)))
        second = other.accept()
        request = second.request()
        self.assertIsNone(second.compressor)
        self.assertIsNone(self.context(request))
        reply = Reply(request.request_id, results=lambda w: w.octets(b"").octets(b"").octets(b""))
        second.send(reply.message(2, cdr.BIG))
        self.assertEqual("0 0 0", client.result(tag))

    def last_id(self, peer):
        return self.ids[peer]

    def setUp(self):
        self.ids = {}
        original = ziop.Peer.request

        def request(peer):
            found = original(peer)
            self.ids[peer] = found.request_id
            return found

        ziop.Peer.request = request
        self.addCleanup(setattr, ziop.Peer, "request", original)

    def test_one_ways_are_compressed_too(self):
        client = self.start(cdr.BIG, ZLIB, (*ON, "-ORBcompressionLowValue", "0"))
        tag = client.ask("note", 5)
        peer = self.listener.accept()
        self.assertEqual(("note", 5), (lambda r: (r.operation, r.reader.get("long")))(peer.request()))
        self.assertEqual("", client.result(tag))

    def test_several_threads_share_a_connection(self):
        client = self.start(cdr.BIG, ZLIB)
        tags = [client.begin("octets", SIZE) for _ in range(8)]
        peer = self.listener.accept()
        ids = []
        for _ in tags:
            request = peer.request()
            self.assertEqual(ziop.ZLIB, peer.compressor)
            ids.append(request.request_id)
        random.Random(3).shuffle(ids)
        for request_id in ids:
            reply = Reply(request_id, results=lambda w: w.octets(bytes(2000)).octets(b"").octets(b""))
            peer.send(ziop.zipped(reply.message(2, cdr.BIG)))
        self.assertEqual({"2000 0 0"}, {client.result(tag) for tag in tags})


class HostileReplies(ClientTest):
    def outcome(self, client, octets_of):
        """What a call comes to whose reply is what `octets_of` makes of the good one."""
        tag = client.ask("octets", SIZE)
        peer = self.listener.accept()
        request = peer.request()
        reply = Reply(request.request_id, results=lambda w: w.octets(bytes(3000)).octets(b"").octets(b""))
        peer.send(octets_of(reply.message(2, cdr.BIG)))
        result = client.result(tag)
        message = peer.receive()
        return result, message and message.type

    def test_replies_that_lie_fail_the_call_alone(self):
        client = self.start(cdr.BIG, ZLIB, (*ON, "-ORBgiopMaxMsgSize", "1000000"))
        data = ziop.deflated(bytes(100_000_000))
        for bad in [lambda m: ziop.zipped(m, original=len(m.body) + 1), lambda m: ziop.zipped(m, 99),
                    lambda m: ziop.zipped(m, data=ziop.deflated(m.body)[:-1]), lambda m: ziop.zipped(m, data=data),
                    lambda m: ziop.zipped(m, size=0xFFFFFFFF)]:
            result, told = self.outcome(client, bad)
            self.assert_raised(result, "COMM_FAILURE", "MAYBE")
            self.assertEqual(Type.ERROR, told)
        result, _ = self.outcome(client, lambda m: ziop.zipped(m, original=0x7FFFFFFF))
        self.assert_raised(result, "COMM_FAILURE", "MAYBE")
        self.assertLess(client.status("VmHWM"), 200_000, "kB")
        self.octets(client)

    def test_a_compressed_reply_that_nobody_asked_for_ends_the_connection(self):
        client = self.start(cdr.BIG, None)
        result, told = self.outcome(client, ziop.zipped)
        self.assert_raised(result, "COMM_FAILURE", "MAYBE")
        self.assertEqual(Type.ERROR, told)


if __name__ == "__main__":
    unittest.main()
