"""Clients that offer to be called back where they are not, again and again, or without the protection that is asked for."""

import itertools
import os
import socket
import time
import unittest

from tests.scripted import contract
from tests.scripted.bidirectional_test import Callbacks, at_peer, offer
from tests.scripted.hostile import MEASURED, HostileTest
from tests.scripted.programs import KEY
from tests.scripted.server import PATIENCE, ServerTest
from tests.support import cdr, giop, ior
from tests.support.giop import Completion, Reply, Request, Status, Type
from tests.support.media import MEDIA
from tests.support.peer import Peer

MOST = 32  # addresses of one connection
PLACE = "callback.invalid"  # no name server knows it
TLS = MEDIA["ssl"]() if "SCRIPTED_TLS" in os.environ else None


class HostileOffers(Callbacks, HostileTest):
    # That the other end of a connection to call by is gone is found by looking for idle ones.
    OPTIONS = "-ORBacceptBiDirectionalGIOP", "1", "-ORBoutConScanPeriod", "1", "-ORBscanGranularity", "1"

    def offer(self, *points, peer=None):
        """A one-way that offers these."""
        note = Request(8, "note", self.server.key, 0, arguments=contract.writing(["long"], [0]),
                       contexts=[offer(self.variant[1], *points)])
        (peer or self.peer).send(note.message(*self.variant))

    def assert_leads_here(self, at, peer=None):
        peer = peer or self.peer
        self.call_back(1000, 1, at, points=[], peer=peer)
        peer.send(self.doubled(peer.request()))
        self.assert_answered(1000, 3, peer)

    def assert_leads_nowhere(self, at, *others):
        self.call_back(1000, 1, at, points=[])
        self.assert_not_called(1000, others=others)

    def test_of_thousands_of_addresses_the_first_are_taken(self):
        points = [(PLACE, port) for port in range(1, 5001)]
        self.offer(*points)
        self.assert_leads_here(points[0])
        self.assert_leads_here(points[MOST - 1])
        self.assert_leads_nowhere(points[MOST])
        self.assert_leads_nowhere(points[-1])
        self.offer((PLACE, 6000))
        self.assert_leads_nowhere((PLACE, 6000))

    def test_an_address_that_is_offered_again_and_again_counts_once(self):
        for _ in range(50):
            self.offer(*[(PLACE, 1)] * 50)
        for port in range(2, MOST + 1):
            self.offer((PLACE, 1), (PLACE, port))
            self.assert_leads_here((PLACE, port))
        self.offer((PLACE, MOST + 1))
        self.assert_leads_nowhere((PLACE, MOST + 1))

    def test_port_0_which_all_have_that_are_not_called_by_tcp_is_nobodys(self):
        unix = MEDIA["unix"]()
        listener, at = unix.listen("")
        self.addCleanup(listener.close)
        listener.settimeout(60)
        self.offer(("", 0))
        profile = unix.profile("", at, KEY, 2, []).encode(cdr.BIG)
        reference = ior.Ior("IDL:Contract/Callback:1.0", [(ior.TAG_INTERNET_IOP, profile)])
        arguments = contract.writing(["reference", "long"], [reference, 20])
        self.peer.send(Request(1000, "call_back", self.server.key, arguments=arguments).message(*self.variant))
        with Peer(listener.accept()[0]) as called:
            called.send(self.doubled(called.request()))
            self.assert_answered(1000, 41)

    def test_names_longer_than_those_of_hosts_are_passed_over(self):
        fits = "h" * 247 + ".invalid"
        self.offer((fits + "x", 1), (fits, 1))
        self.assert_leads_here((fits, 1))
        self.assert_leads_nowhere((fits + "x", 1))

    def test_offers_leave_no_more_than_addresses_behind(self):
        before = self.server.status("VmRSS")
        self.offer(*[(f"{n}" + "x" * 1_000_000, 1) for n in range(MOST)])
        self.assertEqual(Status.NO_EXCEPTION, self.call("ping").status)
        if not MEASURED:
            return
        until = time.monotonic() + PATIENCE  # the thread that has taken the offer may still let go of its message
        while self.server.status("VmRSS") - before >= 8192 and time.monotonic() < until:
            time.sleep(0.01)
        self.assertLess(self.server.status("VmRSS") - before, 8192, "kB")

    def test_what_one_has_offered_others_do_not_take_from_it_by_many_offers(self):
        owner = self.enterContext(self.server.connect())
        at = at_peer(owner)
        self.offer(at, peer=owner)
        self.assert_leads_here(at, owner)
        for _ in range(40):
            thief = self.enterContext(self.server.connect())
            self.offer(*[at] * MOST, peer=thief)
        self.call_back(1000, 1, at, points=[at])
        owner.send(self.doubled(owner.request()))
        self.assert_answered(1000, 3)
        self.assert_leads_here(at, owner)
        self.doCleanups()

    def test_clients_that_offer_and_leave_cost_nothing(self):
        self.offer((PLACE, 1))
        self.assert_leads_here((PLACE, 1))
        descriptors = self.server.descriptors()
        for n in range(300):
            with self.server.connect() as peer:
                self.offer(*[(PLACE, port) for port in range(100 * (n % 50), 100 * (n % 50) + MOST)], peer=peer)
        self.settle(descriptors)
        self.assertLessEqual(self.server.descriptors(), descriptors)
        self.assert_leads_here((PLACE, 1))
        # The last of them may have been there until just now.
        self.assert_leads_nowhere((PLACE, 4900), "COMM_FAILURE")


class Unanswered(Callbacks, HostileTest):
    """Threads wait for replies to callbacks, which only threads of the server read: one is left."""

    OPTIONS = "-ORBacceptBiDirectionalGIOP", "1", "-ORBmaxThreads", "8"
    CALLS = 20

    def test_callbacks_that_nobody_answers_leave_a_thread_that_serves(self):
        called, refused = [], []
        for n in range(self.CALLS):
            self.call_back(1000 + 2 * n)
        while len(called) + len(refused) < self.CALLS:
            message = self.peer.whole()
            (called if message.type == Type.REQUEST else refused).append(message)
        self.assertIn(len(called), range(1, 8))  # who waits for another to write counts for a moment
        for message in refused:
            reply = Reply.decode(message)
            self.assertEqual(Status.SYSTEM_EXCEPTION, reply.status)
            self.assertEqual(("IDL:omg.org/CORBA/TRANSIENT:1.0", Completion.NO),
                             giop.get_system_exception(reply.reader)[::2])
        with self.server.connect() as other:
            other.send(Request(1, "ping", self.server.key).message(2, cdr.LITTLE))
            self.assertEqual(Status.NO_EXCEPTION, other.reply().status)
        for message in called:
            self.peer.send(self.doubled(Request.decode(message)))
        answered = {self.peer.reply().request_id for _ in called}
        self.assertEqual(len(called), len(answered))
        self.call_back(5000)
        self.peer.send(self.doubled(self.peer.request()))
        self.assert_answered(5000, 41)

    def test_when_who_does_not_answer_leaves_all_threads_come_back(self):
        with self.server.connect() as silent:
            for n in range(self.CALLS):
                self.call_back(1000 + 2 * n, peer=silent)
            for _ in range(self.CALLS):
                silent.whole()
        until = time.monotonic() + PATIENCE
        for request_id in itertools.count(1000, 2):  # until the server has seen the end
            self.call_back(request_id)
            message = self.peer.whole()
            if message.type == Type.REQUEST:
                self.peer.send(self.doubled(Request.decode(message)))
                return self.assert_answered(request_id, 41)
            self.assertLess(time.monotonic(), until, "nobody is called back")
            time.sleep(0.005)


class UnansweredConnection(Unanswered):
    OPTIONS = (*Unanswered.OPTIONS, "-ORBserverModel", "connection")


class UnansweredCalls(Callbacks, ServerTest):
    """The same over connections of the server's own, to a peer that answers nothing: all threads may wait, and one
    more serves."""

    OPTIONS = "-ORBmaxThreads", "8", "-ORBoutConScanPeriod", "1", "-ORBscanGranularity", "1"
    CALLS = 20

    def setUp(self):
        super().setUp()
        self.assertEqual(Status.NO_EXCEPTION, self.call("ping").status)
        self.descriptors = self.server.descriptors()
        listener = self.enterContext(socket.create_server(("127.0.0.1", 0)))
        listener.settimeout(60)
        self.at = listener.getsockname()
        for n in range(self.CALLS):
            self.call_back(1000 + 2 * n, at=self.at, points=[])
        self.silent = self.enterContext(Peer(listener.accept()[0]))
        self.called = [self.silent.request() for _ in range(8)]

    def tearDown(self):
        try:
            self.silent.socket.close()
            self.settle(self.descriptors)
            self.assertLessEqual(self.server.descriptors(), self.descriptors, "descriptors were left open")
        finally:
            super().tearDown()

    def assert_pings(self):
        with self.server.connect() as other:
            other.send(Request(1, "ping", self.server.key).message(2, cdr.LITTLE))
            self.assertEqual(Status.NO_EXCEPTION, other.reply().status)

    def test_calls_that_nobody_answers_leave_a_thread_that_serves(self):
        for _ in range(self.CALLS - len(self.called)):
            reply = self.peer.reply()
            self.assertEqual(Status.SYSTEM_EXCEPTION, reply.status)
            self.assertEqual(("IDL:omg.org/CORBA/TRANSIENT:1.0", Completion.NO),
                             giop.get_system_exception(reply.reader)[::2])
        self.assert_pings()
        last, *others = self.called  # as long as one is waited for the connection is not idle
        for request in others:
            self.silent.send(self.doubled(request))
        self.assertEqual(len(others), len({self.peer.reply().request_id for _ in others}))
        self.call_back(5000, at=self.at, points=[])
        self.silent.send(self.doubled(self.silent.request()))
        self.assert_answered(5000, 41)
        self.silent.send(self.doubled(last))
        self.assertEqual(Status.NO_EXCEPTION, self.peer.reply().status)

    def test_calls_wait_for_threads_that_come_back(self):
        for request in self.called:
            self.silent.send(self.doubled(request))
        for _ in range(self.CALLS - len(self.called)):
            self.silent.send(self.doubled(self.silent.request()))
        replies = [self.peer.reply() for _ in range(self.CALLS)]
        self.assertEqual({Status.NO_EXCEPTION}, {reply.status for reply in replies})
        self.assertEqual(self.CALLS, len({reply.request_id for reply in replies}))


class UnansweredCallsConnection(UnansweredCalls):
    OPTIONS = (*UnansweredCalls.OPTIONS, "-ORBserverModel", "connection")


class Unconnected(Callbacks, ServerTest):
    """What objects are to be called is on an address where connections take for ever to be made."""

    OPTIONS = "-ORBthreadPoolSize", "2", "-ORBconnectTimeout", "3600000"

    def test_upcalls_that_connect_keep_nobody_out(self):
        listener = self.enterContext(socket.create_server(("127.0.0.1", 0), backlog=0))
        at = listener.getsockname()
        for _ in range(4):  # fills its queue: the next one is not answered
            waiting = self.enterContext(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(at)
        for n in range(6):
            self.call_back(1000 + 2 * n, at=at, points=[])
        for _ in range(20):
            with self.server.connect() as other:
                other.send(Request(1, "ping", self.server.key).message(2, cdr.LITTLE))
                self.assertEqual(Status.NO_EXCEPTION, other.reply().status)


class HostileOffersReactive(HostileOffers):
    OPTIONS = (*HostileOffers.OPTIONS, "-ORBserverModel", "reactive")


class HostileOffersConnection(HostileOffers):
    OPTIONS = (*HostileOffers.OPTIONS, "-ORBserverModel", "connection")


@unittest.skipIf(TLS is None, "this build has no TLS")
class Protected(Callbacks, ServerTest):
    """The reference of the callback says that its object is reached by TLS only."""

    def setUp(self):
        self.OPTIONS = (*HostileOffers.OPTIONS, *TLS.client_options)
        super().setUp()
        self.socket, self.port = TLS.listen("127.0.0.1")
        self.addCleanup(self.socket.close)

    def call_back_protected(self, *points):
        profile = TLS.profile("127.0.0.1", self.port, KEY, 2, [])
        reference = ior.Ior("IDL:Contract/Callback:1.0", [(ior.TAG_INTERNET_IOP, profile.encode(cdr.BIG))])
        arguments = contract.writing(["reference", "long"], [reference, 20])
        request = Request(1000, "call_back", self.server.key, arguments=arguments, contexts=[offer(cdr.BIG, *points)])
        self.peer.send(request.message(*self.variant))

    def test_it_is_called_by_tls_whatever_a_plain_connection_offers(self):
        points = ("127.0.0.1", 0), ("127.0.0.1", self.port), ("", 0)
        self.call_back_protected(*points)
        self.socket.settimeout(60)
        with Peer(self.socket.accept()[0]) as called:
            called.send(self.doubled(called.request()))
            self.assert_answered(1000, 41)  # which is what comes first on the plain one

    def test_it_is_not_called_where_tls_fails(self):
        self.socket.close()  # nobody listens there any more
        self.call_back_protected(("127.0.0.1", 0), ("127.0.0.1", self.port), ("", 0))
        self.assert_not_called(1000)
        self.assert_serves()


if __name__ == "__main__":
    unittest.main()
