"""Every operation of a contract, called by a script in each GIOP version and byte order; replies octet by octet."""

import itertools
import threading
import time
import unittest

from tests.scripted import contract
from tests.scripted.programs import in_every_variant
from tests.scripted.server import ServerTest
from tests.support import cdr, giop, ior
from tests.support.giop import Addressing, Request, Status

A_REFERENCE = ior.Ior("IDL:Vendor/Thing:1.0", [
    (0, ior.Profile("host.example", 4711, b"\0key", 2, [(1, b"x"), (0x11111111, b"unknown")]).encode(cdr.BIG)),
    (0x12345678, b"an unknown profile"), (1, b"")])
VALUES = {
    "string": ["", "a", "seven c", "".join(map(chr, range(1, 256)))],
    contract.COLOR: [0, 1, 2],
    "reference": [ior.NIL, A_REFERENCE],
    "long": [0, -1, 2**31 - 1, -(2**31)],
    "octet": [0, 255, 65], "boolean": [False, True], "double": [0.0, -1.5, 1e300], "short": [-2],
}


def examples(kind):
    """Some values of a type."""
    if isinstance(kind, contract.Sequence):
        of = [(5, [])] if kind is contract.TREE.members[1] else examples(kind.element)
        return [[], of[:1], (of * 3)[:8]]
    if isinstance(kind, contract.Array):
        of = examples(kind.element)
        return [(of * kind.size)[: kind.size], (of[::-1] * kind.size)[: kind.size]]
    if isinstance(kind, contract.Struct):
        members = [examples(member) for member in kind.members]
        return [tuple(m[i % len(m)] for m in members) for i in range(max(map(len, members)))]
    if isinstance(kind, contract.Union):
        found = [(d, v) for d, case in kind.cases.items() if d is not None for v in examples(case)]
        others = [d for d in examples(kind.discriminator) if d not in kind.cases]
        rest = kind.cases.get(None)
        return found + [(d, v) for d in others for v in (examples(rest) if rest else [None])]
    return VALUES[kind]


class Dirty(cdr.Writer):
    """Has no zeros between values."""

    def align(self, alignment):
        return self.raw(b"\xa5" * cdr.padding(self.offset + len(self.data), alignment))


class GivingBack(ServerTest):
    @in_every_variant
    def test_operations_that_give_back_what_they_get(self, *variant):
        self.variant = variant
        for operation, kind in contract.GIVE.items():
            values = examples(kind)
            for a, b in zip(values, values[1:] + values[:1]):
                self.assertEqual([a, a, b], self.results(operation, [kind] * 2, [a, b], [kind] * 3), operation)

    @in_every_variant
    def test_operations_whose_result_is_their_argument(self, *variant):
        self.variant = variant
        for operation, kind in contract.SAME.items():
            values = ["", "five5"] if operation == "bounded" else examples(kind)
            for value in values:
                self.assertEqual([value], self.results(operation, [kind], [value], [kind]), operation)


class Memory(ServerTest):
    def test_nothing_of_the_memory_between_the_members_of_structures_comes_back(self):
        points = contract.Sequence(contract.POINT)
        for order in cdr.ORDERS:
            self.variant = 2, order
            for count in (1, 2, 9, 400, 3000, 9000):  # copied, sent from where they lie, and in pieces
                value = [(1, ord("t"), -2, 3, float(i)) for i in range(count)]
                dirty = Dirty(order)  # which the server's memory may become
                for _ in range(2):
                    contract.put(dirty, points, value)
                reply = self.call("give_points", dirty.bytes())
                wanted = giop.Reply(reply.request_id, results=contract.writing([points] * 3, [value] * 3))
                self.assertTrue(wanted.message(2, self.reply_message.order).bytes() == self.reply_message.bytes(),
                                f"{count} in the order {order}")


class Calls(ServerTest):
    @in_every_variant
    def test_numbers_of_every_size(self, *variant):
        self.variant = variant
        arguments = [-3, 60000, -70000, 4000000000, -(2**40), 2**50, 0.5, -0.25, 200, 100, True, 41]
        self.assertEqual([sum(arguments[:6]) + 200 + 100 + 1, 42, 0.25], self.results(
            "numbers", contract.NUMBERS, arguments, ["longlong", "long", "double"]))

    @in_every_variant
    def test_attributes_and_inherited_operations(self, *variant):
        self.variant = variant
        self.assertEqual([7], self.results("_get_count", [], [], ["long"]))
        self.assertEqual([], self.results("_set_label", ["string"], ["f\xfcnf"], []))
        self.assertEqual(["f\xfcnf"], self.results("_get_label", [], [], ["string"]))
        self.assertEqual([4], self.results("minus", ["long"], [5], ["long"]))
        self.assertEqual([6], self.results("plus", ["long"], [5], ["long"]))
        self.assertEqual([], self.results("ping", [], [], []))

    @in_every_variant
    def test_references_pass_with_all_that_is_unknown_in_them(self, *variant):
        self.variant = variant
        callback = ior.Ior("IDL:Contract/Callback:1.0", A_REFERENCE.profiles[:1])
        for a, b in itertools.product([ior.NIL, A_REFERENCE], [ior.NIL, callback]):
            self.assertEqual([a, b, b], self.results("reference", ["reference"] * 2, [a, b], ["reference"] * 3))

    @in_every_variant
    def test_user_exceptions_carry_their_members(self, *variant):
        self.variant = variant
        reply = self.call("refuse", contract.writing(["long"], [-9]))
        self.assertEqual(Status.USER_EXCEPTION, reply.status)
        self.assertEqual(("IDL:Contract/Refused:1.0", "because", -9),
                         (reply.reader.string(), reply.reader.string(), reply.reader.get("long")))
        self.assertEqual(0, reply.reader.remaining())
        reply = self.call("refuse", contract.writing(["long"], [0]))
        self.assertEqual((Status.USER_EXCEPTION, "IDL:Contract/Empty:1.0"), (reply.status, reply.reader.string()))

    @in_every_variant
    def test_system_exceptions_of_servants_arrive(self, *variant):
        self.variant = variant
        self.assertEqual(("NO_PERMISSION", 5, "YES"), self.system_exception("fail"))

    @in_every_variant
    def test_questions_about_the_object(self, *variant):
        self.variant = variant
        for name, answer in [("IDL:Contract/Everything:1.0", 1), ("IDL:Contract/Base:1.0", 1),
                             ("IDL:Contract/Right:1.0", 1), ("IDL:omg.org/CORBA/Object:1.0", 1),
                             ("IDL:Contract/Callback:1.0", 0), ("", 0), ("IDL:Contract/Everything:1.1", 0)]:
            self.assertEqual([answer], self.results("_is_a", ["string"], [name], ["octet"]), name)
        for operation in ["_non_existent", "_not_existent"]:
            self.assertEqual([0], self.results(operation, [], [], ["octet"]))
        self.assertEqual(["IDL:Contract/Everything:1.0"], self.results("_repository_id", [], [], ["string"]))

    @in_every_variant
    def test_oneways_are_carried_out_and_not_answered(self, *variant):
        self.variant = variant
        minor, order = variant
        before = self.results("noted", [], [], ["long"])[0]
        for amount in [1, 10, 100]:
            arguments = contract.writing(["long"], [amount])
            note = Request(next(self.ids), "note", self.server.key, 0, arguments=arguments)
            self.peer.send(note.message(minor, order))
        self.assert_noted(before + 111)

    @in_every_variant
    def test_who_expects_a_reply_decides_whether_there_is_one(self, *variant):
        self.variant = variant
        minor, order = variant
        self.peer.send(Request(next(self.ids), "ping", self.server.key, 0).message(minor, order),
                       Request(next(self.ids), "fail", self.server.key, 0).message(minor, order),
                       Request(next(self.ids), "no_such", self.server.key, 0).message(minor, order),
                       Request(next(self.ids), "ping", b"no such", 0).message(minor, order))
        note = contract.writing(["long"], [0])
        self.assertEqual(Status.NO_EXCEPTION, self.call("note", note, expected=3).status)
        self.assertEqual(Status.NO_EXCEPTION, self.call("ping", expected=1).status)

    @in_every_variant
    def test_request_ids_are_given_back_whatever_they_are(self, *variant):
        self.variant = variant
        for number in [0, 0xFFFFFFFF, 0x80000000, 12345, 12345]:
            self.ids = iter([number])
            self.call("ping")

    @in_every_variant
    def test_a_char_set_that_cannot_be_read_is_refused(self, *variant):
        self.variant = variant
        for char_set, order in itertools.product([0x00010101, 0x00010100], [cdr.BIG, cdr.LITTLE]):
            sets = cdr.encapsulation(order).put("ulong", char_set, ior.UTF16).bytes()
            self.assertEqual(("CODESET_INCOMPATIBLE", 0x4F4D0002, "NO"),
                             self.system_exception("ping", contexts=[(ior.CODE_SETS, sets)]))
        self.assertEqual("CODESET_INCOMPATIBLE", self.system_exception("ping")[0], "it is of the set that was announced last")
        self.reconnect()
        self.assertEqual(Status.NO_EXCEPTION, self.call("ping").status)

    @in_every_variant
    def test_strings_are_utf_8_once_that_is_announced(self, *variant):
        self.variant = variant
        text = bytes(range(1, 256)).decode("latin-1")
        encoded = text.encode("utf-8").decode("latin-1")
        contexts = {char_set: [(ior.CODE_SETS, cdr.encapsulation(variant[1]).put("ulong", char_set, ior.UTF16).bytes())]
                    for char_set in (ior.LATIN1, ior.UTF8)}
        for announced, sent in [([], text), (contexts[ior.UTF8], encoded), ([], encoded), (contexts[ior.LATIN1], text)]:
            reply = self.call("text", lambda w: w.string(sent).string("b"), contexts=announced)
            self.assertEqual([sent, sent, "b"], [reply.reader.string() for _ in range(3)])
        self.call("ping", contexts=contexts[ior.UTF8])
        for bad in ["\u20ac".encode("utf-8").decode("latin-1"), "\xe9"]:
            self.assertEqual(("DATA_CONVERSION", 0x4F4D0001, "NO"),
                             self.system_exception("text", lambda w: w.string(bad).string("b")))
        self.assertEqual(Status.NO_EXCEPTION, self.call("ping", contexts=contexts[ior.LATIN1]).status)

    @in_every_variant
    def test_service_contexts_are_passed_over(self, *variant):
        self.variant = variant
        sets = cdr.encapsulation(variant[1]).put("ulong", ior.LATIN1, ior.UTF16).bytes()
        for contexts in [[(ior.CODE_SETS, sets)], [(0x54540001, b"abc")], [(7, b""), (9, bytes(5001)), (7, b"1")]]:
            self.assertEqual(Status.NO_EXCEPTION, self.call("ping", contexts=contexts).status)
            reply = self.call("plus", contract.writing(["long"], [70000]), contexts=contexts)
            self.assertEqual(70001, reply.reader.get("long"))
            reply = self.call("few", lambda w: w.sequence("double", [2.5]), contexts=contexts)
            self.assertEqual([2.5], reply.reader.sequence("double"))

    @in_every_variant(versions=[0, 1])
    def test_principals_are_passed_over(self, *variant):
        self.variant = variant
        for principal in [b"x", b"somebody", bytes(3001)]:
            reply = self.call("few", lambda w: w.sequence("double", [2.5]), principal=principal)
            self.assertEqual([2.5], reply.reader.sequence("double"))

    @in_every_variant(versions=[2])
    def test_a_target_may_be_named_by_profile_or_reference(self, *variant):
        self.variant = variant
        for order in cdr.ORDERS:
            profile = ior.Profile("elsewhere", 1, self.server.key, 2, [(3, b"")]).encode(order)
            other = ior.Profile("elsewhere", 1, b"other", 2).encode(order)
            self.assertEqual(Status.NO_EXCEPTION,
                             self.call("ping", addressing=Addressing.PROFILE, profile=(0, profile)).status)
            for index, profiles in [(0, [(0, profile)]), (2, [(0, other), (77, b"unknown"), (0, profile), (0, other)])]:
                reference = index, ior.Ior("IDL:Any:1.0", profiles)
                reply = self.call("plus", contract.writing(["long"], [1]), addressing=Addressing.REFERENCE,
                                  reference=reference)
                self.assertEqual((Status.NO_EXCEPTION, 2), (reply.status, reply.reader.get("long")))
            reference = 1, ior.Ior("", [(0, profile), (0, other)])
            self.assertEqual("OBJECT_NOT_EXIST", self.system_exception(
                "ping", addressing=Addressing.REFERENCE, reference=reference)[0])

    @in_every_variant
    def test_plain_keys_lead_to_their_object(self, *variant):
        self.variant = variant
        reply = self.call("plus", contract.writing(["long"], [1]), key=b"Everything")
        self.assertEqual(2, reply.reader.get("long"))

    @in_every_variant
    def test_objects_that_are_not_there_do_not_exist(self, *variant):
        self.variant = variant
        key = self.server.key
        unknown = [b"", b"\0", b"nonsense", self.server.gone, key[:-1], key + b"x", b"Everythin", bytes(1000)]
        for index in range(len(key)):
            unknown.append(key[:index] + bytes([key[index] ^ 1]) + key[index + 1 :])
        hint = 0
        for other in unknown:
            if len(other) == len(key) and other != self.server.gone and self.call("ping", key=other).status == 0:
                hint += 1  # an octet of the hint where the object may be found, which is verified
                continue
            self.assertEqual(("OBJECT_NOT_EXIST", "NO"), self.system_exception("ping", key=other)[::2], other)
        self.assertLessEqual(hint, 4)
        self.assertEqual(Status.NO_EXCEPTION, self.call("ping").status)

    @in_every_variant
    def test_operations_that_are_not_there_are_BAD_OPERATION(self, *variant):
        self.variant = variant
        for name in ["", "pin", "pingg", "Ping", "_get_ping", "_set_count", "twice", "x" * 3000, "_get_label\0"]:
            self.assertEqual(("BAD_OPERATION", "NO"), self.system_exception(name)[::2], name[:20])
        self.assertEqual(Status.NO_EXCEPTION, self.call("ping").status)

    @in_every_variant
    def test_requests_may_come_together_or_octet_by_octet(self, *variant):
        self.variant = variant
        minor, order = variant
        requests = [Request(100 + n, "plus", self.server.key, arguments=contract.writing(["long"], [n]))
                    for n in range(30)]
        self.peer.send(*[r.message(minor, order) for r in requests])
        replies = {reply.request_id: reply.reader.get("long") for reply in [self.peer.reply() for _ in requests]}
        self.assertEqual({100 + n: n + 1 for n in range(30)}, replies)
        for octet in requests[5].message(minor, order).bytes():
            self.peer.send(bytes([octet]))
        self.assertEqual(6, self.peer.reply().reader.get("long"))

    def test_versions_and_byte_orders_may_change_on_a_connection(self):
        for self.variant in itertools.product([2, 0, 1], cdr.ORDERS):
            self.assertEqual([5], self.results("plus", ["long"], [4], ["long"]))


class LateReaders(ServerTest):
    REQUESTS = 3000

    def test_clients_that_read_late_get_every_reply_and_may_cancel_afterwards(self):
        variant = self.variant = 2, cdr.LITTLE
        arguments = contract.writing([contract.Sequence("octet")], [bytes(3900)])
        for _ in range(3):
            requests = [Request(n, "give_chars", self.server.key, arguments=arguments).message(*variant).bytes()
                        for n in range(self.REQUESTS)]
            sender = threading.Thread(target=self.peer.send, args=requests)
            sender.start()
            time.sleep(0.5)  # the server waits for room to answer
            replies = {self.peer.reply().request_id for _ in requests}
            sender.join()
            self.assertEqual(set(range(self.REQUESTS)), replies)
        self.peer.send(giop.cancel(*variant, 1_000_000))
        self.assert_serves()


if __name__ == "__main__":
    unittest.main()
