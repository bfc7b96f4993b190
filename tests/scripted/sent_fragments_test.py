"""Large messages of GIOP 1.2 leave in fragments, those of earlier versions whole: requests and replies."""

import unittest

from tests.scripted import contract
from tests.scripted.programs import KEY, Client, ScriptedTest, Server, in_every_variant
from tests.scripted.server import ServerTest
from tests.support import cdr, giop, ior
from tests.support.giop import Locate, LocateRequest, Reply, Request, Status
from tests.support.peer import Answering

SMALL = ("-ORBgiopFragmentSize", "1024")
MOST = 256_000  # octets of a message that a peer may refuse to take more of
CORBEL = 0x43425231  # its ORB type
OCTETS = contract.Sequence("octet")


def octets(size):
    return bytes(i % 256 for i in range(size))


class Parts:
    def assert_parts(self, parts, size):
        """All but the last have that size, and there is more than one."""
        self.assertGreater(len(parts), 1)
        self.assertEqual({size}, set(parts[:-1]))
        self.assertLessEqual(parts[-1], size)


class RequestsInFragments(ScriptedTest, Parts):
    def requests(self, minor, order, size, options=(), components=()):
        """The requests that a call with so many octets leads to."""
        def answer(request):
            if isinstance(request, LocateRequest):
                return giop.locate_reply(minor, order, request.request_id, Locate.HERE)
            return Reply(request.request_id, results=giop.values(order).put("ulong", 0, 0, 0).bytes()).message(minor, order)

        server = self.enterContext(Answering(answer))
        client = self.client_of(server, order, minor, options, components)
        self.assertEqual("0 0 0", client.call("octets", size))
        return [r for r in server.received if isinstance(r, Request)]

    @in_every_variant(versions=[2])
    def test_a_large_request_leaves_in_fragments_of_the_size_that_is_set(self, minor, order):
        for size in [1000, 1023, 1024, 5000, 40000, 1_000_000]:  # those of 40000 octets stay where the caller has them
            [request] = self.requests(minor, order, size, SMALL)
            self.assert_parts(request.message_read.parts, 1024)
            self.assertEqual((KEY, octets(size)), (request.key, request.reader.octets()))
            self.assertEqual(0, request.reader.get("ulong"))

    @in_every_variant(versions=[2])
    def test_what_fits_in_one_piece_is_not_cut(self, minor, order):
        whole = len(self.requests(minor, order, 0)[0].message_read.body)
        for size in [100, 1024 - giop.HEADER - whole]:
            [request] = self.requests(minor, order, size, SMALL)
            self.assertEqual(1, len(request.message_read.parts))
        self.assertEqual([1024], request.message_read.parts)

    @in_every_variant(versions=[0, 1])
    def test_before_1_2_messages_leave_whole(self, minor, order):
        [request] = self.requests(minor, order, 500_000, SMALL)
        self.assertEqual(1, len(request.message_read.parts))
        self.assertEqual(octets(500_000), request.reader.octets())

    @in_every_variant(versions=[2])
    def test_by_default_no_piece_is_larger_than_every_peer_takes(self, minor, order):
        [request] = self.requests(minor, order, 1_000_000)
        self.assertLessEqual(max(request.message_read.parts), MOST)
        self.assertEqual(octets(1_000_000), request.reader.octets())
        [request] = self.requests(minor, order, MOST // 2)
        self.assertEqual(1, len(request.message_read.parts))

    @in_every_variant(versions=[2])
    def test_a_mebibyte_leaves_whole_where_the_server_is_corbel(self, minor, order):
        is_corbel = [(ior.ORB_TYPE, cdr.encapsulation(order).put("ulong", CORBEL).bytes())]
        [request] = self.requests(minor, order, 1024 * 1024, components=is_corbel)
        self.assertEqual(1, len(request.message_read.parts))
        [request] = self.requests(minor, order, 512 * 1024, ("-ORBgiopFragmentSize", "200000"), is_corbel)
        self.assert_parts(request.message_read.parts, 200_000)
        [request] = self.requests(minor, order, 1_400_000, components=is_corbel)
        self.assert_parts(request.message_read.parts, 1280 * 1024)

    @in_every_variant(versions=[2])
    def test_an_option_turns_fragments_off(self, minor, order):
        [request] = self.requests(minor, order, 1_000_000, ("-ORBgiopFragmentSize", "0"))
        self.assertEqual(1, len(request.message_read.parts))

    def test_requests_of_several_threads_may_be_mixed(self):
        """Between the fragments of one request others may stand; each is whole."""
        with Server("-ORBgiopFragmentSize", "1024") as server, Client(*SMALL) as client:
            client.use(server.reference.text(cdr.LITTLE))
            sizes = [300, 4000, 20_000, 2_000_000, 70_000, 1500] * 3
            tags = [client.begin("octets", size) for size in sizes]
            self.assertEqual([f"{size} {size} 0" for size in sizes], [client.result(tag) for tag in tags])


class RepliesInFragments(ServerTest, Parts):
    OPTIONS = SMALL

    def give(self, size):
        reply = self.call("give_octets", contract.writing([OCTETS] * 2, [octets(size), b"abc"]))
        self.assertEqual(Status.NO_EXCEPTION, reply.status)
        self.assertEqual([octets(size), octets(size), b"abc"], [reply.reader.octets() for _ in range(3)])
        return self.reply_message.parts

    @in_every_variant(versions=[2])
    def test_a_large_reply_leaves_in_fragments_of_the_size_that_is_set(self, *variant):
        self.variant = variant
        for size in [600, 5000, 40_000, 700_000]:
            self.assert_parts(self.give(size), 1024)

    @in_every_variant(versions=[0, 1])
    def test_before_1_2_replies_leave_whole(self, *variant):
        self.variant = variant
        self.assertEqual(1, len(self.give(500_000)))

    @in_every_variant(versions=[2])
    def test_small_replies_leave_whole(self, *variant):
        self.variant = variant
        self.assertEqual(1, len(self.give(100)))


if __name__ == "__main__":
    unittest.main()
