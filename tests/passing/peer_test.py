"""Corbel's client and server exchange every kind of type with a peer that is a script, in both byte orders and in all versions
of GIOP."""

import os
import struct
import unittest

from tests.passing import contract
from tests.scripted.programs import KEY, LOOPBACK, ScriptedTest, in_every_variant
from tests.support import cdr, giop, idl, ior
from tests.support.giop import HEADER, LocateRequest, Reply, Request, Status, Type
from tests.support.peer import Answering, connect
from tests.support.processes import Child

WIDE_IN_REPLY = 0x4F4D0000 | 6  # minor code of MARSHAL
SERVER = "IDL:Matrix/Server:1.0"
MATRIX = contract.Contract()
CELLS = dict(MATRIX.cells())


def canonical(kind, value):
    """What is equal for equal values, whoever made the types in it."""
    kind = idl.resolve(kind)
    if kind is idl.ANY:
        return value[0].describe(), canonical(*value)
    if kind is idl.TYPE_CODE:
        return value.describe()
    if kind in (idl.INT8, idl.UINT8, idl.OCTET):
        return value & 0xFF
    if isinstance(kind, idl.Abstract):
        return canonical(value.kind, value) if isinstance(value, idl.Instance) else value
    if isinstance(kind, idl.Value):
        if value is None:
            return None
        return value.kind.id, [canonical(k, v) for (_, k), v in zip(value.kind.state(), value.members, strict=True)]
    if isinstance(kind, idl.Struct):
        return [canonical(k, v) for (_, k), v in zip(kind.members, value, strict=True)]
    if isinstance(kind, idl.Union):
        chosen = kind.selected(value[0])
        return int(value[0]), canonical(chosen[1], value[1]) if chosen else None
    if isinstance(kind, (idl.Sequence, idl.Array)):
        return [canonical(kind.element, v) for v in value]
    return value


class Server(Answering):
    """Answers in an order of its own, in fragments where they are wanted."""

    def __init__(self, order, fragment=None):
        super().__init__(self.respond)
        self.order, self.fragment, self.kept, self.calls = order, fragment, {}, set()

    def respond(self, request):
        minor = request.message_read.minor
        if isinstance(request, LocateRequest):
            return giop.locate_reply(minor, self.order, request.request_id, giop.Locate.HERE)
        if not isinstance(request, Request):
            return [] if request.type == Type.CANCEL else None
        self.calls.add(request.operation)
        status = Status.USER_EXCEPTION if request.operation.startswith("raise") else Status.NO_EXCEPTION
        reply = Reply(request.request_id, status, self.carry_out(request)).message(minor, self.order)
        if not self.fragment or len(reply.body) <= self.fragment:
            return reply
        return giop.fragmented(reply, *range(HEADER + self.fragment, HEADER + len(reply.body), self.fragment))

    def carry_out(self, request):
        """A function that writes the results."""
        r, operation = request.reader, request.operation
        if operation == "_is_a":
            known = r.string() == SERVER
            return lambda w: w.put("boolean", known)
        for prefix in ("pass", "raise", "_get_kept", "_set_kept"):
            if operation.startswith(prefix):
                name = operation[len(prefix):]
                return getattr(self, "do_" + prefix.strip("_"))(name, CELLS[name], r)
        raise AssertionError(f"{operation} is called")

    def do_pass(self, name, kind, r):
        a, b = kind.get(r), kind.get(r)
        return lambda w: [kind.put(w, value) for value in (a, a, b)]

    def do_raise(self, name, kind, r):
        a = kind.get(r)
        return lambda w: kind.put(w.string(f"IDL:Matrix/Bad{name}:1.0"), a)

    def do_set_kept(self, name, kind, r):
        self.kept[name] = kind.get(r)
        return b""

    def do_get_kept(self, name, kind, r):
        return lambda w: kind.put(w, self.kept[name])


class CallsOfCorbel(ScriptedTest):
    def refused(self, minor, order, fragment=None):
        """Cells whose calls the client refuses, with minor codes."""
        server = self.enterContext(Server(order, fragment))
        reference = server.reference(KEY, order, minor, type_id=SERVER)
        client = self.enterContext(Child(os.environ["MATRIX_PEER"], *LOOPBACK, "-ORBmaxGIOPVersion", f"1.{minor}", "call",
                                         reference.text(order), os.environ["MATRIX_DATA"]))
        lines = []
        with self.assertRaisesRegex(EOFError, "ended with 0"):
            while True:
                lines.append(client.line())
                self.assertTrue(lines[-1].startswith("refused "), lines[-1])
        self.assertGreater(len(server.calls), 3 * len(CELLS))
        return {tuple(line.split()[1:]) for line in lines}

    @in_every_variant(versions=[1, 2])
    def test_every_type_comes_back_from_every_place(self, minor, order):
        self.assertEqual(set(), self.refused(minor, order))

    @in_every_variant(versions=[2])
    def test_every_type_comes_back_in_fragments(self, minor, order):
        self.assertEqual(set(), self.refused(minor, order, fragment=64))

    @in_every_variant(versions=[0])
    def test_wide_characters_are_refused_where_the_version_has_none(self, minor, order):
        refused = self.refused(minor, order)
        self.assertEqual({"5"}, {code for _, code in refused})
        names = {name for name, _ in refused}
        self.assertLessEqual({"WChar", "WString", "WStrings", "WideNames"}, names)
        self.assertEqual(set(), names & {"Long", "String", "FlatStruct", "Money"})


class CallsToCorbel(ScriptedTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.child = Child(os.environ["MATRIX_PEER"], *LOOPBACK, "serve")
        cls.addClassCleanup(cls.child.kill)
        cls.profile = ior.Ior.parse(cls.child.line()).iiop()[0]

    def call(self, minor, order, operation, arguments, status=Status.NO_EXCEPTION):
        with connect(self.profile.host, self.profile.port) as peer:
            peer.send(Request(1, operation, self.profile.key, arguments=arguments).message(minor, order))
            reply = peer.reply()
        if reply.status == Status.SYSTEM_EXCEPTION != status:
            self.fail(f"{operation}: {giop.get_system_exception(reply.reader)}")
        self.assertEqual(status, reply.status, operation)
        return reply.reader

    @staticmethod
    def values(kind, minor, count=3):
        """Random ones that the version can carry."""
        for _ in range(60):
            value = MATRIX.value(kind)
            try:
                kind.put(cdr.Writer(cdr.BIG, 0, minor), value)
            except (idl.NotInThisVersion, struct.error):
                continue
            yield value
            count -= 1
            if not count:
                return

    def assert_same(self, kind, expected, found):
        self.assertEqual(canonical(kind, expected), canonical(kind, found))

    @in_every_variant
    def test_every_type_comes_back_from_every_place(self, minor, order):
        exchanged = set()
        for name, kind in MATRIX.cells():
            values = list(self.values(kind, minor))
            for a, b in zip(values, values[1:]):
                with self.subTest(name):
                    exchanged.add(name)
                    r = self.call(minor, order, f"pass{name}", lambda w: [kind.put(w, v) for v in (a, b)])
                    for expected in (a, a, b):
                        self.assert_same(kind, expected, kind.get(r))
                    self.assertEqual(0, r.remaining())
                    self.call(minor, order, f"_set_kept{name}", lambda w: kind.put(w, a))
                    self.assert_same(kind, a, kind.get(self.call(minor, order, f"_get_kept{name}", b"")))
                    r = self.call(minor, order, f"raise{name}", lambda w: kind.put(w, a), Status.USER_EXCEPTION)
                    self.assertEqual(f"IDL:Matrix/Bad{name}:1.0", r.string())
                    self.assert_same(kind, a, kind.get(r))
        self.assertGreaterEqual(len(exchanged), len(CELLS) - (0 if minor else 15))

    @in_every_variant(versions=[0])
    def test_wide_results_are_refused_where_the_version_has_none(self, minor, order):
        for name, value in (("WChar", 0x20AC), ("WString", "text"), ("WStrings", ["a"]), ("Any", (idl.WCHAR, 65)),
                            ("WideUnion", (65, idl.LongDouble(False, 1 << 63, 0)))):
            with self.subTest(name):
                kind = CELLS[name]
                self.call(2, order, f"_set_kept{name}", lambda w: kind.put(w, value))
                r = self.call(minor, order, f"_get_kept{name}", b"", Status.SYSTEM_EXCEPTION)
                self.assertEqual(("IDL:omg.org/CORBA/MARSHAL:1.0", WIDE_IN_REPLY), giop.get_system_exception(r)[:2])

    @in_every_variant
    def test_values_that_are_shared_arrive_so(self, minor, order):
        kind = CELLS["Node"]
        one = idl.Instance(kind, [1, "one", None, [0.5]])
        one.members[2] = idl.Instance(kind, [2, "two", None, []])
        r = self.call(minor, order, "passNode", lambda w: [kind.put(w, v) for v in (one, one.members[2])])
        a, b, c = (kind.get(r) for _ in range(3))
        self.assertIs(a, b)
        self.assertIs(a.members[2], c)
        self.assert_same(kind, one, a)

    @in_every_variant
    def test_a_value_of_an_unknown_type_is_cut_to_its_base(self, minor, order):
        base, node = CELLS["Base"], CELLS["Node"]
        unknown = idl.Value("IDL:Matrix/Unknown:1.0", "Unknown", truncatable=True)
        unknown.base = base
        unknown.members = [("more", idl.String()), ("node", node), ("last", idl.DOUBLE)]
        cut = idl.Instance(unknown, [7, "lost", idl.Instance(node, [8, "lost, too", None, [1.5]]), 2.5])
        whole = idl.Instance(base, [9])
        r = self.call(minor, order, "passBase", lambda w: [base.put(w, v) for v in (cut, whole)])
        a, b, c = (base.get(r) for _ in range(3))
        self.assertEqual([(base, [7]), (base, [7]), (base, [9])], [(v.kind, v.members) for v in (a, b, c)])


if __name__ == "__main__":
    unittest.main()
