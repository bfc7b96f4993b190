"""A server that compresses, and a script that speaks to it as TAO's client would."""

import itertools
import os
import random
import unittest

from tests.scripted import contract
from tests.scripted.programs import Server, in_every_variant
from tests.scripted.server import ServerTest
from tests.support import cdr, giop, ior, ziop
from tests.support.giop import Message, Reply, Request, Status, Type

OCTETS = contract.Sequence("octet")
EVEN = bytes(8000)  # they shrink to next to nothing
UNEVEN = random.Random(1).randbytes(40_000)  # they do not shrink at all, nor what repeats them so late
BOTH = [(ziop.ZLIB, 9), (ziop.GZIP, 6)]


class CompressedTest(ServerTest):
    OPTIONS = ("-ORBcompression", "1")

    def setUp(self):
        super().setUp()
        self.peer = ziop.Peer(self.peer.socket)

    def reconnect(self):
        self.peer.close()
        self.peer = ziop.Peer(self.server.connect().socket)

    AS_OMNIORB = False  # how clients offer compression

    def octets(self, data, offer=BOTH, compressor=ziop.ZLIB, level=None):
        """Sends `data` in a compressed request that gives them back; gives the reply."""
        minor, order = self.variant
        policies = None if offer is None else ziop.policies(order, offer, as_omniorb=self.AS_OMNIORB)
        contexts = [] if policies is None else [(ziop.INVOCATION_POLICIES, policies)]
        request = Request(next(self.ids), "give_octets", self.server.key, contexts=contexts,
                          arguments=contract.writing([OCTETS] * 2, [data, b""]))
        self.peer.send(ziop.zipped(request.message(minor, order), compressor))
        reply = self.peer.reply()
        self.assertEqual(request.request_id, reply.request_id)
        self.assertEqual([data, data, b""], [reply.reader.octets() for _ in range(3)])
        return reply


class Requests(CompressedTest):
    def test_references_say_that_messages_may_be_compressed(self):
        components = dict(self.server.profile.components)
        self.assertEqual((True, [(ziop.ZSTD, 3), (ziop.ZLIB, 6)]), ziop.read_policies(components[ziop.TAG_POLICIES]))

    def test_versions_before_1_2_are_not_compressed(self):
        for variant in itertools.product([0, 1], cdr.ORDERS):
            minor, order = variant
            context = ziop.INVOCATION_POLICIES, ziop.policies(order, BOTH)
            request = Request(next(self.ids), "give_octets", self.server.key, contexts=[context],
                              arguments=contract.writing([OCTETS] * 2, [EVEN, b""]))
            self.reconnect()
            self.peer.send(request.message(minor, order))
            self.assertEqual(EVEN, self.peer.reply().reader.octets())
            self.assertIsNone(self.peer.compressor)
        with Server(*self.OPTIONS, "-ORBmaxGIOPVersion", "1.1") as server:
            self.assertNotIn(ziop.TAG_POLICIES, dict(server.profile.components))

    @in_every_variant(versions=[2])
    def test_a_compressed_request_has_a_compressed_reply(self, *variant):
        self.variant = variant
        for compressor in [ziop.ZLIB, ziop.GZIP]:
            self.octets(EVEN, compressor=compressor)
            self.assertEqual(ziop.ZLIB, self.peer.compressor, "the server's own list goes first")
            self.assertLess(self.peer.wire_size, len(EVEN) // 10)

    @in_every_variant
    def test_whoever_does_not_ask_has_plain_replies(self, *variant):
        self.variant = variant
        for offer in [None, [(ziop.GZIP, 9)], []]:  # the server's own list has no gzip
            self.octets(EVEN, offer)
            self.assertIsNone(self.peer.compressor)

    def test_a_client_may_switch_it_off(self):
        minor, order = self.variant
        context = ziop.INVOCATION_POLICIES, ziop.policies(order, BOTH, enabled=False)
        reply = self.call("give_octets", contract.writing([OCTETS] * 2, [EVEN, b""]), contexts=[context])
        self.assertEqual(Status.NO_EXCEPTION, reply.status)
        self.assertIsNone(self.peer.compressor)

    def test_small_replies_and_those_that_do_not_shrink_are_plain(self):
        for data in [bytes(100), UNEVEN]:
            self.octets(data)
            self.assertIsNone(self.peer.compressor)

    def test_malformed_offers_are_none(self):
        order = self.variant[1]
        good = ziop.policies(order, BOTH)
        for bad in [b"", b"\x07" + good[1:], good[:9], good[:-1], b"\0\xff\xff\xff\xff" + good[5:], bytes(4000)]:
            arguments = contract.writing([OCTETS] * 2, [EVEN, b""])
            self.call("give_octets", arguments, contexts=[(ziop.INVOCATION_POLICIES, bad)])
            self.assertIsNone(self.peer.compressor)

    @in_every_variant(versions=[2])
    def test_everything_that_clients_send_may_be_compressed(self, *variant):
        self.variant = minor, order = variant
        before = self.call("noted").reader.get("long")
        self.peer.send(ziop.zipped(giop.LocateRequest(7, self.server.key).message(*variant)))
        reply = self.peer.receive().reader()
        self.assertEqual((7, giop.Locate.HERE), (reply.get("ulong"), reply.get("ulong")))
        note = Request(8, "note", self.server.key, expected=0, arguments=giop.values(order).put("long", 4711).bytes())
        self.peer.send(ziop.zipped(note.message(*variant)), ziop.zipped(giop.cancel(minor, order, 8)))
        self.assertEqual(before + 4711, self.call("noted").reader.get("long"))

    @in_every_variant(versions=[2])
    def test_each_fragment_may_be_compressed_or_not(self, *variant):
        self.variant = minor, order = variant
        message = Request(1, "give_octets", self.server.key,
                          arguments=contract.writing([OCTETS] * 2, [EVEN, b""])).message(*variant)
        for which in itertools.product([False, True], repeat=3):
            pieces = giop.fragmented(message, 2000, 4000)
            self.peer.send(*[ziop.zipped(p) if z else p for p, z in zip(pieces, which)])
            self.assertEqual(EVEN, self.peer.reply().reader.octets(), which)

    def test_many_requests_may_come_at_once(self):
        order = self.variant[1]
        context = ziop.INVOCATION_POLICIES, ziop.policies(order, BOTH)
        requests = [Request(n, "give_octets", self.server.key, contexts=[context],
                            arguments=contract.writing([OCTETS] * 2, [EVEN, b""])).message(2, order) for n in range(20)]
        self.peer.send(b"".join(ziop.zipped(r) if n % 2 else r.bytes() for n, r in enumerate(requests)))
        seen = set()
        for _ in requests:
            seen.add(self.peer.reply().request_id)
            self.assertEqual(ziop.ZLIB, self.peer.compressor)
        self.assertEqual(set(range(20)), seen)


class StandingOffers(CompressedTest):
    """omniORB's clients say only in the first request of a connection how to reply."""

    AS_OMNIORB = True

    def compressors(self, *offers):
        """What compresses the replies to requests with these."""
        found = []
        for offer in offers:
            self.octets(EVEN, offer)
            found.append(self.peer.compressor)
        return found

    @in_every_variant(versions=[2])
    def test_an_offer_holds_for_requests_that_follow_without_one(self, *variant):
        self.variant = variant
        self.assertEqual([None] + [ziop.ZLIB] * 4, self.compressors(None, BOTH, None, None, None))
        self.call("ping")
        self.assertIsNone(self.peer.compressor)
        self.assertEqual([ziop.ZLIB], self.compressors(None))
        self.reconnect()
        self.assertEqual([None], self.compressors(None))

    def test_whoever_offers_twice_does_so_in_each_request_that_is_meant(self):
        self.assertEqual([ziop.ZLIB, ziop.ZLIB, ziop.ZLIB, None, ziop.ZLIB, None],
                         self.compressors(BOTH, None, BOTH, None, BOTH, None))

    def test_an_offer_of_nothing_stands_for_nothing(self):
        self.assertEqual([None, None], self.compressors([(ziop.GZIP, 9)], None))
        self.reconnect()
        order = self.variant[1]
        good = ziop.policies(order, BOTH, as_omniorb=True)
        for octets in [ziop.policies(order, BOTH, enabled=False, as_omniorb=True), good[:-1], good[:12], b""]:
            arguments = contract.writing([OCTETS] * 2, [EVEN, b""])
            self.call("give_octets", arguments, contexts=[(ziop.INVOCATION_POLICIES, octets)])
            self.assertEqual([None], self.compressors(None), octets)
            self.reconnect()

    def test_what_takes_more_than_an_offer_is_not_kept(self):
        order = self.variant[1]
        for padding, expected in [(500, ziop.ZLIB), (5_000, None)]:
            context = ziop.INVOCATION_POLICIES, ziop.policies(order, BOTH, as_omniorb=True) + bytes(padding)
            self.call("give_octets", contract.writing([OCTETS] * 2, [EVEN, b""]), contexts=[context])
            self.assertEqual(ziop.ZLIB, self.peer.compressor)
            self.assertEqual([expected], self.compressors(None), padding)
            self.reconnect()

    def test_those_of_corbels_and_taos_clients_are_for_one_request(self):
        self.AS_OMNIORB = False
        self.assertEqual([ziop.ZLIB, None, ziop.ZLIB, None], self.compressors(BOTH, None, BOTH, None))

    def test_other_contexts_take_nothing_from_it(self):
        self.compressors(BOTH)
        contexts = [(0x43425299, bytes(8))]
        reply = self.call("give_octets", contract.writing([OCTETS] * 2, [EVEN, b""]), contexts=contexts)
        self.assertEqual((Status.NO_EXCEPTION, ziop.ZLIB), (reply.status, self.peer.compressor))


class LowValue(CompressedTest):
    OPTIONS = ("-ORBcompression", "1", "-ORBcompressionLowValue", "0", "-ORBcompressors", "gzip:1")

    def test_small_replies_are_compressed_where_the_low_value_says_so(self):
        self.octets(bytes(100))
        self.assertEqual(ziop.GZIP, self.peer.compressor)

    def test_what_would_grow_is_plain(self):
        reply = self.call("ping", contexts=[(ziop.INVOCATION_POLICIES, ziop.policies(self.variant[1], BOTH))])
        self.assertEqual(Status.NO_EXCEPTION, reply.status)
        self.assertIsNone(self.peer.compressor)


class Ratio(CompressedTest):
    OPTIONS = ("-ORBcompression", "1", "-ORBcompressionMinRatio", "0.25")

    def test_replies_that_do_not_shrink_enough_are_plain(self):
        for random_part, compressor in [(1000, ziop.ZLIB), (4000, None)]:
            self.octets(UNEVEN[:random_part] + EVEN[random_part:8000])  # both come back twice
            self.assertEqual(compressor, self.peer.compressor, random_part)


class Hostile(CompressedTest):
    OPTIONS = ("-ORBcompression", "1", "-ORBgiopMaxMsgSize", "1000000")

    def assert_answered_with_an_error(self, *octets):
        error = self.assert_refused(*octets)
        self.assertIsNotNone(error, "the connection ended without MessageError")
        self.assert_serves()

    def request(self, data=EVEN):
        minor, order = self.variant
        return Request(1, "give_octets", self.server.key,
                       arguments=contract.writing([OCTETS] * 2, [data, b""])).message(minor, order)

    def test_sizes_that_are_not_true_end_the_connection(self):
        message = self.request()
        size = len(message.body)
        for claim in [0, 1, size - 1, size + 1, 2 * size, 999_000, 0x7FFFFFFF, 0xFFFFFFFF]:
            for compressor in [ziop.ZLIB, ziop.GZIP]:
                self.assert_answered_with_an_error(ziop.zipped(message, compressor, original=claim))

    def test_a_claim_is_looked_at_before_memory_is_taken(self):
        before = self.server.status("VmPeak")
        for claim in [1_000_001, 0x7FFFFFFF, 0xFFFFFFFF]:
            self.assert_answered_with_an_error(ziop.zipped(self.request(), original=claim))
        self.assertLess(self.server.status("VmPeak") - before, 512 * 1024, "kB")

    def test_what_expands_without_end_stops_at_its_claim(self):
        bomb = ziop.deflated(bytes(500_000_000))
        before = self.server.status("VmHWM")
        for claim in [100, 900_000]:
            self.assert_answered_with_an_error(ziop.zipped(self.request(), data=bomb, original=claim))
        self.assertLess(self.server.status("VmHWM") - before, 32 * 1024, "kB")

    def test_data_that_are_cut_or_changed_end_the_connection(self):
        message = self.request(UNEVEN[:3000])
        data = ziop.deflated(message.body)
        changed = [data[:n] for n in [0, 1, 2, 100, len(data) - 4, len(data) - 1]]
        changed += [data + b"\0", data[:500] + bytes([data[500] ^ 1]) + data[501:], b"\xff" * 100, data + data]
        for bad in changed:
            self.assert_answered_with_an_error(ziop.zipped(message, data=bad, original=len(message.body)))

    def test_other_compressors_are_refused(self):
        for compressor in [0, 2, 3, 5, 6, 99, 0xFFFF, ziop.ZSTD]:  # the last with data that are not its own
            self.assert_answered_with_an_error(ziop.zipped(self.request(), compressor, data=ziop.deflated(EVEN)))

    def test_messages_too_short_for_what_they_announce_are_refused(self):
        for body in [b"", b"\0\4", bytes(11), b"\0\4\0\0" + bytes(3) + b"\x09" + b"\xff" * 4 + bytes(50)]:
            octets = Message(Type.REQUEST, 2, cdr.BIG, body).bytes()
            self.assert_answered_with_an_error(b"Z" + octets[1:])
        message = self.request()
        self.assert_answered_with_an_error(ziop.zipped(message, size=0xFFFFFFFF))
        self.assert_answered_with_an_error(ziop.zipped(message, size=0))

    def test_headers_are_checked_as_those_of_other_messages(self):
        good = ziop.zipped(self.request())
        for at, value in [(1, b"x"), (4, b"\2"), (5, b"\3"), (6, b"\x10"), (7, b"\x08")]:
            self.assert_answered_with_an_error(good[:at] + value + good[at + 1:])

    def test_a_message_inside_of_another_is_no_request(self):
        message = self.request()
        inner = ziop.zipped(message)
        outer = Message(Type.REQUEST, 2, message.order, inner[giop.HEADER:])
        self.assert_refused(ziop.zipped(outer))
        self.assert_serves()

    def test_fragments_that_expand_beyond_the_limit_end_the_connection(self):
        message = self.request(bytes(600_000))
        order = message.order
        parts = [Message(Type.FRAGMENT, 2, order, message.body[:4] + bytes(600_000), more=True)] * 3
        first = Message(message.type, 2, order, message.body, more=True)
        self.assert_refused(ziop.zipped(first), *[ziop.zipped(p) for p in parts])
        self.assert_serves()

    def test_octet_by_octet_is_no_other_message(self):
        minor, order = self.variant
        octets = ziop.zipped(self.request())
        for n in octets:
            self.peer.send(bytes([n]))
        self.assertEqual(EVEN, self.peer.reply().reader.octets())

    def test_random_bodies_do_no_harm(self):
        generator = random.Random(2)
        message = self.request()
        good = bytearray(ziop.zipped(message))
        for _ in range(150):
            octets = bytearray(good)
            for _ in range(generator.randint(1, 4)):
                octets[generator.randrange(giop.HEADER, len(octets))] = generator.randrange(256)
            with self.server.connect() as peer:
                peer.send(bytes(octets))
                peer.receive()
        self.assert_serves()


class PendingBytes(CompressedTest):
    OPTIONS = ("-ORBcompression", "1", "-ORBmaxPendingBytes", "300000")

    def test_what_expands_beyond_the_bound_of_incomplete_messages_is_refused_before_it_does(self):
        minor, order = self.variant
        self.octets(bytes(200_000))
        before = self.server.status("VmHWM")
        for size in [400_000, 200_000_000]:
            bomb = Request(1, "give_octets", self.server.key, arguments=contract.writing([OCTETS] * 2, [bytes(size), b""]))
            self.assert_refused(ziop.zipped(bomb.message(minor, order)))
        self.assertLess(self.server.status("VmHWM") - before, 32 * 1024, "kB")
        self.octets(bytes(200_000))
        self.assert_serves()


class NotNegotiated(unittest.TestCase):
    """Nothing says that messages may be compressed; where there is no library nothing could."""

    def refuses(self, program, *options):
        saved = os.environ["SCRIPTED_SERVER"]
        os.environ["SCRIPTED_SERVER"] = program
        try:
            with Server(*options) as server:
                self.assertNotIn(ziop.TAG_POLICIES, dict(server.profile.components))
                ping = Request(1, "ping", server.key).message(2, cdr.BIG)
                with server.connect() as peer:
                    peer.send(ziop.zipped(ping))
                    self.assertEqual(Type.ERROR, peer.receive().type)
                    self.assertTrue(peer.ended())
                with server.connect() as peer:
                    context = ziop.INVOCATION_POLICIES, ziop.policies(cdr.BIG, BOTH)
                    peer.send(Request(2, "give_octets", server.key, contexts=[context],
                                      arguments=contract.writing([OCTETS] * 2, [EVEN, b""])).message(2, cdr.BIG))
                    self.assertEqual(EVEN, peer.reply().reader.octets())
        finally:
            os.environ["SCRIPTED_SERVER"] = saved

    def test_a_server_without_the_library_answers_message_error(self):
        self.refuses(os.environ["PLAIN_SERVER"])

    def test_a_server_that_does_not_compress_answers_message_error(self):
        self.refuses(os.environ["SCRIPTED_SERVER"])
        self.refuses(os.environ["SCRIPTED_SERVER"], "-ORBcompression", "0")


if __name__ == "__main__":
    unittest.main()
