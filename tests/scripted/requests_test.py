"""What a client puts on the wire, octet by octet, and what it makes of the reference it was given."""

import sys
import unittest

from tests.scripted.programs import KEY, ScriptedTest, in_every_variant
from tests.support import cdr, giop, ior
from tests.support.giop import Addressing, Locate, LocateRequest, Reply, Status, Type
from tests.support.peer import Answering, Listener

NATIVE = cdr.LITTLE if sys.byteorder == "little" else cdr.BIG
LATIN1_CONTEXT, UTF8_CONTEXT = (
    (ior.CODE_SETS, cdr.encapsulation(NATIVE).put("ulong", char_set, ior.UTF16).bytes())
    for char_set in (ior.LATIN1, ior.UTF8))
LARGE = 300000  # octets from which on a client asks first where the object is


def named(request):
    """By which mode a request or LocateRequest names its object, and how."""
    names = {Addressing.KEY: request.key, Addressing.PROFILE: request.profile, Addressing.REFERENCE: request.reference}
    return request.addressing, names[request.addressing]


def plain_requests_of(received):
    return [r for r in received if isinstance(r, giop.Request)]


class Requests(ScriptedTest):
    def start(self, minor, order=cdr.LITTLE, options=(), components=()):
        self.listener = self.enterContext(Listener())
        self.client = self.client_of(self.listener, order, minor, options, components)
        self.peer = None

    def exchange(self, operation, argument="", results=b"", oneway=False):
        """Calls, answers, and gives the message of the request."""
        tag = self.client.ask(operation, argument)
        if self.peer is None:
            self.peer = self.listener.accept()
        message = self.peer.receive()
        if not oneway:
            reply = Reply(giop.Request.decode(message).request_id, results=results)
            self.peer.send(reply.message(message.minor, NATIVE))
        self.outcome = self.client.result(tag)
        return message

    def assert_octets(self, wanted, message):
        self.assertEqual(wanted.bytes().hex(" "), message.bytes().hex(" "))

    def test_a_request_of_1_2_without_arguments_ends_with_its_header(self):
        self.start(2)
        sizes = set()
        for operation, name, results in [("ping", "ping", b""), ("count", "_get_count", bytes(4))]:
            message = self.exchange(operation, "", results)
            request = giop.Request.decode(message)
            self.assert_octets(giop.Request(request.request_id, name, KEY).message(2, NATIVE), message)
            sizes.add(len(message.bytes()) % 8)
        self.assertNotEqual({0}, sizes, "the case would show nothing")

    def test_a_request_of_1_2_with_arguments_has_them_at_a_multiple_of_8(self):
        self.start(2)
        text = giop.values(NATIVE).string("ab").string("ab").bytes()
        message = self.exchange("text", "6162", giop.values(NATIVE).string("").string("").string("").bytes())
        request = giop.Request.decode(message)
        self.assert_octets(giop.Request(request.request_id, "text", KEY, arguments=text).message(2, NATIVE), message)

    def test_nothing_of_the_memory_between_the_members_of_structures_leaves(self):
        def points(writer, count):
            writer.put("ulong", count)
            for i in range(count):
                writer.put("short", 1).put("octet", ord("t")).put("long", -2).put("octet", 3).put("double", i)
            return writer

        def answer(minor, request):
            if isinstance(request, LocateRequest):
                return giop.locate_reply(minor, NATIVE, request.request_id, Locate.HERE)
            results = points(giop.values(NATIVE), 2).put("ulong", 0, 0).bytes()
            return Reply(request.request_id, results=results).message(minor, NATIVE)

        for minor in (0, 1, 2):
            server = self.enterContext(Answering(lambda request: answer(minor, request)))
            client = self.client_of(server, NATIVE, minor)
            for count in (1, 2, 9, 400, 3000, 9000):  # copied, sent from where they lie, and in pieces
                self.assertEqual("1", client.call("points", count))
                reader = server.received[-1].reader
                at = reader.offset + reader.at
                wanted = points(points(cdr.Writer(NATIVE, at), count), count).bytes()
                self.assertEqual(wanted, reader.raw(reader.remaining()), f"{count} in GIOP 1.{minor}")

    def test_requests_of_1_0_and_1_1_have_their_fields_in_order(self):
        for minor in [0, 1]:
            self.start(minor)
            message = self.exchange("plus", 70000, bytes(4))
            r = message.reader()
            self.assertEqual((minor, NATIVE), (message.minor, message.order))
            self.assertEqual(0, r.get("ulong"), "service contexts")
            r.get("ulong")
            self.assertEqual(1, r.get("octet"), "response expected")
            if minor == 1:
                r.raw(3)
            self.assertEqual((KEY, "plus"), (r.octets(), r.string()))
            r.octets()  # the principal, whatever it is
            self.assertEqual(70000, r.get("long"))
            self.assertEqual(0, r.remaining())
            self.doCleanups()

    def test_a_oneway_expects_no_reply(self):
        for minor in giop.VERSIONS:
            self.start(minor)
            self.assertEqual(0, giop.Request.decode(self.exchange("note", 4, oneway=True)).expected)
            self.assertEqual(3, giop.Request.decode(self.exchange("ping")).expected)
            self.doCleanups()

    @in_every_variant
    def test_the_code_sets_are_announced_once_on_a_connection(self, minor, order):
        self.start(minor, order, components=[ior.code_sets(order)])
        first, second = giop.Request.decode(self.exchange("ping")), giop.Request.decode(self.exchange("ping"))
        self.assertEqual([LATIN1_CONTEXT] if minor > 0 else [], first.contexts)
        self.assertEqual([], second.contexts)
        self.peer.reset()
        self.peer = None
        self.assertEqual(first.contexts, giop.Request.decode(self.exchange("ping")).contexts)

    @in_every_variant(versions=[1, 2])
    def test_arguments_stand_right_behind_code_sets(self, minor, order):
        self.start(minor, order, components=[ior.code_sets(order)])
        for _ in range(2):
            nothing = giop.values(NATIVE).sequence("double", []).bytes()
            request = giop.Request.decode(self.exchange("doubles", "", nothing))
            self.assertEqual([0.5, -2.0], request.reader.sequence("double"))

    @in_every_variant(versions=[1, 2])
    def test_a_server_that_converts_from_latin_1_is_spoken_to_in_it(self, minor, order):
        self.start(minor, order, components=[ior.code_sets(order, 0x00010100, [ior.UTF8, ior.LATIN1])])
        self.assertEqual([LATIN1_CONTEXT], giop.Request.decode(self.exchange("ping")).contexts)

    @in_every_variant(versions=[1, 2])
    def test_a_server_whose_char_set_is_utf_8_is_spoken_to_in_it(self, minor, order):
        self.start(minor, order, components=[ior.code_sets(order, ior.UTF8, [ior.LATIN1])])
        everything = bytes(range(1, 256)).hex()
        text = bytes(range(1, 256)).decode("latin-1")
        encoded = text.encode("utf-8").decode("latin-1")
        results = giop.values(NATIVE).string(encoded).string("").string(encoded).bytes()
        for contexts in [[UTF8_CONTEXT], []]:
            request = giop.Request.decode(self.exchange("text", everything, results))
            self.assertEqual(contexts, request.contexts)
            self.assertEqual([encoded, encoded], [request.reader.string(), request.reader.string()])
            self.assertEqual(f"{everything}  {everything}", self.outcome)

    @in_every_variant(versions=[1, 2])
    def test_what_iso_8859_1_lacks_is_refused_and_the_connection_lives(self, minor, order):
        self.start(minor, order, components=[ior.code_sets(order, ior.UTF8)])
        for encoded in ["\u20ac".encode("utf-8").decode("latin-1"), b"\xff".decode("latin-1")]:
            results = giop.values(NATIVE).string("").string("").string(encoded).bytes()
            self.exchange("text", "41", results)
            self.assert_raised(self.outcome, "DATA_CONVERSION", "YES", 0x4F4D0001)
        self.assertEqual([], giop.Request.decode(self.exchange("ping")).contexts)

    @in_every_variant(versions=[1, 2])
    def test_a_server_of_unknown_char_sets_is_refused(self, minor, order):
        self.start(minor, order, components=[ior.code_sets(order, 0x00010100)])
        self.assert_raised(self.client.call("ping"), "CODESET_INCOMPATIBLE", "NO", 0x4F4D0001)

    def test_all_characters_but_zero_pass_as_they_are(self):
        self.start(2, components=[ior.code_sets(cdr.LITTLE)])
        everything = bytes(range(1, 256)).hex()
        text = bytes.fromhex(everything).decode("latin-1")
        results = giop.values(NATIVE).string(text).string(text).string(text).bytes()
        request = giop.Request.decode(self.exchange("text", everything, results))
        self.assertEqual([text, text], [request.reader.string(), request.reader.string()])
        self.assertEqual(" ".join([everything] * 3), self.outcome)

    def test_nil_references_and_empty_sequences_have_their_shortest_form(self):
        self.start(2)
        nil = ior.NIL.encode(giop.values(NATIVE)).bytes()
        three = ior.NIL.encode(ior.NIL.encode(ior.NIL.encode(giop.values(NATIVE)))).bytes()
        request = giop.Request.decode(self.exchange("reference", "", three))
        self.assertEqual(nil + nil, request.reader.raw(request.reader.remaining()))
        printed = [ior.Ior.parse(text) for text in self.outcome.split()]
        self.assertEqual([ior.NIL] * 3, printed)
        empty = giop.values(NATIVE).put("ulong", 0, 0, 0).bytes()
        request = giop.Request.decode(self.exchange("longs", "", empty))
        self.assertEqual(bytes(8), request.reader.raw(request.reader.remaining()))
        self.assertEqual("[] [] []", self.outcome)

    def test_questions_about_the_object_have_their_standard_names(self):
        self.start(2)
        yes = giop.values(NATIVE).put("boolean", True).bytes()
        request = giop.Request.decode(self.exchange("is_a", "IDL:Some/Type:1.0", yes))
        self.assertEqual(("_is_a", "IDL:Some/Type:1.0"), (request.operation, request.reader.string()))
        self.assertEqual("1", self.outcome)
        request = giop.Request.decode(self.exchange("non_existent", "", b"\0"))
        self.assertEqual(("_non_existent", "0"), (request.operation, self.outcome))
        self.assertEqual("_get_count", giop.Request.decode(self.exchange("count", "", bytes(4))).operation)

    def test_narrow_asks_once_what_it_cannot_know(self):
        self.start(2)
        request = giop.Request.decode(self.exchange("narrow", "", b"\1"))
        self.assertEqual(("_is_a", "Callback"), (request.operation, self.outcome))
        self.assertEqual("Callback", self.client.call("narrow"))

    def test_a_narrow_that_cannot_ask_raises(self):
        listener = Listener()
        with listener:
            client = self.client_of(listener, cdr.BIG)
        self.assert_raised(client.call("narrow"), "TRANSIENT", "NO")


class References(ScriptedTest):
    def answering(self):
        return self.enterContext(Answering(lambda r: Reply(r.request_id).message(r.message_read.minor, NATIVE)))

    def test_profiles_of_later_minor_versions_are_used_as_1_2(self):
        for order in cdr.ORDERS:
            for minor in [3, 4, 255]:
                server = self.answering()
                self.assertEqual("", self.client_of(server, order, minor).call("ping"))
                self.assertEqual((2, KEY), (server.received[0].message_read.minor, server.received[0].key))

    def test_an_earlier_profile_decides_the_version(self):
        for order in cdr.ORDERS:
            for minor in giop.VERSIONS:
                server = self.answering()
                self.client_of(server, order, minor).call("ping")
                self.assertEqual(minor, server.received[0].message_read.minor)

    def test_an_option_limits_the_version(self):
        for limit in giop.VERSIONS:
            server = self.answering()
            self.client_of(server, cdr.BIG, 2, ["-ORBmaxGIOPVersion", f"1.{limit}"]).call("ping")
            self.assertEqual(limit, server.received[0].message_read.minor)

    def test_profiles_of_another_major_version_are_not_used(self):
        profile = bytearray(ior.Profile("127.0.0.1", 9, KEY).encode(cdr.LITTLE))
        profile[1] = 2
        server = self.answering()
        client = self.client_of(server, cdr.LITTLE)
        client.use(ior.Ior("", [(0, bytes(profile))]))
        self.assert_raised(client.call("ping"), "INV_OBJREF", "NO")

    def test_what_is_not_known_of_a_reference_is_kept(self):
        for order in cdr.ORDERS:
            server = self.answering()
            components = [(0x12345678, b"odd"), ior.code_sets(order), (ior.ORB_TYPE, b"\0\0\0\0ABCD"), (33, b"")]
            profiles = [(ior.TAG_MULTIPLE_COMPONENTS, b"\1\0\0\0\0\0\0\0"), (0x7FFFFFFF, b"some other protocol"),
                        (0, server.profile(KEY, 2, components).encode(order)), (5, b"")]
            reference = ior.Ior("IDL:Vendor/Special:2.3", profiles)
            client = self.client_of(server, order)
            client.use(reference.text(order))
            self.assertEqual("", client.call("ping"))
            self.assertEqual(reference, ior.Ior.parse(client.call("string")))

    def test_a_reference_without_a_usable_profile_cannot_be_called(self):
        client = self.client_of(self.answering(), cdr.LITTLE)
        client.use(ior.Ior("IDL:X:1.0", [(77, b"other")]))
        self.assert_raised(client.call("ping"), "INV_OBJREF", "NO")

    def test_a_bounded_number_of_addresses_is_tried(self):
        nobody = (0, ior.Profile("127.0.0.1", 9, KEY).encode(cdr.LITTLE))
        for dead, answered in [(255, True), (256, False)]:
            server = self.answering()
            client = self.client_of(server, cdr.LITTLE)
            client.use(ior.Ior("", [nobody] * dead + [(0, server.profile(KEY).encode(cdr.LITTLE))]))
            if answered:
                self.assertEqual("", client.call("ping"))
            else:
                self.assert_raised(client.call("ping"), "TRANSIENT", "NO")
            self.assertEqual(1 if answered else 0, len(server.received))

    def test_keys_of_any_octets_and_size_are_sent(self):
        for key in [b"", b"\0", bytes(range(256)), b"x" * 5000]:
            for minor in giop.VERSIONS:
                server = self.answering()
                client = self.client_of(server, cdr.BIG)
                client.use(server.reference(key, cdr.BIG, minor).text(cdr.BIG))
                self.assertEqual(["", ""], [client.call("ping"), client.call("ping")])
                self.assertEqual([key, key], [r.key for r in server.received])


class AddressingModes(ScriptedTest):
    @staticmethod
    def asks_for(mode, order):
        def answer(request):
            if request.addressing == mode:
                return Reply(request.request_id).message(2, order)
            wanted = giop.values(order).put("ushort", mode).bytes()
            return Reply(request.request_id, Status.NEEDS_ADDRESSING_MODE, wanted).message(2, order)

        return answer

    @in_every_variant(versions=[2])
    def test_a_server_that_wants_the_profile_gets_it(self, minor, order):
        server = self.enterContext(Answering(self.asks_for(Addressing.PROFILE, order)))
        client = self.client_of(server, order)
        profile = server.profile(KEY, 2, [(44, b"kept")]).encode(order)
        client.use(ior.Ior("IDL:Y:1.0", [(9, b"other"), (0, profile)]))
        self.assertEqual(["", ""], [client.call("ping"), client.call("ping")])
        modes = [r.addressing for r in server.received]
        self.assertEqual([Addressing.KEY, Addressing.PROFILE, Addressing.PROFILE], modes)
        self.assertEqual((0, profile), server.received[1].profile)

    @in_every_variant(versions=[2])
    def test_a_server_that_wants_the_reference_gets_it(self, minor, order):
        server = self.enterContext(Answering(self.asks_for(Addressing.REFERENCE, order)))
        client = self.client_of(server, order)
        reference = ior.Ior("IDL:Y:1.0", [(9, b"other"), (0, server.profile(KEY).encode(order)), (10, b"")])
        client.use(reference)
        self.assertEqual(["", ""], [client.call("ping"), client.call("ping")])
        modes = [r.addressing for r in server.received]
        self.assertEqual([Addressing.KEY, Addressing.REFERENCE, Addressing.REFERENCE], modes)
        self.assertEqual((1, reference), server.received[1].reference)

    @in_every_variant(versions=[2])
    def test_arguments_go_with_the_new_request(self, minor, order):
        for mode in [Addressing.PROFILE, Addressing.REFERENCE]:
            server = self.enterContext(Answering(self.asks_for(mode, order)))
            client = self.client_of(server, order, components=[ior.code_sets(order)])
            client.call("doubles")
            self.assertEqual([[0.5, -2.0]] * 2, [r.reader.sequence("double") for r in server.received])

    @in_every_variant(versions=[2])
    def test_a_server_that_is_never_content_is_left(self, minor, order):
        server = self.enterContext(Answering(None))
        server.answer = lambda r: Reply(r.request_id, Status.NEEDS_ADDRESSING_MODE, giop.values(order).put(
            "ushort", 3 - r.addressing if r.addressing else 1).bytes()).message(2, order)
        self.assert_raised(self.client_of(server, order).call("ping"), "TRANSIENT", "NO")
        self.assertLess(len(server.received), 40)

    @in_every_variant(versions=[2])
    def test_an_option_says_by_what_objects_are_named_from_the_first_request_on(self, minor, order):
        def answer(request):
            if isinstance(request, LocateRequest):
                return giop.locate_reply(minor, order, request.request_id, Locate.HERE)
            results = giop.values(order).put("ulong", 0, 0, 0).bytes() if request.operation == "give_octets" else b""
            return Reply(request.request_id, results=results).message(minor, order)

        for mode in [Addressing.PROFILE, Addressing.REFERENCE]:
            server = self.enterContext(Answering(answer))
            client = self.client_of(server, order, options=["-ORBgiopTargetAddressMode", str(int(mode))])
            profile = server.profile(KEY, 2, [(44, b"kept")]).encode(order)
            reference = ior.Ior("IDL:Y:1.0", [(9, b"other"), (0, profile)])
            client.use(reference)
            self.assertEqual("0 0 0", client.call("octets", LARGE))
            self.assertEqual("", client.call("ping"))
            types = [r.message_read.type for r in server.received]
            self.assertEqual([Type.LOCATE_REQUEST, Type.REQUEST, Type.REQUEST], types)
            name = (0, profile) if mode == Addressing.PROFILE else (1, reference)
            self.assertEqual([(mode, name)] * 3, [named(r) for r in server.received])

    @in_every_variant(versions=[2])
    def test_what_is_forwarded_is_named_by_the_options_mode_too(self, minor, order):
        new = self.enterContext(Answering(lambda r: Reply(r.request_id).message(2, order)))
        profile = new.profile(b"there").encode(order)
        target = ior.Ior("", [(9, b"other"), (0, profile)])
        for mode in [Addressing.PROFILE, Addressing.REFERENCE]:
            old = self.enterContext(Answering(lambda r: Reply(
                r.request_id, Status.FORWARD, target.encode(giop.values(order)).bytes()).message(2, order)))
            client = self.client_of(old, order, options=["-ORBgiopTargetAddressMode", str(int(mode))])
            self.assertEqual("", client.call("ping"))
            name = (0, profile) if mode == Addressing.PROFILE else (1, target)
            self.assertEqual((mode, name), named(new.received[-1]))

    @in_every_variant(versions=[2])
    def test_a_server_that_wants_the_key_gets_it_in_spite_of_the_option(self, minor, order):
        for mode in [Addressing.PROFILE, Addressing.REFERENCE]:
            server = self.enterContext(Answering(self.asks_for(Addressing.KEY, order)))
            client = self.client_of(server, order, options=["-ORBgiopTargetAddressMode", str(int(mode))])
            self.assertEqual(["", ""], [client.call("ping"), client.call("ping")])
            self.assertEqual([mode, Addressing.KEY, Addressing.KEY], [r.addressing for r in server.received])

    @in_every_variant(versions=[0, 1])
    def test_before_giop_1_2_objects_are_named_by_their_keys_whatever_the_option_says(self, minor, order):
        for mode in [Addressing.PROFILE, Addressing.REFERENCE]:
            server = self.enterContext(Answering(lambda r: Reply(r.request_id).message(minor, order)))
            client = self.client_of(server, order, minor, ["-ORBgiopTargetAddressMode", str(int(mode))])
            self.assertEqual("", client.call("ping"))
            self.assertEqual([KEY], [r.key for r in server.received])

    @in_every_variant(versions=[2])
    def test_an_unknown_mode_is_MARSHAL(self, minor, order):
        server = self.enterContext(Answering(self.asks_for(3, order)))
        self.assert_raised(self.client_of(server, order).call("ping"), "MARSHAL", "MAYBE")


class LargeRequests(ScriptedTest):
    """A client asks first where an object is before it sends it much."""

    @staticmethod
    def results(order):
        return giop.values(order).put("ulong", 0, 0, 0).bytes()

    def answers(self, minor, order, status, body=lambda writer: writer, padded=False):
        def answer(request):
            if isinstance(request, LocateRequest):
                return giop.locate_reply(minor, order, request.request_id, status, body, padded)
            return Reply(request.request_id, results=self.results(order)).message(minor, order)

        return answer

    @in_every_variant
    def test_the_object_is_located_once(self, minor, order):
        server = self.enterContext(Answering(self.answers(minor, order, Locate.HERE)))
        client = self.client_of(server, order, minor)
        self.assertEqual(["0 0 0"] * 2, [client.call("octets", LARGE) for _ in range(2)])
        types = [r.message_read.type for r in server.received]
        self.assertEqual([Type.LOCATE_REQUEST, Type.REQUEST, Type.REQUEST], types)
        self.assertEqual([KEY] * 3, [r.key for r in server.received])
        octets = server.received[1].reader.octets()
        self.assertEqual(bytes(i % 256 for i in range(LARGE)), octets)

    @in_every_variant
    def test_an_object_that_the_server_does_not_know_does_not_exist(self, minor, order):
        server = self.enterContext(Answering(self.answers(minor, order, Locate.UNKNOWN)))
        self.assert_raised(self.client_of(server, order, minor).call("octets", LARGE), "OBJECT_NOT_EXIST", "NO")
        self.assertEqual([], plain_requests_of(server.received))

    @in_every_variant
    def test_forwards_are_followed_whether_their_body_is_padded_or_not(self, minor, order):
        for padded in [False, True]:
            new = self.enterContext(Answering(self.answers(minor, order, Locate.HERE)))
            target = new.reference(b"there", order, minor)
            old = self.enterContext(Answering(self.answers(minor, order, Locate.FORWARD, target.encode, padded)))
            client = self.client_of(old, order, minor)
            self.assertEqual("0 0 0", client.call("octets", LARGE))
            self.assertEqual([], plain_requests_of(old.received))
            self.assertEqual([b"there"], [r.key for r in plain_requests_of(new.received)])

    @in_every_variant(versions=[2])
    def test_a_permanent_forward_becomes_what_the_reference_is(self, minor, order):
        for padded in [False, True]:
            new = self.enterContext(Answering(self.answers(minor, order, Locate.HERE)))
            target = new.reference(b"there", order, minor)
            old = self.enterContext(Answering(self.answers(minor, order, Locate.FORWARD_PERM, target.encode, padded)))
            client = self.client_of(old, order, minor)
            self.assertEqual(["0 0 0"] * 2, [client.call("octets", LARGE) for _ in range(2)])
            self.assertEqual([b"there"] * 2, [r.key for r in plain_requests_of(new.received)])
            self.assertEqual(target.iiop(), ior.Ior.parse(client.call("string")).iiop())
            new.close()  # there is no way back
            self.assertIn(client.call("octets", LARGE).completed, ["NO", "MAYBE"])
            self.assert_raised(client.call("octets", LARGE), "TRANSIENT", "NO")
            self.assertEqual([Type.LOCATE_REQUEST], [r.message_read.type for r in old.received])

    @in_every_variant(versions=[0, 1])
    def test_what_1_2_adds_to_answers_is_MARSHAL_before_it(self, minor, order):
        new = self.enterContext(Answering(self.answers(minor, order, Locate.HERE)))
        target = new.reference(b"there", order, minor)
        for status, body in [(Locate.FORWARD_PERM, target.encode),
                             (Locate.SYSTEM_EXCEPTION, lambda w: w.string("IDL:X:1.0").put("ulong", 0, 0)),
                             (Locate.NEEDS_ADDRESSING_MODE, lambda w: w.put("ushort", Addressing.KEY))]:
            server = self.enterContext(Answering(self.answers(minor, order, status, body)))
            self.assert_raised(self.client_of(server, order, minor).call("octets", LARGE), "MARSHAL", "NO")
            self.assertEqual(1, len(server.received))
        self.assertEqual([], new.received)

    @in_every_variant(versions=[2])
    def test_system_exceptions_are_raised_whether_their_body_is_padded_or_not(self, minor, order):
        for padded in [False, True]:
            def body(writer):
                return writer.string("IDL:omg.org/CORBA/NO_PERMISSION:1.0").put("ulong", 6, giop.Completion.NO)

            server = self.enterContext(Answering(self.answers(minor, order, Locate.SYSTEM_EXCEPTION, body, padded)))
            outcome = self.client_of(server, order).call("octets", LARGE)
            self.assert_raised(outcome, "NO_PERMISSION", "NO", 6)

    @in_every_variant(versions=[2])
    def test_another_addressing_mode_may_be_asked_for(self, minor, order):
        for wanted in [Addressing.PROFILE, Addressing.REFERENCE]:
            def answer(r, wanted=wanted):
                if isinstance(r, giop.Request):
                    return Reply(r.request_id, results=self.results(order)).message(minor, order)
                if r.addressing == wanted:
                    return giop.locate_reply(minor, order, r.request_id, Locate.HERE)
                return giop.locate_reply(minor, order, r.request_id, Locate.NEEDS_ADDRESSING_MODE,
                                         lambda w: w.put("ushort", wanted))

            server = self.enterContext(Answering(answer))
            client = self.client_of(server, order)
            profile = server.profile(KEY).encode(order)
            reference = ior.Ior("IDL:Y:1.0", [(9, b"other"), (0, profile)])
            client.use(reference)
            self.assertEqual("0 0 0", client.call("octets", LARGE))
            types = [r.message_read.type for r in server.received]
            self.assertEqual([Type.LOCATE_REQUEST, Type.LOCATE_REQUEST, Type.REQUEST], types)
            name = (0, profile) if wanted == Addressing.PROFILE else (1, reference)
            self.assertEqual([(Addressing.KEY, KEY)] + [(wanted, name)] * 2, [named(r) for r in server.received])

    @in_every_variant
    def test_malformed_locate_replies_are_MARSHAL(self, minor, order):
        for status, body in [(6, b""), (Locate.FORWARD, b"\xff" * 7), (Locate.SYSTEM_EXCEPTION, b"\0\0\0\1")]:
            server = self.enterContext(
                Answering(self.answers(minor, order, status, lambda writer: writer.raw(body))))
            self.assert_raised(self.client_of(server, order, minor).call("octets", LARGE), "MARSHAL", "NO")

    @in_every_variant
    def test_a_connection_lost_while_locating_leaves_nothing_done(self, minor, order):
        server = self.enterContext(Answering(lambda request: None))
        outcome = self.client_of(server, order, minor).call("octets", LARGE)
        self.assert_raised(outcome, "COMM_FAILURE", "NO")


if __name__ == "__main__":
    unittest.main()
