"""Bidirectional GIOP: requests that go the other way over a client's connection, at both ends."""

import socket
import threading
import time
import unittest

from tests.scripted import contract
from tests.scripted.hostile import MEASURED
from tests.scripted.programs import LOOPBACK, Client, ScriptedTest, in_every_variant
from tests.scripted.server import ServerTest
from tests.support import cdr, giop, ior
from tests.support.giop import Locate, LocateRequest, Reply, Request, Status, Type
from tests.support.peer import PATIENCE, Listener, Peer

BI_DIR_IIOP = 5
NOWHERE = "callback.invalid", 4711  # no name server knows it


def at_peer(peer):
    """An address that nobody else offers, and that cannot be reached."""
    return f"callback-{peer.number}.invalid", 4711


def offer(order, *points):
    """The service context that offers to be called back."""
    w = cdr.encapsulation(order).put("ulong", len(points))
    for host, port in points:
        w.string(host).put("ushort", port)
    return BI_DIR_IIOP, w.bytes()


def offered(contexts):
    """The listen points in it, or None."""
    for tag, data in contexts:
        if tag == BI_DIR_IIOP:
            r = cdr.open_encapsulation(data)
            return [(r.string(), r.get("ushort")) for _ in range(r.get("ulong"))]
    return None


def callback_at(order, host, port, key=b"the callback", minor=2):
    profile = ior.Profile(host, port, key, minor).encode(order)
    return ior.Ior("IDL:Contract/Callback:1.0", [(ior.TAG_INTERNET_IOP, profile)])


class Callbacks:
    def call_back(self, request_id, n=20, at=None, points=None, peer=None):
        """A request that makes the server call `at`, and offers `points`: by default an address of this connection."""
        minor, order = self.variant
        at = at or at_peer(peer or self.peer)
        points = [at] if points is None else points
        arguments = contract.writing(["reference", "long"], [callback_at(order, *at), n])
        contexts = [(77, b"unknown"), offer(order, *points)] if points else []
        request = Request(request_id, "call_back", self.server.key, arguments=arguments, contexts=contexts)
        (peer or self.peer).send(request.message(minor, order))

    def doubled(self, inner):
        order = self.variant[1]
        results = giop.values(order).put("long", 2 * inner.reader.get("long")).bytes()
        return Reply(inner.request_id, results=results).message(2, order)

    def assert_answered(self, request_id, value, peer=None):
        reply = (peer or self.peer).reply()
        self.assertEqual((request_id, Status.NO_EXCEPTION), (reply.request_id, reply.status))
        self.assertEqual(value, reply.reader.get("long"))

    def assert_not_called(self, request_id, peer=None, others=()):
        """The callback cannot be reached: TRANSIENT, or one of the others."""
        reply = (peer or self.peer).reply()
        self.assertEqual((request_id, Status.SYSTEM_EXCEPTION), (reply.request_id, reply.status))
        self.assertIn(giop.get_system_exception(reply.reader)[0],
                      [f"IDL:omg.org/CORBA/{name}:1.0" for name in ("TRANSIENT", *others)])


class CalledBack(Callbacks, ServerTest):
    """A server that calls its client back."""

    OPTIONS = "-ORBacceptBiDirectionalGIOP", "1"

    @in_every_variant(versions=[2])
    def test_calls_to_what_was_offered_come_on_the_same_connection(self, *variant):
        self.variant = variant
        for request_id in [1000, 1002]:
            self.call_back(request_id, request_id)
            inner = self.peer.request()
            self.assertEqual(("twice", b"the callback"), (inner.operation, inner.key))
            self.assertEqual(1, inner.request_id % 2, "ids of the end that did not make the connection are odd")
            self.peer.send(self.doubled(inner))
            self.assert_answered(request_id, 2 * request_id + 1)
        self.reconnect()

    @in_every_variant(versions=[2])
    def test_requests_are_served_while_a_callback_waits(self, *variant):
        self.variant = variant
        self.call_back(1000)
        inner = self.peer.request()
        for _ in range(5):
            self.assertEqual(Status.NO_EXCEPTION, self.call("ping").status)
        self.call_back(1002, 30)
        self.peer.send(self.doubled(self.peer.request()))
        self.assert_answered(1002, 61)
        self.peer.send(self.doubled(inner))
        self.assert_answered(1000, 41)
        self.reconnect()

    @in_every_variant(versions=[2])
    def test_replies_of_callbacks_may_come_in_fragments(self, *variant):
        self.variant = variant
        self.call_back(1000)
        self.peer.send(*giop.fragmented(self.doubled(self.peer.request()), 20, 24))
        self.assert_answered(1000, 41)
        self.reconnect()

    @in_every_variant(versions=[2])
    def test_what_was_not_offered_is_called_on_a_connection_of_its_own(self, *variant):
        self.variant = variant
        listener = self.enterContext(Listener())
        self.call_back(1000, at=("127.0.0.1", listener.port), points=[NOWHERE])
        called = listener.accept()
        called.send(self.doubled(called.request()))
        self.assert_answered(1000, 41)
        self.reconnect()

    @in_every_variant(versions=[0, 1])
    def test_before_1_2_an_offer_means_nothing(self, *variant):
        self.variant = variant
        self.call_back(1000)
        self.assert_not_called(1000)

    @in_every_variant(versions=[2])
    def test_malformed_offers_mean_nothing(self, *variant):
        self.variant = variant
        whole = offer(variant[1], NOWHERE)[1]
        arguments = contract.writing(["reference", "long"], [callback_at(variant[1], *NOWHERE), 1])
        for data in [b"", *[whole[:n] for n in range(1, len(whole) - 1, 3)], whole[:4] + b"\xff" * 8]:
            request = Request(8, "call_back", self.server.key, arguments=arguments, contexts=[(BI_DIR_IIOP, data)])
            self.peer.send(request.message(*variant))
            self.assert_not_called(8)

    @in_every_variant(versions=[2])
    def test_an_address_stays_with_who_offered_it_first_until_that_connection_ends(self, *variant):
        self.variant = variant
        first, second = self.enterContext(self.server.connect()), self.enterContext(self.server.connect())
        at = at_peer(first)
        for peer in [first, second]:
            self.call_back(1000, 1, at, peer=peer)
            first.send(self.doubled(first.request()))
            self.assert_answered(1000, 3, peer)
        first.close()
        for request_id in range(1000, 3000, 2):  # until the server has seen the end
            self.call_back(request_id, 1, at, points=[], peer=second)
            message = second.receive()
            if message.type == Type.REQUEST:
                second.send(self.doubled(Request.decode(message)))
                self.assert_answered(request_id, 3, second)
                break
        else:
            self.fail("nobody is called back")

    @in_every_variant(versions=[2])
    def test_how_much_one_client_may_offer_is_bounded(self, *variant):
        self.variant = variant
        before = self.server.status("VmRSS")
        for n in range(300):
            points = [(f"host-{n}-{m}-" + "x" * 1000, 1) for m in range(20)]
            note = Request(8, "note", self.server.key, 0, arguments=contract.writing(["long"], [0]),
                           contexts=[offer(variant[1], *points)])
            self.peer.send(note.message(*variant))
        self.assertEqual(Status.NO_EXCEPTION, self.call("ping").status)
        if MEASURED:
            self.assertLess(self.server.status("VmRSS") - before, 4096)
        self.reconnect()

    @in_every_variant(versions=[2])
    def test_callbacks_fail_at_once_when_the_connection_ends(self, *variant):
        self.variant = variant
        with self.server.connect() as offering:
            self.call_back(8, 1, peer=offering)
            offering.request()
            self.call_back(1000, 1, at_peer(offering), points=[])
            self.assertEqual("twice", offering.request().operation)
        reply = self.peer.reply()
        name, _, completed = giop.get_system_exception(reply.reader)
        self.assertEqual(("IDL:omg.org/CORBA/COMM_FAILURE:1.0", giop.Completion.MAYBE), (name, completed))

    @in_every_variant(versions=[2])
    def test_after_CloseConnection_callbacks_that_wait_were_not_carried_out(self, *variant):
        self.variant = variant
        with self.server.connect() as offering:
            self.call_back(8, 1, peer=offering)
            offering.request()
            self.call_back(1000, 1, at_peer(offering), points=[])
            offering.request()
            offering.send(giop.close(*variant))
            self.assert_not_called(1000)

    @in_every_variant(versions=[2])
    def test_replies_to_nothing_are_ignored_once_callbacks_go_there(self, *variant):
        self.variant = variant
        self.call_back(1000)
        inner = self.peer.request()
        self.peer.send(Reply(inner.request_id + 2).message(*variant), Reply(0).message(*variant), self.doubled(inner))
        self.assert_answered(1000, 41)
        self.assert_serves()
        self.reconnect()

    @in_every_variant(versions=[2])
    def test_replies_in_fragments_that_end_for_nobody_are_passed_over(self, *variant):
        self.variant = variant
        self.call_back(1000)
        inner = self.peer.request()
        begun = [giop.fragmented(Reply(inner.request_id + 2 * n, results=bytes(100)).message(*variant), 40, 40)
                 for n in range(1, 101)]
        self.peer.send(*[parts[0] for parts in begun], self.doubled(inner), *[parts[1] for parts in begun])
        self.assert_answered(1000, 41)
        self.assert_serves()
        self.reconnect()


class CalledBackReactive(CalledBack):
    OPTIONS = (*CalledBack.OPTIONS, "-ORBserverModel", "reactive")


class CalledBackWithAThreadForEach(CalledBack):
    OPTIONS = (*CalledBack.OPTIONS, "-ORBserverModel", "connection")


class NotCalledBack(Callbacks, ServerTest):
    def test_without_the_option_an_offer_means_nothing(self):
        self.variant = 2, cdr.LITTLE
        self.call_back(1000)
        self.assert_not_called(1000)
        self.assert_serves()


class CallingBack(ScriptedTest):
    """A client that lets its server call back."""

    OPTIONS = ("serving", *LOOPBACK, "-ORBofferBiDirectionalGIOP", "1")

    def begin(self, order, minor=2, options=None):
        """A call whose request has arrived: its tag, the connection and the request."""
        listener = self.enterContext(Listener())
        self.client = self.enterContext(Client(*(options or self.OPTIONS)))
        self.client.use(listener.reference(b"key", order, minor).text(order))
        tag = self.client.begin("call_back", 7)
        peer = listener.accept()
        request = peer.request()
        self.target = ior.Ior.decode(request.reader).iiop()[0]
        return tag, peer, request

    def begin_over_unix(self, order):
        """A client that has called once, its connection, whose buffers are small, and its object's key."""
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind("")  # the kernel chooses a name
        listener.listen()
        client = self.enterContext(Client(*self.OPTIONS))
        client.use(f"corbaloc:omniunix:@{listener.getsockname()[1:].decode()}:/key")
        tag = client.begin("call_back", 7)
        peer = Peer(listener.accept()[0])
        self.addCleanup(peer.close)
        request = peer.request()
        self.answer(peer, order, request, 1)
        self.assertEqual("1", client.result(tag))
        return client, peer, ior.Ior.decode(request.reader).iiop()[0].key

    def twice(self, peer, order, request_id, n, key=None):
        arguments = giop.values(order).put("long", n).bytes()
        peer.send(Request(request_id, "twice", key or self.target.key, arguments=arguments).message(2, order))

    def answer(self, peer, order, request, value, minor=2):
        results = giop.values(order).put("long", value).bytes()
        peer.send(Reply(request.request_id, results=results).message(minor, order))

    @in_every_variant(versions=[2])
    def test_the_first_request_says_where_the_clients_objects_are(self, minor, order):
        tag, peer, request = self.begin(order)
        self.assertEqual([(self.target.host, self.target.port)], offered(request.contexts))
        self.assertEqual(0, request.request_id % 2, "ids of the end that made the connection are even")
        self.answer(peer, order, request, 1)
        self.assertEqual("1", self.client.result(tag))
        tag = self.client.begin("plus", 1)
        second = peer.request()
        self.assertIsNone(offered(second.contexts))
        self.assertEqual(0, second.request_id % 2)
        self.answer(peer, order, second, 2)
        self.assertEqual("2", self.client.result(tag))

    @in_every_variant(versions=[2])
    def test_the_server_may_call_back_while_the_client_waits(self, minor, order):
        tag, peer, request = self.begin(order)
        for n in range(5):
            self.twice(peer, order, 2 * n + 1, n)
            reply = peer.reply()
            self.assertEqual((2 * n + 1, Status.NO_EXCEPTION, 2 * n),
                             (reply.request_id, reply.status, reply.reader.get("long")))
        self.answer(peer, order, request, 1)
        self.assertEqual("1", self.client.result(tag))

    @in_every_variant(versions=[2])
    def test_many_callbacks_may_come_at_once_with_the_reply(self, minor, order):
        tag, peer, request = self.begin(order)
        arguments = giop.values(order).put("long", 4).bytes()
        calls = [Request(n, "twice", self.target.key, arguments=arguments).message(2, order) for n in range(1, 101, 2)]
        reply = Reply(request.request_id, results=giop.values(order).put("long", 3).bytes()).message(2, order)
        peer.send(*calls[:25], *calls[25:], reply)
        self.assertEqual("3", self.client.result(tag))
        self.assertEqual({n for n in range(1, 101, 2)}, {peer.reply().request_id for _ in calls})

    @in_every_variant(versions=[2])
    def test_callbacks_may_come_in_fragments_and_to_objects_that_are_not_there(self, minor, order):
        tag, peer, request = self.begin(order)
        arguments = giop.values(order).put("long", 21).bytes()
        message = Request(7, "twice", self.target.key, arguments=arguments).message(2, order)
        peer.send(*giop.fragmented(message, 24, 40))
        self.assertEqual(42, peer.reply().reader.get("long"))
        self.twice(peer, order, 9, 1, b"nobody")
        reply = peer.reply()
        self.assertEqual((9, Status.SYSTEM_EXCEPTION), (reply.request_id, reply.status))
        peer.send(LocateRequest(11, self.target.key).message(2, order), giop.cancel(2, order, 99))
        r = peer.receive().reader()
        self.assertEqual((11, Locate.HERE), (r.get("ulong"), r.get("ulong")))
        self.answer(peer, order, request, 1)
        self.assertEqual("1", self.client.result(tag))

    @in_every_variant(versions=[2])
    def test_callbacks_may_ask_to_be_answered_early(self, minor, order):
        tag, peer, request = self.begin(order)
        arguments = giop.values(order).put("long", 21).bytes()
        peer.send(Request(7, "twice", self.target.key, 1, arguments=arguments).message(2, order))
        reply = peer.reply()
        self.assertEqual((7, Status.NO_EXCEPTION), (reply.request_id, reply.status))
        self.answer(peer, order, request, 1)
        self.assertEqual("1", self.client.result(tag))

    @in_every_variant(versions=[2])
    def test_a_malformed_callback_ends_the_connection_and_the_call(self, minor, order):
        tag, peer, request = self.begin(order)
        peer.send(giop.Message(Type.REQUEST, 2, order, b"\0\0\0\1"))
        self.assertEqual(Type.ERROR, peer.receive().type)
        self.assert_raised(self.client.result(tag), "COMM_FAILURE", "MAYBE")


class CallingBackElsewhere(ScriptedTest):
    """Where the client's references say that it is, others reach it, not where it listens."""

    begin, answer = CallingBack.begin, CallingBack.answer
    LISTENING = "serving", "-ORBofferBiDirectionalGIOP", "1"

    def assert_offers(self, points, *options):
        tag, peer, request = self.begin(cdr.LITTLE, options=(*self.LISTENING, *options))
        self.assertEqual(points, offered(request.contexts))
        self.answer(peer, cdr.LITTLE, request, 1)
        self.assertEqual("1", self.client.result(tag))

    def test_what_is_published_is_offered_in_place_of_where_it_listens(self):
        self.assert_offers([("nat.example", 4000), ("nat.example", 4001)], *LOOPBACK, "-ORBendPointPublish",
                           "giop:tcp:nat.example:4000,giop:tcp:nat.example:4001")

    def test_what_is_published_beside_it_is_offered_too(self):
        self.assert_offers([("nat.example", 4000)], "-ORBendPointNoPublish", "giop:tcp:127.0.0.1:0",
                           "-ORBendPointNoListen", "giop:tcp:nat.example:4000")

    def test_where_nothing_is_published_nothing_is_offered(self):
        self.assert_offers(None, "-ORBendPointNoPublish", "giop:tcp:127.0.0.1:0")


class CallingBackReactive(CallingBack):
    """The thread that waits for a reply is the one that serves."""

    OPTIONS = (*CallingBack.OPTIONS, "-ORBserverModel", "reactive")


class CallingBackWithAThreadForEach(CallingBack):
    OPTIONS = (*CallingBack.OPTIONS, "-ORBserverModel", "connection")


class CallingBackWithFewThreads(CallingBack):
    """One of them waits for the reply, the other serves."""

    OPTIONS = (*CallingBack.OPTIONS, "-ORBmaxThreads", "2")

    @in_every_variant(versions=[2])
    def test_replies_arrive_that_find_no_room_for_a_moment(self, minor, order):
        _, peer, key = self.begin_over_unix(order)
        arguments = giop.values(order).put("long", 4).bytes()
        calls = [Request(n, "twice", key, arguments=arguments).message(2, order) for n in range(1, 4001, 2)]
        calling = threading.Thread(target=peer.send, args=calls)
        calling.start()
        time.sleep(0.4)
        answered = {peer.reply().request_id for _ in calls}
        calling.join()
        self.assertEqual(set(range(1, 4001, 2)), answered)


class EndingWhileCalledBack(ScriptedTest):
    OPTIONS, answer, begin_over_unix = CallingBack.OPTIONS, CallingBack.answer, CallingBack.begin_over_unix

    @in_every_variant(versions=[2])
    def test_callbacks_that_have_run_are_answered_before_the_client_says_goodbye(self, minor, order):
        """CloseConnection would tell the server to call again elsewhere."""
        client, peer, key = self.begin_over_unix(order)
        arguments = giop.values(order).put("long", 4).bytes()
        peer.socket.settimeout(0.5)
        with self.assertRaises(OSError):  # until the client waits for room to answer
            for n in range(1, 200_001, 2):
                peer.send(Request(n, "twice", key, arguments=arguments).message(2, order))
        end = threading.Thread(target=client.finish)
        end.start()
        time.sleep(0.5)
        peer.socket.settimeout(PATIENCE)
        answered = set()
        while (message := peer.receive()) and message.type == Type.REPLY:
            answered.add(Reply.decode(message).request_id)
        self.assertEqual((Type.CLOSE, b""), (message.type, message.body) if message else None)
        self.assertGreater(len(answered), 100)
        end.join()


class NothingOffered(ScriptedTest):
    OPTIONS, begin, answer = CallingBack.OPTIONS, CallingBack.begin, CallingBack.answer

    def test_before_1_2_nothing_is_offered(self):
        for minor in [0, 1]:
            tag, peer, request = self.begin(cdr.BIG, minor)
            self.assertIsNone(offered(request.contexts))
            self.answer(peer, cdr.BIG, request, 1, minor)
            self.assertEqual("1", self.client.result(tag))

    def test_without_the_option_nothing_is_offered(self):
        tag, peer, request = self.begin(cdr.LITTLE, options=("serving", *LOOPBACK))
        self.assertIsNone(offered(request.contexts))
        self.answer(peer, cdr.LITTLE, request, 1)
        self.assertEqual("1", self.client.result(tag))


if __name__ == "__main__":
    unittest.main()
