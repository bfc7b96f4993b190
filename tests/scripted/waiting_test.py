"""What clients wait for, how long, and what goes on meanwhile."""

import threading
import time
import unittest

from tests.scripted.programs import KEY, ScriptedTest, in_every_variant
from tests.support import cdr, giop, ior
from tests.support.giop import Reply, Status, Type
from tests.support.peer import Answering, Listener, silent

LARGE = 20_000_000  # octets: far more than sockets hold
THREADS = 8


def number(minor, order, request_id, value):
    return Reply(request_id, results=giop.values(order).put("long", value).bytes()).message(minor, order)


class Limits(ScriptedTest):
    def test_a_connection_that_is_never_set_up_is_given_up(self):
        with silent() as (host, port):
            reference = ior.Ior("", [(0, ior.Profile(host, port, KEY).encode(cdr.BIG))])
            for options in [("-ORBconnectTimeout", "300"), ("-ORBclientCallTimeOutPeriod", "300")]:
                client = self.client_of(self.enterContext(Listener()), cdr.BIG, options=options)
                client.use(reference)
                begun = time.monotonic()
                outcome = client.call("ping")
                self.assertIn(outcome.name, ["TRANSIENT", "TIMEOUT"])
                self.assertEqual("NO", outcome.completed)
                self.assertGreater(time.monotonic() - begun, 0.2)

    @in_every_variant
    def test_a_server_that_does_not_read_is_given_up(self, minor, order):
        for option, raised in [("-ORBwriteTimeout", "COMM_FAILURE"), ("-ORBclientCallTimeOutPeriod", "TIMEOUT")]:
            listener = self.enterContext(Listener())
            client = self.client_of(listener, order, minor, (option, "500"))
            tag = client.begin("octets", LARGE)
            peer = listener.accept()
            locate = giop.LocateRequest.decode(peer.receive())
            peer.send(giop.locate_reply(minor, order, locate.request_id, giop.Locate.HERE))
            self.assert_raised(client.result(tag), raised, "MAYBE")

    @in_every_variant
    def test_a_limit_for_sending_does_not_say_how_a_call_ends_that_was_sent(self, minor, order):
        listener = self.enterContext(Listener())
        client = self.client_of(listener, order, minor, ["-ORBrequestTimeout", "1000"])
        tag = client.begin("ping")
        peer = listener.accept()
        peer.request()
        time.sleep(1.1)
        peer.close()
        self.assert_raised(client.result(tag), "COMM_FAILURE", "MAYBE")

    @in_every_variant
    def test_replies_after_the_time_of_several_threads_do_not_mix(self, minor, order):
        listener = self.enterContext(Listener())
        client = self.client_of(listener, order, minor, ["-ORBclientCallTimeOutPeriod", "1500"])
        tags = [client.begin("plus", n) for n in range(THREADS)]
        peer = listener.accept()
        late = [peer.request() for _ in range(THREADS)]
        for tag in tags:
            self.assert_raised(client.result(tag), "TIMEOUT", "MAYBE")
        cancelled = [peer.receive() for _ in range(THREADS)]
        self.assertEqual({r.request_id for r in late}, {c.reader().get("ulong") for c in cancelled})
        tags = [client.begin("plus", 10 + n) for n in range(THREADS)]
        requests = [peer.request() for _ in range(THREADS)]
        for old, new in zip(late, requests):
            peer.send(number(minor, order, old.request_id, -1),
                      number(minor, order, new.request_id, new.reader.get("long") * 2))
        self.assertEqual([str(20 + 2 * n) for n in range(THREADS)], [client.result(tag) for tag in tags])


class Meanwhile(ScriptedTest):
    @in_every_variant
    def test_a_large_request_and_a_large_reply_pass_each_other(self, minor, order):
        listener = self.enterContext(Listener())
        client = self.client_of(listener, order, minor)
        waiting = client.begin("octets", 1000)
        peer = listener.accept()
        first = peer.request()
        writing = client.begin("octets", LARGE)
        locate = giop.LocateRequest.decode(peer.receive())
        peer.send(giop.locate_reply(minor, order, locate.request_id, giop.Locate.HERE))
        # Nothing of the second request is read until all of this has been written.
        peer.send(Reply(first.request_id, results=lambda w: w.octets(bytes(LARGE)).align(4).put(
            "ulong", 0, 0)).message(minor, order))
        self.assertEqual(f"{LARGE} 0 0", client.result(waiting))
        second = peer.request()
        self.assertEqual(LARGE, len(second.reader.octets()))
        peer.send(Reply(second.request_id, results=bytes(12)).message(minor, order))
        self.assertEqual("0 0 0", client.result(writing))

    @in_every_variant
    def test_oneways_and_replies_to_them_disturb_nobody(self, minor, order):
        listener = self.enterContext(Listener())
        client = self.client_of(listener, order, minor)
        waiting = client.begin("plus", 1)
        peer = listener.accept()
        request = peer.request()
        for value in range(20):
            self.assertEqual("", client.call("note", value))
            note = peer.request()
            self.assertEqual((0, value), (note.expected, note.reader.get("long")))
            self.assertNotEqual(request.request_id, note.request_id)
            peer.send(number(minor, order, note.request_id, 9))
        peer.send(number(minor, order, request.request_id, 2))
        self.assertEqual("2", client.result(waiting))


class ManyThreads(ScriptedTest):
    def assert_all(self, client, value):
        tags = [client.begin("plus", n) for n in range(THREADS)]
        self.assertEqual([value] * THREADS, [client.result(tag) for tag in tags])

    @in_every_variant
    def test_threads_that_connect_at_once_share_a_connection(self, minor, order):
        server = self.enterContext(Answering(lambda r: number(minor, order, r.request_id, 3)))
        self.assert_all(self.client_of(server, order, minor), "3")
        self.assertEqual(1, server.connections)

    @in_every_variant
    def test_threads_that_are_forwarded_at_once_all_arrive(self, minor, order):
        new = self.enterContext(Answering(lambda r: number(minor, order, r.request_id, 4)))
        target = new.reference(b"there", order, minor)
        old = self.enterContext(Answering(lambda r: Reply(r.request_id, Status.FORWARD, target.encode).message(
            minor, order)))
        client = self.client_of(old, order, minor)
        self.assert_all(client, "4")
        asked = len(old.received)
        self.assertLessEqual(asked, THREADS)
        self.assert_all(client, "4")
        self.assertEqual((asked, 2 * THREADS, 1), (len(old.received), len(new.received), new.connections))

    @in_every_variant
    def test_threads_whose_server_closes_again_and_again_are_all_served(self, minor, order):
        lock, served = threading.Lock(), {}

        def answer(request):
            with lock:
                # Each request is answered when it comes for the second time; the first ends its connection.
                argument = request.reader.get("long")
                served[argument] = served.get(argument, 0) + 1
                if served[argument] == 1:
                    return [giop.close(minor, order)]
            return number(minor, order, request.request_id, argument)

        server = self.enterContext(Answering(answer))
        client = self.client_of(server, order, minor)
        for value in range(5):
            self.assertEqual(str(value), client.call("plus", value))
        self.assertEqual({value: 2 for value in range(5)}, served)

    @in_every_variant
    def test_threads_whose_new_place_dies_all_come_back(self, minor, order):
        new = self.enterContext(Answering(lambda r: number(minor, order, r.request_id, 4)))
        target = new.reference(b"there", order, minor)
        old = self.enterContext(Answering(lambda r: Reply(r.request_id, Status.FORWARD, target.encode).message(
            minor, order)))
        client = self.client_of(old, order, minor)
        self.assert_all(client, "4")
        new.answer = lambda request: None
        tags = [client.begin("plus", n) for n in range(THREADS)]
        for tag in tags:
            self.assert_raised(client.result(tag), "COMM_FAILURE", "MAYBE")
        new.close()
        old.answer = lambda r: number(minor, order, r.request_id, 5)
        self.assert_all(client, "5")


if __name__ == "__main__":
    unittest.main()
