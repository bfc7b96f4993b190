"""Messages of GIOP 1.2 that leave while they are marshaled, and what becomes of them when the other end goes away midway."""

import functools
import threading
import unittest

from tests.scripted import contract
from tests.scripted.programs import ScriptedTest, in_every_variant
from tests.scripted.server import ServerTest
from tests.support import cdr, giop
from tests.support.giop import HEADER, Locate, Reply, Request, Status, Type, fragmented
from tests.support.peer import Answering, Listener

SIZE = 16384
OPTIONS = ("-ORBgiopFragmentSize", str(SIZE))
STRINGS = contract.Sequence("string")
MANY = 60_000  # strings of a hundred characters: more than a connection holds


def strings(count):
    return [f"{i}{'.' * 100}" for i in range(count)]


@functools.lru_cache
def large_arguments(order):
    w = giop.values(order)
    contract.writing([STRINGS] * 2, [strings(MANY // 2), strings(7)])(w)
    return w.bytes()


class Pieces:
    def assert_streamed(self, parts):
        """In fragments of the size that is set at most, all but the last multiples of 8."""
        self.assertGreater(len(parts), 10)
        self.assertLessEqual(max(parts), SIZE)
        self.assertEqual({0}, {part % 8 for part in parts[:-1]})


class StreamedRequests(ScriptedTest, Pieces):
    @in_every_variant(versions=[2])
    def test_arguments_arrive_in_pieces_and_the_reply_may_come_in_others(self, minor, order):
        def answer(request):
            if request.message_read.type == Type.LOCATE_REQUEST:
                return giop.locate_reply(minor, order, request.request_id, Locate.HERE)
            self.read = contract.get(request.reader, STRINGS), contract.get(request.reader, STRINGS)
            self.parts = request.message_read.parts
            results = contract.writing([STRINGS] * 3, [self.read[0], strings(3), strings(2)])
            whole = Reply(request.request_id, results=results).message(minor, order)
            return fragmented(whole, *range(HEADER + 1000, HEADER + len(whole.body), 40_000))

        server = self.enterContext(Answering(answer))
        client = self.client_of(server, order, minor, OPTIONS)
        self.assertEqual("same 3 2", client.call("strings", 5000))
        self.assertEqual((strings(5000), []), self.read)
        self.assert_streamed(self.parts)

    def begun(self, order):
        """A peer that has the first pieces of a request, a client that writes it, and its tag."""
        listener = self.enterContext(Listener())
        client = self.client_of(listener, order, options=OPTIONS)
        tag = client.begin("strings", MANY)
        peer = listener.accept()
        located = peer.receive()
        self.assertEqual(Type.LOCATE_REQUEST, located.type)
        request_id = located.reader().get("ulong")
        peer.send(giop.locate_reply(2, order, request_id, Locate.HERE))
        first = peer.receive()
        self.assertEqual((Type.REQUEST, True), (first.type, first.more))
        self.assertTrue(peer.receive().more)
        return listener, client, tag, peer, first.reader().get("ulong")

    @in_every_variant(versions=[2])
    def test_a_server_that_dies_midway_has_not_carried_it_out(self, _, order):
        for die in ["close", "reset"]:
            _, client, tag, peer, _ = self.begun(order)
            getattr(peer, die)()
            self.assert_raised(client.result(tag), "COMM_FAILURE", "NO")

    @in_every_variant(versions=[2])
    def test_after_goodbye_midway_it_is_written_again(self, _, order):
        listener, client, tag, peer, _ = self.begun(order)
        peer.send(giop.close(2, order))
        peer.close()
        again = listener.accept()
        message = again.whole()
        if message.type == Type.LOCATE_REQUEST:
            again.send(giop.locate_reply(2, order, message.reader().get("ulong"), Locate.HERE))
            message = again.whole()
        request = Request.decode(message)
        self.assertEqual(strings(MANY), contract.get(request.reader, STRINGS))
        results = contract.writing([STRINGS] * 3, [strings(MANY), [], []])
        again.send(Reply(request.request_id, results=results).message(2, order))
        self.assertEqual("same 0 0", client.result(tag))

    @in_every_variant(versions=[2])
    def test_an_answer_midway_ends_it_and_the_connection_goes_on(self, _, order):
        _, client, tag, peer, request_id = self.begun(order)
        refusal = giop.system_exception(order, "NO_PERMISSION")
        peer.send(Reply(request_id, Status.SYSTEM_EXCEPTION, refusal).message(2, order))
        while (message := peer.receive()).type == Type.FRAGMENT:
            if not message.more:  # all of it had been written
                break
        else:
            self.assertEqual((Type.CANCEL, request_id), (message.type, message.reader().get("ulong")))
        self.assert_raised(client.result(tag), "NO_PERMISSION", "NO")
        ping = client.begin("ping")
        peer.send(Reply(peer.request().request_id).message(2, order))
        self.assertEqual("", client.result(ping))


class StreamedReplies(ServerTest, Pieces):
    OPTIONS = OPTIONS

    def request(self, arguments):
        return Request(next(self.ids), "give_strings", self.server.key, arguments=arguments).message(*self.variant)

    def large_request(self):
        """The reply to it, twice as long, is more than a connection holds."""
        return self.request(large_arguments(self.variant[1]))

    def send_apart(self, message):
        """Sends it while others read."""
        def send():
            try:
                self.peer.send(message)
            except OSError:
                pass
        thread = threading.Thread(target=send, daemon=True)
        thread.start()
        self.addCleanup(thread.join)

    @in_every_variant(versions=[2])
    def test_results_arrive_in_pieces(self, *variant):
        self.variant = variant
        found = self.call("give_strings", contract.writing([STRINGS] * 2, [strings(4000), strings(7)]))
        self.assertEqual([strings(4000), strings(4000), strings(7)], [contract.get(found.reader, STRINGS) for _ in range(3)])
        self.assert_streamed(self.reply_message.parts)

    @in_every_variant(versions=[2])
    def test_so_they_do_of_a_request_that_came_in_pieces(self, *variant):
        self.variant = variant
        whole = self.request(contract.writing([STRINGS] * 2, [strings(3000), strings(7)]))
        self.peer.send(*fragmented(whole, *range(HEADER + 2000, HEADER + len(whole.body), 7000)))
        reply = self.peer.reply()
        self.assertEqual([strings(3000)] * 2, [contract.get(reply.reader, STRINGS) for _ in range(2)])

    @in_every_variant(versions=[2])
    def test_a_client_that_goes_away_midway_leaves_nothing_behind(self, *variant):
        self.variant = variant
        self.assertEqual(Status.NO_EXCEPTION, self.call("ping").status)
        descriptors = self.server.descriptors()
        for leave in ["close", "reset"] * 3:
            self.send_apart(self.large_request())
            self.assertTrue(self.peer.receive().more)
            self.assertTrue(self.peer.receive().more)
            getattr(self.peer, leave)()
            self.peer = self.server.connect()
            self.assert_serves()
        self.settle(descriptors)
        self.assertEqual(descriptors, self.server.descriptors())

    @in_every_variant(versions=[2])
    def test_one_that_is_cancelled_midway_ends_and_the_connection_goes_on(self, *variant):
        self.variant = variant
        self.send_apart(self.large_request())
        first = self.peer.receive()
        self.assertTrue(first.more)
        self.peer.send(giop.cancel(*variant, first.reader().get("ulong")))
        while (message := self.peer.receive()).more:
            self.assertEqual((Type.FRAGMENT, first.body[:4]), (message.type, message.body[:4]))
        self.assert_serves()

    @in_every_variant(versions=[2])
    def test_others_are_answered_while_one_waits_for_its_reader(self, *variant):
        self.variant = variant
        self.send_apart(self.large_request())
        self.assertTrue(self.peer.receive().more)
        with self.server.connect() as other:
            other.send(Request(1, "ping", self.server.key).message(*variant))
            self.assertEqual(Status.NO_EXCEPTION, other.reply().status)
        while self.peer.receive().more:
            pass
        self.assert_serves()


if __name__ == "__main__":
    unittest.main()
