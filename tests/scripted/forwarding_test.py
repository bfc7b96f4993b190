"""Clients follow forwards, remember them per reference, go back once, and never run in circles."""

import os
import unittest

from tests.scripted.programs import KEY, ScriptedTest, in_every_variant
from tests.support import cdr, giop, ior
from tests.support.giop import Completion, Reply, Status
from tests.support.peer import Answering, unreachable

ELSEWHERE = b"another key"


def forward(minor, order, target, status=Status.FORWARD):
    """An answer that forwards every request to what `target()` gives."""

    def answer(request):
        return Reply(request.request_id, status, target().encode(giop.values(order)).bytes()).message(minor, order)

    return answer


def raises(minor, order, name, completed):
    body = giop.system_exception(order, name, 3, completed)
    return lambda request: Reply(request.request_id, Status.SYSTEM_EXCEPTION, body).message(minor, order)


def answers(minor, order, value):
    """An answer to plus."""
    results = giop.values(order).put("long", value).bytes()
    return lambda request: Reply(request.request_id, results=results).message(minor, order)


class Forwarding(ScriptedTest):
    def places(self, minor, order, status=Status.FORWARD):
        """Two servers: `old` forwards to `new`, which answers 1."""
        new = self.enterContext(Answering(answers(minor, order, 1)))
        old = self.enterContext(
            Answering(forward(minor, order, lambda: new.reference(ELSEWHERE, order, minor), status)))
        return old, new

    @in_every_variant
    def test_a_forward_is_followed_and_remembered(self, minor, order):
        old, new = self.places(minor, order)
        client = self.client_of(old, order, minor)
        self.assertEqual(["1", "1", "1"], [client.call("plus", 0) for _ in range(3)])
        self.assertEqual([KEY], [r.key for r in old.received])
        self.assertEqual([ELSEWHERE] * 3, [r.key for r in new.received])

    @in_every_variant(versions=[2])
    def test_a_permanent_forward_is_followed(self, minor, order):
        old, new = self.places(minor, order, Status.FORWARD_PERM)
        client = self.client_of(old, order, minor)
        self.assertEqual(["1", "1"], [client.call("plus", 0) for _ in range(2)])
        self.assertEqual((1, 2), (len(old.received), len(new.received)))

    @in_every_variant(versions=[2])
    def test_a_permanent_forward_becomes_what_the_reference_is(self, minor, order):
        old, new = self.places(minor, order, Status.FORWARD_PERM)
        client = self.client_of(old, order, minor)
        client.call("plus", 0)
        printed = ior.Ior.parse(client.call("string"))
        self.assertEqual(new.reference(ELSEWHERE, order, minor).iiop(), printed.iiop())
        new.close()  # there is no way back
        self.assertIn(client.call("plus", 0).completed, ["NO", "MAYBE"])
        self.assert_raised(client.call("plus", 0), "TRANSIENT", "NO")
        self.assertEqual(1, len(old.received))

    @in_every_variant(versions=[0, 1])
    def test_before_giop_1_2_there_is_no_permanent_forward(self, minor, order):
        old, new = self.places(minor, order, Status.FORWARD_PERM)
        self.assert_raised(self.client_of(old, order, minor).call("plus", 0), "MARSHAL", "MAYBE")
        self.assertEqual([], new.received)

    @in_every_variant
    def test_the_arguments_arrive_at_the_new_place(self, minor, order):
        for new_minor in self.MINORS:
            def echo(request):
                doubles = request.reader.sequence("double")
                results = giop.values(order).sequence("double", doubles).bytes()
                return Reply(request.request_id, results=results).message(new_minor, order)

            new = self.enterContext(Answering(echo))
            target = new.reference(ELSEWHERE, order, new_minor)
            old = self.enterContext(Answering(forward(minor, order, lambda: target)))
            client = self.client_of(old, order, minor)
            self.assertEqual("[0.500000,-2.000000]", client.call("doubles"))
            self.assertEqual(new_minor, new.received[0].message_read.minor)

    def test_a_forward_belongs_to_its_reference(self):
        old, new = self.places(2, cdr.LITTLE)
        client = self.client_of(old, cdr.LITTLE)
        client.call("plus", 0)
        client.use(old.reference(b"a second object", cdr.LITTLE))
        client.call("plus", 0)
        self.assertEqual([KEY, b"a second object"], [r.key for r in old.received])

    def test_a_forwarded_reference_is_printed_as_it_was(self):
        old, new = self.places(2, cdr.LITTLE)
        client = self.client_of(old, cdr.LITTLE)
        client.call("plus", 0)
        self.assertEqual(str(old.reference(KEY, cdr.LITTLE)), client.call("string"))

    def test_single_chars_go_to_a_server_of_another_set(self):
        order = cdr.LITTLE
        new = self.enterContext(Answering(raises(2, order, "NO_IMPLEMENT", Completion.NO)))
        target = new.reference(ELSEWHERE, order, 2, [ior.code_sets(order, ior.UTF8)])
        old = self.enterContext(Answering(forward(2, order, lambda: target)))
        client = self.client_of(old, order, 2, ("-ORBnativeCharCodeSet", "UTF-8"), [ior.code_sets(order)])
        self.assert_raised(client.call("tag", "41"), "NO_IMPLEMENT", "NO")
        self.assertEqual((1, 1), (len(old.received), len(new.received)))

    @in_every_variant
    def test_when_the_new_place_is_gone_the_original_is_asked_again(self, minor, order):
        old, new = self.places(minor, order)
        client = self.client_of(old, order, minor)
        client.call("plus", 0)
        new.close()
        old.answer = answers(minor, order, 2)
        # What went out on the connection before its end was seen is not sent again.
        results = [client.call("plus", 0) for _ in range(2)]
        self.assertEqual("2", results[1])
        if results[0] != "2":
            self.assert_raised(results[0], "COMM_FAILURE", "MAYBE")

    @in_every_variant
    def test_a_dead_target_makes_the_client_ask_the_original_exactly_once_more(self, minor, order):
        with unreachable() as (host, port):
            target = ior.Ior("", [(0, ior.Profile(host, port, ELSEWHERE, minor).encode(order))])
            old = self.enterContext(Answering(forward(minor, order, lambda: target)))
            client = self.client_of(old, order, minor)
            self.assert_raised(client.call("plus", 0), "TRANSIENT", "NO")
            self.assertEqual(2, len(old.received))

    @in_every_variant
    def test_after_one_refusal_at_the_new_place_the_original_is_asked_again(self, minor, order):
        for name in ["OBJECT_NOT_EXIST", "TRANSIENT", "COMM_FAILURE"]:
            old, new = self.places(minor, order)
            client = self.client_of(old, order, minor)
            client.call("plus", 0)
            new.answer = raises(minor, order, name, Completion.NO)
            old.answer = answers(minor, order, 2)
            self.assertEqual("2", client.call("plus", 0))
            self.assertEqual((2, 2), (len(old.received), len(new.received)))

    @in_every_variant
    def test_refusals_at_both_places_are_raised(self, minor, order):
        old, new = self.places(minor, order)
        new.answer = raises(minor, order, "OBJECT_NOT_EXIST", Completion.NO)
        client = self.client_of(old, order, minor)
        self.assert_raised(client.call("plus", 0), "OBJECT_NOT_EXIST", "NO", 3)
        self.assertEqual((2, 2), (len(old.received), len(new.received)))

    @in_every_variant
    def test_what_may_have_been_carried_out_is_not_repeated(self, minor, order):
        for completed in [Completion.YES, Completion.MAYBE]:
            old, new = self.places(minor, order)
            client = self.client_of(old, order, minor)
            client.call("plus", 0)
            new.answer = raises(minor, order, "OBJECT_NOT_EXIST", completed)
            self.assert_raised(client.call("plus", 0), "OBJECT_NOT_EXIST", completed.name)
            self.assertEqual((1, 2), (len(old.received), len(new.received)))

    @in_every_variant
    def test_a_new_place_that_dies_during_the_call_is_reported(self, minor, order):
        old, new = self.places(minor, order)
        new.answer = lambda request: None
        client = self.client_of(old, order, minor)
        self.assert_raised(client.call("plus", 0), "COMM_FAILURE", "MAYBE")
        self.assertEqual((1, 1), (len(old.received), len(new.received)))

    @in_every_variant
    def test_circles_of_forwards_end(self, minor, order):
        places = []
        for index in range(2):
            other = 1 - index
            places.append(self.enterContext(Answering(
                forward(minor, order, lambda other=other: places[other].reference(ELSEWHERE, order, minor)))))
        client = self.client_of(places[0], order, minor)
        self.assert_raised(client.call("plus", 0), "TRANSIENT", "NO")
        self.assertLess(len(places[0].received) + len(places[1].received), 40)

    def test_a_server_that_forwards_to_itself_is_left(self):
        server = self.enterContext(Answering(None))
        server.answer = forward(2, cdr.BIG, lambda: server.reference(KEY, cdr.BIG))
        client = self.client_of(server, cdr.BIG)
        self.assert_raised(client.call("plus", 0), "TRANSIENT", "NO")
        self.assertLess(len(server.received), 40)
        server.answer = answers(2, cdr.BIG, 8)
        self.assertEqual("8", client.call("plus", 0))

    @in_every_variant
    def test_a_forward_to_nil_is_an_error(self, minor, order):
        old = self.enterContext(Answering(forward(minor, order, lambda: ior.NIL)))
        client = self.client_of(old, order, minor)
        self.assert_raised(client.call("plus", 0), "INV_OBJREF", "NO")
        self.assertLessEqual(len(old.received), 2)
        old.answer = answers(minor, order, 4)
        self.assertEqual("4", client.call("plus", 0))

    @in_every_variant(versions=[2])
    def test_a_permanent_forward_to_nil_is_an_error_and_not_for_good(self, minor, order):
        old = self.enterContext(Answering(forward(minor, order, lambda: ior.NIL, Status.FORWARD_PERM)))
        client = self.client_of(old, order, minor)
        self.assert_raised(client.call("plus", 0), "INV_OBJREF", "NO")
        self.assertEqual(old.reference(KEY, order, minor).iiop(), ior.Ior.parse(client.call("string")).iiop())
        old.answer = answers(minor, order, 4)
        self.assertEqual("4", client.call("plus", 0))

    @in_every_variant
    def test_of_several_profiles_the_first_that_can_be_reached_is_used(self, minor, order):
        new = self.enterContext(Answering(answers(minor, order, 1)))
        with unreachable() as (host, port):
            profiles = [(0x1234, b"unknown"), (0, ior.Profile(host, port, b"first", minor).encode(order)),
                        (0, new.profile(b"second", minor).encode(order)),
                        (0, new.profile(b"third", minor).encode(order))]
            old = self.enterContext(Answering(forward(minor, order, lambda: ior.Ior("", profiles))))
            client = self.client_of(old, order, minor)
            self.assertEqual("1", client.call("plus", 0))
        self.assertEqual([b"second"], [r.key for r in new.received])

    @in_every_variant
    def test_malformed_forwards_are_MARSHAL(self, minor, order):
        whole = ior.Ior("IDL:X:1.0", [(0, b"12345678")]).encode(giop.values(order)).bytes()
        for size in range(1, len(whole)):
            old = self.enterContext(Answering(
                lambda r: Reply(r.request_id, Status.FORWARD, whole[:size]).message(minor, order)))
            self.assert_raised(self.client_of(old, order, minor).call("plus", 0), "MARSHAL", "MAYBE")


class ForwardingToOtherSets(ScriptedTest):
    """Text is written again for a server of another char set, or of another version; and results are read so."""

    EACUTE = {ior.LATIN1: "\xe9", ior.UTF8: "\xc3\xa9"}  # an octet a character

    def places(self, minor, order, sets):
        """A server of the first set that forwards to one of the second, which gives back what it gets."""

        def echo(request):
            if isinstance(request, giop.LocateRequest):
                return giop.locate_reply(minor, order, request.request_id, giop.Locate.HERE)
            values = giop.values(order)
            if request.operation == "plus":
                values.put("long", request.reader.get("long"))
            elif request.operation == "text":
                self.texts = [request.reader.string(), request.reader.string()]
                for _ in range(3):
                    values.string(self.texts[0])
            return Reply(request.request_id, results=values.bytes()).message(minor, order)

        def moved(request):
            target = new.reference(ELSEWHERE, order, minor, [ior.code_sets(order, sets[1])])
            if isinstance(request, giop.LocateRequest):
                return giop.locate_reply(minor, order, request.request_id, giop.Locate.FORWARD, target.encode)
            return forward(minor, order, lambda: target)(request)

        new = self.enterContext(Answering(echo))
        old = self.enterContext(Answering(moved))
        self.client = self.client_of(old, order, minor, ("-ORBnativeCharCodeSet", "UTF-8"),
                                     [ior.code_sets(order, sets[0])])
        return old, new

    BOTH_WAYS = [(ior.LATIN1, ior.UTF8), (ior.UTF8, ior.LATIN1)]

    @in_every_variant(versions=[1, 2])
    def test_text_arrives_in_the_set_of_the_new_place(self, minor, order):
        for sets in self.BOTH_WAYS:
            old, new = self.places(minor, order, sets)
            text = "\xc3\xa9".encode("latin-1").hex()
            self.assertEqual(" ".join([text] * 3), self.client.call("text", text))
            self.assertEqual([self.EACUTE[sets[1]]] * 2, self.texts)
            self.assertEqual((1, 1), (len(old.received), len(new.received)))

    @in_every_variant(versions=[1, 2])
    def test_what_is_no_text_arrives_there_too(self, minor, order):
        for sets in self.BOTH_WAYS:
            old, new = self.places(minor, order, sets)
            self.assertEqual("7", self.client.call("plus", 7))
            self.assertEqual("", self.client.call("ping"))
            self.assertEqual((1, 2), (len(old.received), len(new.received)))

    @in_every_variant(versions=[2])
    def test_large_text_is_forwarded_before_it_is_sent_unless_it_is_deferred(self, minor, order):
        first = "LocateRequest" if os.environ.get("SCRIPTED_SEND", "invoked") == "invoked" else "Request"
        for sets in self.BOTH_WAYS:
            old, new = self.places(minor, order, sets)
            text = "\xc3\xa9".encode("latin-1").hex() * 140_000
            self.assertEqual(" ".join([text] * 3), self.client.call("text", text))
            self.assertEqual([self.EACUTE[sets[1]] * 140_000] * 2, self.texts)
            self.assertEqual([first], [type(r).__name__ for r in old.received])


if __name__ == "__main__":
    unittest.main()
