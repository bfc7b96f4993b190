"""What a server makes of messages other than plain requests, and of those that make no sense."""

import socket
import time
import unittest

from tests.scripted import contract
from tests.scripted.hostile import MEASURED, HostileTest
from tests.scripted.programs import TRANSPORT, in_every_variant
from tests.scripted.server import ServerTest
from tests.support import cdr, giop, ior
from tests.support.giop import HEADER, Addressing, Locate, LocateRequest, Message, Reply, Request, Status, Type
from tests.support.peer import Answering, Listener


class LocateRequests(HostileTest):
    def locate(self, **fields):
        minor, order = self.variant
        request = LocateRequest(next(self.ids), **fields)
        self.peer.send(request.message(minor, order))
        message = self.peer.receive()
        self.assertEqual((Type.LOCATE_REPLY, minor), (message.type, message.minor))
        r = message.reader()
        self.assertEqual(request.request_id, r.get("ulong"))
        status = Locate(r.get("ulong"))
        self.assertEqual(0, r.remaining())
        return status

    @in_every_variant
    def test_objects_are_here_or_unknown(self, *variant):
        self.variant = variant
        key = self.server.key
        for here in [key, b"Everything"]:
            self.assertEqual(Locate.HERE, self.locate(key=here))
        for other in [b"", b"nonsense", self.server.gone, key[:-1], key + b"\0", b"Everything "]:
            self.assertEqual(Locate.UNKNOWN, self.locate(key=other), other)

    @in_every_variant(versions=[2])
    def test_objects_may_be_named_by_profile_or_reference(self, *variant):
        self.variant = variant
        for key, status in [(self.server.key, Locate.HERE), (self.server.gone, Locate.UNKNOWN)]:
            for order in cdr.ORDERS:
                profile = 0, ior.Profile("elsewhere", 1, key, 2, [(3, b"")]).encode(order)
                self.assertEqual(status, self.locate(addressing=Addressing.PROFILE, profile=profile))
                reference = 1, ior.Ior("IDL:X:1.0", [(55, b""), profile])
                self.assertEqual(status, self.locate(addressing=Addressing.REFERENCE, reference=reference))


class Cancellations(ServerTest):
    @in_every_variant
    def test_requests_that_are_not_there_may_be_cancelled(self, *variant):
        self.variant = variant
        self.peer.send(giop.cancel(*variant, 1), giop.cancel(*variant, 0xFFFFFFFF))
        self.assert_serves()

    @in_every_variant
    def test_a_cancelled_request_that_runs_is_not_answered_and_the_others_are(self, *variant):
        self.variant = variant
        callback = self.enterContext(Listener())
        target = callback.reference(b"the callback", variant[1], type_id="IDL:Contract/Callback:1.0")

        def request(request_id, n):
            arguments = contract.writing(["reference", "long"], [target, n])
            return Request(request_id, "call_back", self.server.key, arguments=arguments).message(*variant)

        self.peer.send(request(1000, 1), request(1001, 2))
        called = callback.accept()
        waiting = [called.request() for _ in range(2)]
        self.peer.send(giop.cancel(*variant, 1000))
        self.assertEqual(Status.NO_EXCEPTION, self.call("ping").status)
        for inner in waiting:
            doubled = giop.values(cdr.BIG).put("long", 2 * inner.reader.get("long")).bytes()
            called.send(Reply(inner.request_id, results=doubled).message(2, cdr.BIG))
        reply = self.peer.reply()
        self.assertEqual((1001, 5), (reply.request_id, reply.reader.get("long")))
        self.assert_serves()

    @in_every_variant
    def test_a_request_id_may_be_used_again_after_a_cancellation(self, *variant):
        self.variant = variant
        plus = Request(5, "plus", self.server.key, arguments=contract.writing(["long"], [1])).message(*variant)
        for _ in range(3):
            self.peer.send(Request(5, "ping", self.server.key).message(*variant), giop.cancel(*variant, 5), plus)
            reply = self.peer.reply()
            while not reply.reader.remaining():  # of one that was faster than its cancellation
                reply = self.peer.reply()
            self.assertEqual((5, 2), (reply.request_id, reply.reader.get("long")))

    @in_every_variant
    def test_cancellations_without_a_request_id_are_refused(self, *variant):
        self.variant = variant
        self.assert_refused(giop.Message(Type.CANCEL, *variant, b"abc"))
        self.assert_serves()


class CancelledBeforeTheyRun(HostileTest):
    OPTIONS = "-ORBmaxThreads", "8"

    @in_every_variant
    def test_requests_that_wait_for_their_manager_are_dropped_and_their_threads_free(self, *variant):
        """More of them than can wait at once: one that is not dropped would leave no room for those behind."""
        self.variant = variant
        for _ in range(10):
            self.server.__exit__()
            self.setUp()
            if self.cancel_more_than_can_wait(variant):
                return
        self.fail("those that were cancelled leave no room, or run")

    def cancel_more_than_can_wait(self, variant):
        """Whether one that comes later has room to wait, and none of the others runs. Where it has none the answer that says so
        may be overtaken by the next one, if its thread is kept from writing it; and one whose thread is kept from beginning
        to wait until its manager is active runs, cancelled or not: then nothing is known."""
        note = lambda n: Request(n, "note", self.server.held, 0, arguments=contract.writing(["long"], [n])).message(*variant)
        for n in range(1000, 1040):
            self.peer.send(note(n))
            self.assertEqual(Status.NO_EXCEPTION, self.call("ping").status)
            self.peer.send(giop.cancel(*variant, n))
            self.assertEqual(Status.NO_EXCEPTION, self.call("ping").status)
        for request_id in range(2000, 3000):  # until the threads of all have come back
            plus = Request(request_id, "plus", self.server.held, arguments=contract.writing(["long"], [1]))
            self.peer.send(plus.message(*variant), Request(1, "ping", self.server.key).message(*variant))
            if self.peer.reply().request_id == 1:
                break
            self.assertEqual(1, self.peer.reply().request_id)
        self.server.activate()
        reply = self.peer.reply()
        self.assertEqual(request_id, reply.request_id)
        if reply.status == Status.SYSTEM_EXCEPTION:
            return False
        self.assertEqual(2, reply.reader.get("long"))
        return self.call("noted", key=self.server.held).reader.get("long") == 0


class Conversations(ServerTest):
    @in_every_variant
    def test_requests_are_served_while_others_of_the_connection_wait(self, *variant):
        self.variant = variant
        callback = self.enterContext(Listener())
        target = callback.reference(b"the callback", variant[1], type_id="IDL:Contract/Callback:1.0")
        arguments = contract.writing(["reference", "long"], [target, 20])
        self.peer.send(Request(1000, "call_back", self.server.key, arguments=arguments).message(*variant))
        called = callback.accept()
        inner = called.request()
        self.assertEqual(("twice", b"the callback", 20), (inner.operation, inner.key, inner.reader.get("long")))
        for _ in range(10):
            self.assertEqual(Status.NO_EXCEPTION, self.call("ping").status)
        called.send(Reply(inner.request_id, results=giop.values(cdr.BIG).put("long", 40).bytes()).message(2, cdr.BIG))
        reply = self.peer.reply()
        self.assertEqual((1000, 41), (reply.request_id, reply.reader.get("long")))

    @in_every_variant
    def test_what_goes_wrong_with_a_callback_reaches_the_caller(self, *variant):
        self.variant = variant
        callback = self.enterContext(Answering(None))
        target = callback.reference(b"the callback", variant[1], type_id="IDL:Contract/Callback:1.0")
        arguments = contract.writing(["reference", "long"], [target, 20])
        body = giop.system_exception(cdr.BIG, "NO_RESOURCES", 17, giop.Completion.YES)
        callback.answer = lambda r: Reply(r.request_id, Status.SYSTEM_EXCEPTION, body).message(2, cdr.BIG)
        self.assertEqual(("NO_RESOURCES", 17, "YES"), self.system_exception("call_back", arguments))
        callback.answer = lambda r: None
        self.assertEqual("COMM_FAILURE", self.system_exception("call_back", arguments)[0])
        callback.close()
        self.assertEqual("TRANSIENT", self.system_exception("call_back", arguments)[0])

    @in_every_variant
    def test_clients_may_leave_while_their_request_runs(self, *variant):
        self.variant = variant
        callback = self.enterContext(Listener())
        target = callback.reference(b"the callback", variant[1], type_id="IDL:Contract/Callback:1.0")
        for end in ["close", "reset"]:
            arguments = contract.writing(["reference", "long"], [target, 20])
            leaving = self.server.connect()
            leaving.send(Request(1000, "call_back", self.server.key, arguments=arguments).message(*variant))
            called = callback.peers[0] if callback.peers else callback.accept()
            inner = called.request()
            getattr(leaving, end)()
            self.assert_serves()
            called.send(Reply(inner.request_id, results=bytes(4)).message(2, cdr.BIG))
            self.assert_serves()

    @in_every_variant(versions=[2])
    def test_padding_behind_a_request_without_arguments_is_passed_over(self, *variant):
        self.variant = variant
        for operation in ["ping", "_get_count", "_non_existent"]:
            message = Request(5, operation, self.server.key).message(*variant)
            message.body += bytes(cdr.padding(HEADER + len(message.body), 8))
            self.peer.send(message)
            self.assertEqual(Status.NO_EXCEPTION, self.peer.reply().status)

    @unittest.skipIf(TRANSPORT == "ssl", "Python's TLS sockets read on and forget it when they say goodbye: see hostile_tls_test")
    @in_every_variant
    def test_a_client_that_ends_its_output_still_gets_its_replies(self, *variant):
        with self.server.connect() as peer:
            peer.send(*[Request(n, "ping", self.server.key).message(*variant) for n in range(5)])
            peer.socket.shutdown(socket.SHUT_WR)
            self.assertEqual(list(range(5)), [peer.reply().request_id for _ in range(5)])
        self.assert_serves()

    @unittest.skipIf(TRANSPORT == "ssl", "Python's TLS sockets read on and forget it when they say goodbye: see hostile_tls_test")
    @in_every_variant
    def test_a_client_that_ends_its_output_still_gets_the_reply_that_takes_its_time(self, *variant):
        with self.server.connect() as peer:
            peer.send(Request(7, "ping", self.server.held).message(*variant), Request(8, "ping", self.server.key).message(*variant))
            self.assertEqual(8, peer.reply().request_id)
            peer.socket.shutdown(socket.SHUT_WR)
            time.sleep(0.05)  # which the server has seen by then; if not, this shows less
            self.server.activate()
            self.assertEqual(7, peer.reply().request_id)
        self.server.__exit__()  # the next one finds the object held again
        self.setUp()

    @in_every_variant
    def test_a_client_that_says_goodbye_is_not_answered(self, *variant):
        for message in [giop.close(*variant), giop.error(*variant)]:
            with self.server.connect() as peer:
                peer.send(message)
                self.assertTrue(peer.ended())
        self.assert_serves()


class Nonsense(HostileTest):
    def request(self, minor, order, **fields):
        return Request(7, "ping", self.server.key, **fields).message(minor, order)

    @in_every_variant
    def test_what_is_not_GIOP_is_refused(self, *variant):
        good = self.request(*variant).bytes()
        for bad in [b"GIOQ" + good[4:], b"giop" + good[4:], b"GET / HTTP/1.0\r\n\r\n", bytes(100), b"\xff" * 100,
                    b"ZIOP" + good[4:]]:
            self.assert_refused(bad)
        self.assert_serves()

    @in_every_variant
    def test_versions_that_are_not_spoken_are_answered_with_MessageError(self, *variant):
        good = self.request(*variant).bytes()
        for major, minor in [(1, 3), (1, 255), (2, 0), (0, 0), (255, 255)]:
            answer = self.assert_refused(good[:4] + bytes([major, minor]) + good[6:])
            self.assertIsNotNone(answer, f"{major}.{minor}")
        self.assert_serves()

    @in_every_variant
    def test_unknown_types_and_flags_are_answered_with_MessageError(self, *variant):
        good = self.request(*variant).bytes()
        for index, values in [(7, [8, 9, 255]), (6, [4, 8, 128, 255])]:
            for value in values:
                self.assertIsNotNone(self.assert_refused(good[:index] + bytes([value]) + good[index + 1 :]))
        if variant[0] == 0:
            for index, value in [(6, 2), (7, 7)]:  # there are no fragments in 1.0
                self.assertIsNotNone(self.assert_refused(good[:index] + bytes([value]) + good[index + 1 :]))
        self.assert_serves()

    @in_every_variant
    def test_messages_that_only_servers_send_are_refused(self, *variant):
        for message in [Reply(1).message(*variant), giop.locate_reply(*variant, 1, Locate.HERE)]:
            self.assertIsNotNone(self.assert_refused(message))
        self.assert_serves()

    @in_every_variant
    def test_headers_that_end_early_are_refused(self, *variant):
        good = self.request(*variant, contexts=[(5, b"abc")])
        for size in range(len(good.body)):
            answer = self.assert_refused(Message(good.type, *variant, good.body[:size]))
            self.assertIsNotNone(answer, f"{size} octets")
        self.assert_serves()

    @in_every_variant
    def test_lengths_in_headers_that_pass_the_end_are_refused(self, *variant):
        order = variant[1]
        good = self.request(*variant, contexts=[(0x5555, b"eleven oct.")])
        at = {len(self.server.key), len(b"ping\0"), 11}
        found = 0
        key = good.body.index(self.server.key)  # whose octets may look like anything
        for offset in range(0, len(good.body) - 3, 4):
            value = cdr.Reader(order, good.body[offset : offset + 4]).get("ulong")
            if value not in at or key - 4 < offset < key + len(self.server.key):
                continue
            found += 1
            for length in [0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFC, len(good.body)]:
                body = good.body[:offset] + cdr.Writer(order).put("ulong", length).bytes() + good.body[offset + 4 :]
                self.assertIsNotNone(self.assert_refused(Message(good.type, *variant, body)), f"{length} at {offset}")
        self.assertGreaterEqual(found, 3)
        self.assert_serves()

    @in_every_variant(versions=[2])
    def test_targets_that_cannot_be_understood_are_refused(self, *variant):
        order = variant[1]
        profile = ior.Profile("h", 1, self.server.key).encode(order)
        bad = [dict(addressing=mode) for mode in [3, 255, 0xFFFF]]
        for broken in [b"", b"\2" + profile[1:], profile[:12], b"\1"]:
            bad.append(dict(addressing=Addressing.PROFILE, profile=(0, broken)))
        for index in [1, 2, 0xFFFFFFFF]:
            bad.append(dict(addressing=Addressing.REFERENCE, reference=(index, ior.Ior("", [(0, profile)]))))
        bad.append(dict(addressing=Addressing.REFERENCE, reference=(0, ior.NIL)))
        for fields in bad:
            with self.server.connect() as peer:
                peer.send(Request(7, "ping", b"", **fields).message(*variant))
                message = peer.receive()
                self.assertIn(message.type, [Type.ERROR, Type.REPLY], fields)
                if message.type == Type.REPLY:
                    self.assertEqual(Status.SYSTEM_EXCEPTION, Reply.decode(message).status, fields)
            with self.server.connect() as peer:
                peer.send(LocateRequest(7, b"", **fields).message(*variant))
                message = peer.receive()
                self.assertIn(message.type, [Type.ERROR, Type.LOCATE_REPLY], fields)
        self.assert_serves()


class Addressed(HostileTest):
    @in_every_variant(versions=[2])
    def test_whoever_names_a_target_by_what_is_not_known_is_asked_for_its_key(self, *variant):
        self.variant = variant
        profile = 99, ior.Profile("h", 1, self.server.key).encode(variant[1])
        for fields in [dict(addressing=Addressing.PROFILE, profile=profile),
                       dict(addressing=Addressing.REFERENCE, reference=(0, ior.Ior("IDL:X:1.0", [profile])))]:
            reply = self.call("ping", key=b"", **fields)
            self.assertEqual((Status.NEEDS_ADDRESSING_MODE, Addressing.KEY), (reply.status, reply.reader.get("ushort")))
            self.peer.send(LocateRequest(7, **fields).message(*variant))
            r = self.peer.receive().reader()
            self.assertEqual((7, Locate.NEEDS_ADDRESSING_MODE, Addressing.KEY), (r.get("ulong"), r.get("ulong"), r.get("ushort")))
            self.assertEqual(0, r.remaining())
        self.assert_serves()

    @in_every_variant
    def test_objects_of_a_manager_that_discards_are_located_with_its_exception(self, *variant):
        """Before 1.2 there is no such status: the object is here, and the request learns it."""
        self.variant = variant
        self.server.discard()
        for _ in range(1000):  # until the server has read the line
            if self.call("ping", key=self.server.held).status == Status.SYSTEM_EXCEPTION:
                break
        self.peer.send(LocateRequest(7, self.server.held).message(*variant))
        r = self.peer.receive().reader()
        self.assertEqual(7, r.get("ulong"))
        if variant[0] < 2:
            self.assertEqual(Locate.HERE, r.get("ulong"))
            return
        self.assertEqual(Locate.SYSTEM_EXCEPTION, r.get("ulong"))
        self.assertEqual("IDL:omg.org/CORBA/TRANSIENT:1.0", giop.get_system_exception(r)[0])
        self.assertEqual(0, r.remaining())

    @in_every_variant
    def test_names_that_lead_elsewhere_are_located_there(self, *variant):
        self.variant = variant
        self.peer.send(LocateRequest(7, b"Alias").message(*variant))
        r = self.peer.receive().reader()
        self.assertEqual((7, Locate.FORWARD), (r.get("ulong"), r.get("ulong")))
        self.assertEqual(self.server.key, ior.Ior.decode(r).iiop()[0].key)
        self.assertEqual(0, r.remaining())


class Arguments(HostileTest):
    """Arguments that are not what the operation takes: MARSHAL, and nothing was carried out."""

    def assert_marshal(self, operation, arguments, what=None):
        reply = self.call(operation, arguments)
        self.assertEqual(Status.SYSTEM_EXCEPTION, reply.status, what)
        name, _, completed = giop.get_system_exception(reply.reader)
        self.assertEqual(("IDL:omg.org/CORBA/MARSHAL:1.0", giop.Completion.NO), (name, completed), what)

    @in_every_variant
    def test_arguments_that_end_early(self, *variant):
        self.variant = variant
        person = ("name", 5, ["nick", "other nick"])
        cases = [("text", ["string"] * 2, ["one", "two"]), ("give_person", [contract.PERSON] * 2, [person] * 2),
                 ("plus", ["long"], [1]), ("give_octets", [contract.Sequence("octet")] * 2, [[1, 2, 3]] * 2),
                 ("give_points", [contract.Sequence(contract.POINT)] * 2, [[(1, 2, 3, 4, 5.0)]] * 2),
                 ("give_value", [contract.VALUE] * 2, [(1, "text"), (0, 5)]),
                 ("give_row", [contract.ROW] * 2, [[1, 2, 3, 4]] * 2),
                 ("give_tree", [contract.TREE], [(1, [(2, []), (3, [])])]),
                 ("reference", ["reference"] * 2, [self.server.reference, ior.NIL]),
                 ("_is_a", ["string"], ["IDL:X:1.0"]), ("_set_label", ["string"], ["new"])]
        for operation, kinds, values in cases:
            whole = Request(7, operation, self.server.key, arguments=contract.writing(kinds, values)).message(*variant)
            header = len(Request(7, operation, self.server.key).message(*variant).body)
            if variant[0] == 2:
                header += cdr.padding(HEADER + header, 8)
            for size in range(header, len(whole.body)):
                self.peer.send(Message(Type.REQUEST, *variant, whole.body[:size]))
                reply = self.peer.reply()
                self.assertEqual(Status.SYSTEM_EXCEPTION, reply.status, f"{operation}, {size - header} octets")
                self.assertEqual(("IDL:omg.org/CORBA/MARSHAL:1.0", giop.Completion.NO),
                                 giop.get_system_exception(reply.reader)[::2], f"{operation}, {size - header} octets")
        self.assertEqual(["none"], self.results("_get_label", [], [], ["string"]))

    @in_every_variant
    def test_lengths_that_pass_the_end(self, *variant):
        self.variant = variant
        operations = ["text", "bounded", "give_octets", "give_longs", "few", "give_booleans", "give_chars",
                      "give_strings", "give_points", "give_people", "give_matrix", "give_callbacks", "_set_label"]
        for operation in operations:
            for length in [9, 1000, 0x10000000, 0x20000000, 0x40000001, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]:
                self.assert_marshal(operation, lambda w: w.put("ulong", length).raw(bytes(8)), f"{operation} {length}")
        if MEASURED:
            self.assertLess(self.server.status("VmRSS"), 200000)

    @in_every_variant
    def test_values_outside_of_their_type(self, *variant):
        self.variant = variant
        flags = lambda boolean, enum: lambda w: [w.put("octet", boolean).put("ulong", enum) for _ in range(2)]
        cases = {
            "enum": ("give_color", lambda w: w.put("ulong", 3, 0)),
            "enum in a struct": ("give_flags", flags(1, 4)),
            "boolean": ("give_booleans", lambda w: w.sequence("octet", [0, 1, 2])),
            "boolean in a struct": ("give_flags", flags(2, 0)),
            "discriminator": ("give_value", lambda w: w.put("ulong", 3, 0).raw(bytes(64))),
            "boolean discriminator": ("give_maybe", lambda w: w.put("octet", 3).raw(bytes(64))),
            "string without its end": ("text", lambda w: w.octets(b"abc").octets(b"d\0")),
            "string longer than its bound": ("bounded", lambda w: w.string("123456")),
            "sequence longer than its bound": ("few", lambda w: w.sequence("double", [0.0] * 9)),
        }
        for what, (operation, arguments) in cases.items():
            self.assert_marshal(operation, arguments, what)

    @in_every_variant
    def test_a_string_without_even_its_end_is_empty(self, *variant):
        self.variant = variant
        reply = self.call("text", lambda w: w.octets(b"").string("b"))
        self.assertEqual(["", "", "b"], [reply.reader.string() for _ in range(3)])

    @in_every_variant
    def test_a_union_without_a_case_for_its_discriminator_is_empty(self, *variant):
        self.variant = variant
        empty = (False, None)
        self.assertEqual([empty], self.results("give_maybe", [contract.MAYBE], [empty], [contract.MAYBE]))

    @in_every_variant
    def test_trees_too_deep_to_be_read(self, *variant):
        self.variant = variant
        deep = lambda levels: lambda w: [w.put("long", n).put("ulong", n + 1 < levels) for n in range(levels)]
        self.assertEqual(Status.NO_EXCEPTION, self.call("give_tree", deep(20)).status)
        self.assert_marshal("give_tree", deep(100000))
        self.assert_serves()

    @in_every_variant
    def test_octets_behind_the_arguments_do_no_harm(self, *variant):
        self.variant = variant
        minor, order = variant
        self.call("plus", lambda w: w.put("long", 1).raw(b"\xff" * 21))
        self.call("ping", b"\xff" * 9)
        self.assert_serves()


if __name__ == "__main__":
    unittest.main()
