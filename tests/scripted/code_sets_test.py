"""Programs of another native char set than ISO 8859-1, and what becomes of single chars: octet by octet."""

import sys
import unittest

from tests.scripted import contract
from tests.scripted.programs import KEY, Client, ScriptedTest, in_every_variant
from tests.scripted.server import ServerTest
from tests.support import cdr, giop, ior
from tests.support.giop import Reply, Status
from tests.support.peer import Listener

NATIVE = cdr.LITTLE if sys.byteorder == "little" else cdr.BIG
UTF8 = ("-ORBnativeCharCodeSet", "utf-8")
ASCII = 0x00010020
UCS2, UCS4, EUC_JP = 0x00010100, 0x00010104, 0x00030010
EURO = "\u20ac".encode().decode("latin-1")  # UTF-8, an octet a character
EACUTE = "\xe9".encode().decode("latin-1")


def context(char_set, order=NATIVE, wide=ior.UTF16):
    return ior.CODE_SETS, cdr.encapsulation(order).put("ulong", char_set, wide).bytes()


class ClientsOfUtf8(ScriptedTest):
    def start(self, minor, order, components, options=UTF8):
        self.listener = self.enterContext(Listener())
        self.client = self.client_of(self.listener, order, minor, options, components)
        self.peer = None

    def exchange(self, argument, result=""):
        """Calls text() with UTF-8; gives the request. The outcome is what the result becomes in the program."""
        tag = self.client.ask("text", argument.encode("latin-1").hex())
        if self.peer is None:
            self.peer = self.listener.accept()
        message = self.peer.receive()
        request = giop.Request.decode(message)
        results = giop.values(NATIVE).string(result).string("").string("").bytes()
        self.peer.send(Reply(request.request_id, results=results).message(message.minor, NATIVE))
        self.outcome = self.client.result(tag)
        return request

    @in_every_variant(versions=[1, 2])
    def test_speak_it_as_it_is_to_each_other(self, minor, order):
        self.start(minor, order, [ior.code_sets(order, ior.UTF8)])
        request = self.exchange(EURO, EURO)
        self.assertEqual([context(ior.UTF8)], request.contexts)
        self.assertEqual(EURO, request.reader.string())
        self.assertEqual(EURO.encode("latin-1").hex() + "  ", self.outcome)

    @in_every_variant(versions=[1, 2])
    def test_convert_for_servers_of_iso_8859_1(self, minor, order):
        self.start(minor, order, [ior.code_sets(order, ior.LATIN1, [ior.UTF8])])
        for contexts in [[context(ior.LATIN1)], []]:
            request = self.exchange(EACUTE, "\xe9")
            self.assertEqual(contexts, request.contexts)
            self.assertEqual("\xe9", request.reader.string())
            self.assertEqual(EACUTE.encode("latin-1").hex() + "  ", self.outcome)
        for bad in [EURO, "\xe9"]:
            self.assert_raised(self.client.call("text", bad.encode("latin-1").hex()), "DATA_CONVERSION", "NO", 0x4F4D0001)

    @in_every_variant
    def test_take_servers_that_say_nothing_for_iso_8859_1(self, minor, order):
        self.start(minor, order, [])
        request = self.exchange(EACUTE, "\xe9")
        self.assertEqual([], request.contexts)
        self.assertEqual("\xe9", request.reader.string())
        self.assertEqual(EACUTE.encode("latin-1").hex() + "  ", self.outcome)

    @in_every_variant
    def test_or_for_what_they_are_told(self, minor, order):
        self.start(minor, order, [], (*UTF8, "-ORBdefaultCharCodeSet", "UTF-8"))
        self.assertEqual(EURO, self.exchange(EURO).reader.string())

    @in_every_variant(versions=[1, 2])
    def test_let_servers_of_unknown_sets_convert(self, minor, order):
        self.start(minor, order, [ior.code_sets(order, EUC_JP, [ior.LATIN1, ior.UTF8])])
        request = self.exchange(EURO)
        self.assertEqual([context(ior.UTF8)], request.contexts)
        self.assertEqual(EURO, request.reader.string())

    def test_do_not_start_with_a_set_that_is_unknown(self):
        with Client("-ORBnativeCharCodeSet", "EBCDIC") as client:
            self.assertNotEqual(0, client.finish())


class ServersOfUtf8(ServerTest):
    OPTIONS = UTF8

    def test_name_their_sets_in_their_references(self):
        profile = self.server.profile
        wide = [ior.UTF8, UCS4, UCS2]
        self.assertIn(ior.code_sets(NATIVE, ior.UTF8, [ior.LATIN1], wide_conversions=wide), profile.components)

    @in_every_variant
    def test_understand_what_is_announced_and_iso_8859_1_before(self, *variant):
        self.variant = variant
        self.reconnect()
        for announced, sent in [(None, "\xe9"), (ior.UTF8, EURO), (None, EURO), (ior.LATIN1, "\xe9"), (None, "\xe9")]:
            contexts = [context(announced, variant[1])] if announced else []
            reply = self.call("text", lambda w: w.string(sent).string("b"), contexts=contexts)
            self.assertEqual((Status.NO_EXCEPTION, [sent, sent, "b"]),
                             (reply.status, [reply.reader.string() for _ in range(3)]))

    @in_every_variant
    def test_refuse_sets_that_they_did_not_offer(self, *variant):
        self.variant = variant
        for contexts in [[context(0x00010101, variant[1])], [context(ior.UTF8, variant[1], EUC_JP)]]:
            self.assertEqual(("CODESET_INCOMPATIBLE", 0x4F4D0002, "NO"), self.system_exception("ping", contexts=contexts))
            self.assertEqual(("CODESET_INCOMPATIBLE", 0x4F4D0002, "NO"), self.system_exception("ping"), "what is behind it is in that set")
        reply = self.call("text", lambda w: w.string(EURO).string("b"), contexts=[context(ior.UTF8, variant[1])])
        self.assertEqual(Status.NO_EXCEPTION, reply.status)


class SingleChars(ScriptedTest):
    """Of a client whose set is ISO 8859-1."""

    def start(self, minor, order, native):
        self.listener = self.enterContext(Listener())
        self.client = self.client_of(self.listener, order, minor, (), [ior.code_sets(order, native)])
        self.peer = None

    def exchange(self, operation, argument, results):
        tag = self.client.ask(operation, argument.hex())
        if self.peer is None:
            self.peer = self.listener.accept()
        message = self.peer.receive()
        request = giop.Request.decode(message)
        self.peer.send(Reply(request.request_id, results=results).message(message.minor, NATIVE))
        self.outcome = self.client.result(tag)
        return request

    @staticmethod
    def point(tag):
        return giop.values(NATIVE).put("short", 1).put("octet", tag).put("long", 2).put("octet", 3).put("double", 4)

    def points(self, tag):
        w = self.point(tag)
        for _ in range(2):
            w.put("short", 1).put("octet", tag).put("long", 2).put("octet", 3).put("double", 4)
        return w.bytes()

    @in_every_variant(versions=[1, 2])
    def test_pass_as_they_are_between_iso_8859_1_and_utf_8(self, minor, order):
        for native in [ior.LATIN1, ior.UTF8]:
            self.start(minor, order, native)
            for text in [b"seven bits " * 2000, bytes(range(1, 256)) * 100]:
                request = self.exchange("chars", text, giop.values(NATIVE).octets(text).bytes())
                self.assertEqual((text, text.hex()), (request.reader.octets(), self.outcome))
            request = self.exchange("tag", b"\xe9", self.points(0xE9))
            request.reader.get("short")
            self.assertEqual((0xE9, b"\xe9\xe9\xe9".hex()), (request.reader.get("octet"), self.outcome))
            self.doCleanups()

    @in_every_variant(versions=[1, 2])
    def test_that_a_set_lacks_are_refused(self, minor, order):
        self.start(minor, order, ASCII)
        for operation, argument in [("chars", b"\xe9"), ("chars", b"x" * 20000 + b"\x80"), ("tag", b"\xff")]:
            self.assert_raised(self.client.call(operation, argument.hex()), "DATA_CONVERSION", "NO", 0x4F4D0001)
        text = b"seven bits " * 3000
        request = self.exchange("chars", text, giop.values(NATIVE).octets(b"\xe9").bytes())
        self.assertEqual(text, request.reader.octets())
        self.assert_raised(self.outcome, "DATA_CONVERSION", "YES", 0x4F4D0001)
        self.exchange("tag", b"a", self.points(0xE9))
        self.assert_raised(self.outcome, "DATA_CONVERSION", "YES", 0x4F4D0001)


class SingleCharsOfServers(ServerTest):
    @in_every_variant
    def test_are_converted_once_another_set_is_announced(self, *variant):
        self.variant = variant
        self.reconnect()
        ascii_only = [context(ASCII, variant[1])]
        text = b"seven bits " * 3000
        for contexts in [[], ascii_only, []]:
            self.assertEqual(text, self.call("give_chars", lambda w: w.octets(text), contexts=contexts).reader.octets())
        for chars in [b"\xe9", b"x" * 30000 + b"\xff"]:
            self.assertEqual(("DATA_CONVERSION", 0x4F4D0001, "NO"),
                             self.system_exception("give_chars", lambda w: w.octets(chars)))
        point = (1, 0xE9, 2, 3, 4.0)
        writing = contract.writing([contract.POINT] * 2, [point, point])
        self.assertEqual(("DATA_CONVERSION", 0x4F4D0001, "NO"), self.system_exception("give_point", writing))
        points = contract.Sequence(contract.POINT)
        for tags, good in [(b"abc", True), (b"ab\xe9", False), (b"\xe9bc", False)]:
            value = [(1, tag, 2, 3, 4.0) for tag in tags]
            writing = contract.writing([points] * 2, [value, value])
            if good:
                reply = self.call("give_points", writing)
                self.assertEqual([value] * 3, [contract.get(reply.reader, points) for _ in range(3)])
            else:
                self.assertEqual("DATA_CONVERSION", self.system_exception("give_points", writing)[0])


if __name__ == "__main__":
    unittest.main()
