"""Many requests on one connection, and the ways in which a connection may end under a client."""

import contextlib
import socket
import threading
import time
import unittest

from tests.scripted.programs import ScriptedTest, in_every_variant
from tests.support import cdr, giop
from tests.support.giop import Reply
from tests.support.peer import Listener

WAITING = 6  # threads of a client that wait for replies


def result_of(minor, order, request_id, value):
    return Reply(request_id, results=giop.values(order).put("long", value).bytes()).message(minor, order)


class Connections(ScriptedTest):
    def start(self, minor, order, options=()):
        self.listener = self.enterContext(Listener())
        self.client = self.client_of(self.listener, order, minor, options)
        return self.client, self.listener

    def begin(self, count=WAITING):
        """Calls from so many threads, and their requests on one connection."""
        tags = [self.client.begin("plus", n) for n in range(count)]
        peer = self.listener.accept()
        requests = [peer.request() for _ in range(count)]
        return tags, peer, requests

    def argument(self, request):
        return request.reader.get("long")


class Replies(Connections):
    @in_every_variant
    def test_replies_may_come_in_any_order(self, minor, order):
        client, listener = self.start(minor, order)
        tags, peer, requests = self.begin(20)
        self.assertEqual(20, len({r.request_id for r in requests}))
        for request in reversed(requests):
            peer.send(result_of(minor, order, request.request_id, self.argument(request) + 100))
        self.assertEqual([str(n + 100) for n in range(20)], [client.result(tag) for tag in tags])
        self.assertTrue(listener.nobody_comes())

    @in_every_variant
    def test_replies_that_come_together_are_told_apart(self, minor, order):
        client, _ = self.start(minor, order)
        tags, peer, requests = self.begin()
        peer.send(*[result_of(minor, order, r.request_id, -self.argument(r)) for r in requests[::-1]])
        self.assertEqual([str(-n) for n in range(WAITING)], [client.result(tag) for tag in tags])

    @in_every_variant
    def test_a_reply_that_comes_octet_by_octet_is_read(self, minor, order):
        client, _ = self.start(minor, order)
        tags, peer, requests = self.begin(2)
        for octet in b"".join(result_of(minor, order, r.request_id, 7).bytes() for r in requests):
            peer.send(bytes([octet]))
        self.assertEqual(["7", "7"], [client.result(tag) for tag in tags])

    @in_every_variant
    def test_replies_to_nothing_are_ignored(self, minor, order):
        client, _ = self.start(minor, order)
        tags, peer, requests = self.begin(2)
        known = [r.request_id for r in requests]
        for unknown in [0, 1, 0xFFFFFFFF, max(known) + 1, known[0] ^ 0x80000000]:
            self.assertNotIn(unknown, known)
            peer.send(result_of(minor, order, unknown, 13))
        peer.send(giop.locate_reply(minor, order, 99, giop.Locate.HERE))
        for request_id in known:
            peer.send(result_of(minor, order, request_id, 1), result_of(minor, order, request_id, 2))
        self.assertEqual(["1", "1"], [client.result(tag) for tag in tags])
        tag = client.ask("plus", 5)
        request = peer.request()
        peer.send(result_of(minor, order, known[0], 3), result_of(minor, order, request.request_id, 4))
        self.assertEqual("4", client.result(tag))

    @in_every_variant
    def test_a_call_that_times_out_is_cancelled_and_its_late_reply_ignored(self, minor, order):
        client, listener = self.start(minor, order, ["-ORBclientCallTimeOutPeriod", "1000"])
        tag = client.ask("plus", 1)
        peer = listener.accept()
        late = peer.request()
        self.assert_raised(client.result(tag), "TIMEOUT", "MAYBE")
        cancel = peer.receive()
        self.assertEqual((giop.Type.CANCEL, late.request_id), (cancel.type, cancel.reader().get("ulong")))
        tag = client.ask("plus", 2)
        second = peer.request()
        peer.send(result_of(minor, order, late.request_id, 66), result_of(minor, order, second.request_id, 3))
        self.assertEqual("3", client.result(tag))
        self.assertTrue(listener.nobody_comes())

    def test_a_call_that_times_out_while_another_thread_reads_leaves_the_other_alone(self):
        client, listener = self.start(2, cdr.LITTLE, ["-ORBclientCallTimeOutPeriod", "3000"])
        first = client.begin("plus", 1)
        peer = listener.accept()
        peer.request()
        time.sleep(1.5)
        second = client.begin("plus", 2)
        answered = peer.request()
        self.assert_raised(client.result(first), "TIMEOUT", "MAYBE")
        self.assertEqual(giop.Type.CANCEL, peer.receive().type)
        peer.send(result_of(2, cdr.LITTLE, answered.request_id, 3))
        self.assertEqual("3", client.result(second))


class Ends(Connections):
    def assert_all(self, tags, name, completed):
        for tag in tags:
            self.assert_raised(self.client.result(tag), name, completed)

    def assert_new_connection_serves(self, minor, order):
        tag = self.client.ask("plus", 1)
        peer = self.listener.accept()
        peer.send(result_of(minor, order, peer.request().request_id, 2))
        self.assertEqual("2", self.client.result(tag))

    @in_every_variant
    def test_requests_not_processed_before_CloseConnection_go_out_again(self, minor, order):
        client, listener = self.start(minor, order)
        tags, peer, requests = self.begin()
        done = requests[0]
        peer.send(result_of(minor, order, done.request_id, 50), giop.close(minor, order))
        peer.close()
        again = listener.accept()
        sent_again = [again.request() for _ in requests[1:]]
        self.assertEqual(sorted(self.argument(r) for r in requests[1:]), sorted(self.argument(r) for r in sent_again))
        for request in sent_again:
            again.send(result_of(minor, order, request.request_id, 60))
        self.assertEqual(["50"] + ["60"] * (WAITING - 1), sorted(client.result(tag) for tag in tags))
        self.assertTrue(listener.nobody_comes())

    @in_every_variant
    def test_CloseConnection_between_calls_goes_unnoticed(self, minor, order):
        client, listener = self.start(minor, order)
        for value in range(5):
            tag = client.ask("plus", value)
            peer = listener.accept()
            peer.send(result_of(minor, order, peer.request().request_id, value))
            self.assertEqual(str(value), client.result(tag))
            peer.send(giop.close(minor, order))
            peer.close()

    @in_every_variant
    def test_CloseConnection_after_a_refusal_goes_unnoticed(self, minor, order):
        client, listener = self.start(minor, order)
        tag = client.ask("plus", 1)
        peer = listener.accept()
        peer.send(result_of(minor, order, peer.request().request_id, 2))
        self.assertEqual("2", client.result(tag))
        tag = client.ask("plus", 1)
        peer.send(Reply(peer.request().request_id, giop.Status.SYSTEM_EXCEPTION,
                        giop.system_exception(order, "TRANSIENT")).message(minor, order))
        self.assert_raised(client.result(tag), "TRANSIENT", "NO")
        peer.send(giop.close(minor, order))
        peer.close()
        self.assert_new_connection_serves(minor, order)

    @in_every_variant
    def test_a_server_that_always_closes_is_given_up(self, minor, order):
        client, listener = self.start(minor, order)
        tag = client.ask("plus", 1)
        outcome, attempts = [], 0
        waiter = threading.Thread(target=lambda: outcome.append(client.result(tag)))
        waiter.start()
        while waiter.is_alive() and attempts < 20:
            listener.socket.settimeout(0.05)
            try:
                peer = listener.accept()
            except (TimeoutError, socket.timeout):
                continue
            attempts += 1
            peer.request()
            peer.send(giop.close(minor, order))
            peer.close()
        waiter.join()
        self.assert_raised(outcome[0], "TRANSIENT", "NO")
        self.assertLess(attempts, 10)

    @in_every_variant
    def test_MessageError_fails_all_that_wait_and_ends_the_connection(self, minor, order):
        client, listener = self.start(minor, order)
        tags, peer, _ = self.begin()
        peer.send(giop.error(minor, order))
        self.assert_all(tags, "COMM_FAILURE", "MAYBE")
        self.assertTrue(listener.nobody_comes())
        self.assert_new_connection_serves(minor, order)

    @in_every_variant
    def test_a_lost_connection_fails_all_that_wait_at_once(self, minor, order):
        for end in ["close", "reset"]:
            client, listener = self.start(minor, order)
            tags, peer, _ = self.begin()
            getattr(peer, end)()
            begun = time.monotonic()
            self.assert_all(tags, "COMM_FAILURE", "MAYBE")
            self.assertLess(time.monotonic() - begun, 20)
            self.assertTrue(listener.nobody_comes(), "what may have been carried out is not sent again")
            self.assert_new_connection_serves(minor, order)

    @in_every_variant
    def test_an_end_within_a_reply_fails_all_that_wait(self, minor, order):
        whole = result_of(minor, order, 1, 9).bytes()
        for size in [1, 11, 12, 16, 20, len(whole) - 1]:
            client, listener = self.start(minor, order)
            tags, peer, requests = self.begin(3)
            peer.send(result_of(minor, order, requests[0].request_id, 9).bytes()[:size])
            peer.close()
            self.assert_all(tags, "COMM_FAILURE", "MAYBE")
            self.assertTrue(listener.nobody_comes(0.02))
            self.client.finish()

    @in_every_variant
    def test_replies_before_the_end_still_count(self, minor, order):
        client, listener = self.start(minor, order)
        tags, peer, requests = self.begin()
        peer.send(*[result_of(minor, order, r.request_id, 5) for r in requests[: WAITING // 2]])
        peer.close()
        outcomes = [client.result(tag) for tag in tags]
        self.assertEqual(WAITING // 2, outcomes.count("5"))
        for outcome in outcomes:
            if outcome != "5":
                self.assert_raised(outcome, "COMM_FAILURE", "MAYBE")

    @in_every_variant
    def test_a_request_of_which_no_octet_left_goes_out_on_a_new_connection(self, minor, order):
        client, listener = self.start(minor, order)
        tag = client.ask("plus", 1)
        peer = listener.accept()
        peer.send(result_of(minor, order, peer.request().request_id, 2))
        self.assertEqual("2", client.result(tag))
        peer.reset()
        self.assert_new_connection_serves(minor, order)

    @in_every_variant
    def test_oneways_go_out_on_a_new_connection_too(self, minor, order):
        client, listener = self.start(minor, order)
        for value in range(3):
            self.assertEqual("", client.call("note", value))
            peer = listener.accept()
            request = peer.request()
            self.assertEqual((0, value), (request.expected, self.argument(request)))
            peer.reset()

    def located(self, minor, order):
        """A connection over which the client has asked where its object is: here."""
        peer = self.listener.accept()
        locate = giop.LocateRequest.decode(peer.receive())
        peer.send(giop.locate_reply(minor, order, locate.request_id, giop.Locate.HERE))
        return peer

    @in_every_variant
    def test_CloseConnection_while_a_request_is_being_written_sends_it_again_at_once(self, minor, order):
        """The server reads no more, and leaves the connection open: there is no room to wait for."""
        client, _ = self.start(minor, order)
        tag = client.begin("octets", 20_000_000)
        first = self.located(minor, order)
        time.sleep(0.3)  # nobody reads, so that the client waits for room
        first.send(giop.close(minor, order))
        second = self.located(minor, order)
        second.send(giop.Reply(second.request().request_id, results=bytes(12)).message(minor, order))
        self.assertEqual("0 0 0", client.result(tag))

    @in_every_variant
    def test_a_request_of_which_half_has_left_goes_out_on_a_new_connection(self, minor, order):
        """Nobody carries out half a request."""
        client, _ = self.start(minor, order)
        for end in ["close", "reset"]:
            tag = client.begin("octets", 20_000_000)
            first = self.located(minor, order) if end == "close" else second
            self.assertTrue(first.socket.recv(100_000))
            getattr(first, end)()
            second = self.located(minor, order)
            second.send(giop.Reply(second.request().request_id, results=bytes(12)).message(minor, order))
            self.assertEqual("0 0 0", client.result(tag))

    def test_calls_end_where_another_thread_can_write_no_more(self):
        """Although the server never ceases to say something."""
        minor, order = 2, cdr.LITTLE
        client, _ = self.start(minor, order, ["-ORBwriteTimeout", "300"])
        tags, peer, requests = self.begin()
        tag = client.begin("octets", 20_000_000)
        locate = giop.LocateRequest.decode(peer.receive())
        peer.send(giop.locate_reply(minor, order, locate.request_id, giop.Locate.HERE))
        unknown = max(r.request_id for r in requests) + 99
        replies = result_of(minor, order, unknown, 13).bytes() * 1000

        def say_much():
            with contextlib.suppress(OSError):
                while True:
                    peer.send(replies)

        saying = threading.Thread(target=say_much, daemon=True)
        saying.start()
        self.assert_raised(client.result(tag), "COMM_FAILURE", "MAYBE")
        self.assert_all(tags, "COMM_FAILURE", "MAYBE")
        saying.join()

    def test_garbage_while_a_request_is_being_written_fails_it(self):
        client, _ = self.start(2, cdr.LITTLE)
        tag = client.begin("octets", 64_000_000)
        peer = self.located(2, cdr.LITTLE)
        time.sleep(0.3)  # nobody reads, so that the client waits for room
        peer.send(b"no GIOP here")
        self.assert_raised(client.result(tag), "COMM_FAILURE", "MAYBE")

    def test_garbage_fails_all_that_wait_and_is_answered_with_MessageError(self):
        order = cdr.LITTLE
        good = result_of(2, order, 1, 1).bytes()
        for garbage in [b"GIOQ" + good[4:], b"HTTP/1.1 200 OK\r\n\r\n", good[:4] + b"\2" + good[5:],
                        good[:5] + b"\3" + good[6:], good[:6] + b"\4" + good[7:], good[:7] + b"\x08" + good[8:]]:
            client, _ = self.start(2, order)
            tags, peer, _ = self.begin(3)
            peer.send(garbage)
            self.assert_all(tags, "COMM_FAILURE", "MAYBE")
            self.assertEqual(giop.Type.ERROR, peer.receive().type)
            self.assertTrue(peer.ended())

    def test_a_reply_larger_than_is_taken_fails_all_that_wait_and_claims_no_memory(self):
        for size in [70000, 0x7FFFFFFF, 0xFFFFFFFF]:
            client, _ = self.start(2, cdr.BIG, ["-ORBgiopMaxMsgSize", "65536"])
            tags, peer, requests = self.begin(3)
            peer.send(result_of(2, cdr.BIG, requests[0].request_id, 1).bytes(size))
            self.assert_all(tags, "COMM_FAILURE", "MAYBE")
            self.assertLess(client.status("VmRSS"), 100000)

    def test_messages_that_only_clients_send_are_ignored(self):
        client, listener = self.start(2, cdr.LITTLE)
        tags, peer, requests = self.begin(2)
        for message in [giop.Request(requests[0].request_id, "ping", b"x").message(2, cdr.LITTLE),
                        giop.LocateRequest(requests[0].request_id, b"x").message(2, cdr.LITTLE),
                        giop.cancel(2, cdr.LITTLE, requests[0].request_id)]:
            peer.send(message)
        for request in requests:
            peer.send(result_of(2, cdr.LITTLE, request.request_id, 8))
        self.assertEqual(["8", "8"], [client.result(tag) for tag in tags])

    @in_every_variant(versions=[2])
    def test_a_client_that_ends_says_so(self, minor, order):
        client, _ = self.start(minor, order)
        tags, peer, requests = self.begin(1)
        peer.send(result_of(minor, order, requests[0].request_id, 1))
        self.assertEqual("1", client.result(tags[0]))
        self.assertEqual(0, client.finish())
        self.assertEqual(giop.Type.CLOSE, peer.receive().type)
        self.assertTrue(peer.ended())

    def assert_descriptors(self, count):
        """It has so many now or soon: a thread's result is there before the thread has ended its call."""
        end = time.monotonic() + 20
        while self.client.descriptors() != count and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual(count, self.client.descriptors())

    @in_every_variant
    def test_a_connection_that_ends_with_its_last_replies_is_closed_at_once(self, minor, order):
        client, _ = self.start(minor, order)
        before = client.descriptors()
        tags, peer, requests = self.begin()
        self.assertEqual(before + 1, client.descriptors())
        replies = [result_of(minor, order, r.request_id, 1).bytes() for r in requests]
        peer.send(b"".join(replies) + giop.close(minor, order).bytes())
        self.assertEqual(["1"] * WAITING, [client.result(tag) for tag in tags])
        self.assert_descriptors(before)

    @in_every_variant
    def test_a_connection_whose_end_a_call_finds_is_closed_although_others_took_it(self, minor, order):
        client, listener = self.start(minor, order)
        before = client.descriptors()
        tags, peer, requests = self.begin()
        peer.send(*[result_of(minor, order, r.request_id, 1) for r in requests])
        self.assertEqual(["1"] * WAITING, [client.result(tag) for tag in tags])
        peer.send(giop.close(minor, order))
        peer.close()
        tag = client.begin("plus", 1)
        peer = listener.accept()
        peer.send(result_of(minor, order, peer.request().request_id, 2))
        self.assertEqual("2", client.result(tag))
        self.assert_descriptors(before + 1)


if __name__ == "__main__":
    unittest.main()
