"""What a client makes of each kind of reply."""

import unittest

from tests.scripted.programs import KEY, ScriptedTest, in_every_variant
from tests.support import cdr, giop
from tests.support.giop import Completion, Reply, Status
from tests.support.peer import Listener

SYSTEM_EXCEPTIONS = """
    ACTIVITY_COMPLETED ACTIVITY_REQUIRED BAD_CONTEXT BAD_INV_ORDER BAD_OPERATION BAD_PARAM BAD_QOS BAD_TYPECODE
    CODESET_INCOMPATIBLE COMM_FAILURE DATA_CONVERSION FREE_MEM IMP_LIMIT INITIALIZE INTERNAL INTF_REPOS
    INVALID_ACTIVITY INVALID_TRANSACTION INV_FLAG INV_IDENT INV_OBJREF INV_POLICY MARSHAL NO_IMPLEMENT NO_MEMORY
    NO_PERMISSION NO_RESOURCES NO_RESPONSE OBJECT_NOT_EXIST OBJ_ADAPTER PERSIST_STORE REBIND TIMEOUT
    TRANSACTION_MODE TRANSACTION_REQUIRED TRANSACTION_ROLLEDBACK TRANSACTION_UNAVAILABLE TRANSIENT UNKNOWN
    """.split()
REFUSED = "IDL:Contract/Refused:1.0"


class Replies(ScriptedTest):
    def converse(self, minor, order):
        """A client, and a function that lets it call once and be answered."""
        listener = self.enterContext(Listener())
        client = self.client_of(listener, order, minor)
        peers = []

        def call(operation, argument, answer):
            tag = client.ask(operation, argument)
            if not peers:
                peers.append(listener.accept())
            request = peers[0].request()
            self.assertEqual(KEY, request.key)
            reply = answer(request.request_id)
            peers[0].send(reply if isinstance(reply, (bytes, giop.Message)) else reply.message(minor, order))
            return client.result(tag)

        return call

    @in_every_variant
    def test_results_are_read_in_the_order_of_the_reply(self, minor, order):
        call = self.converse(minor, order)
        results = giop.values(order).put("long", -2).bytes()
        self.assertEqual("-2", call("plus", "5", lambda i: Reply(i, results=results)))
        texts = giop.values(order).string("a").string("").string("\xe4\xff").bytes()
        self.assertEqual("61  e4ff", call("text", "6162", lambda i: Reply(i, results=texts)))
        lists = giop.values(order).sequence("long", [1, -1]).sequence("long", []).sequence("long", [7]).bytes()
        self.assertEqual("[1,-1] [] [7]", call("longs", "", lambda i: Reply(i, results=lists)))

    def test_a_reply_may_come_in_another_byte_order_than_its_request(self):
        call = self.converse(2, cdr.LITTLE)
        results = giop.values(cdr.BIG).put("long", 70000).bytes()
        self.assertEqual("70000", call("plus", "5", lambda i: Reply(i, results=results).message(2, cdr.BIG)))

    @in_every_variant
    def test_user_exceptions_arrive_with_their_members(self, minor, order):
        call = self.converse(minor, order)
        body = giop.values(order).string(REFUSED).string("full").put("long", -7).bytes()
        self.assertEqual("Refused 66756c6c -7",
                         call("refuse", "1", lambda i: Reply(i, Status.USER_EXCEPTION, body)))
        body = giop.values(order).string("IDL:Contract/Empty:1.0").bytes()
        self.assertEqual("Empty", call("refuse", "1", lambda i: Reply(i, Status.USER_EXCEPTION, body)))

    @in_every_variant
    def test_user_exceptions_that_the_operation_does_not_raise_are_unknown(self, minor, order):
        call = self.converse(minor, order)
        for operation, name in [("refuse", "IDL:Other:1.0"), ("ping", REFUSED)]:
            body = giop.values(order).string(name).string("x").put("long", 1).bytes()
            outcome = call(operation, "1", lambda i: Reply(i, Status.USER_EXCEPTION, body))
            self.assert_raised(outcome, "UNKNOWN", "YES", 0x4F4D0001)

    @in_every_variant
    def test_every_standard_exception_arrives_with_minor_code_and_completion(self, minor, order):
        call = self.converse(minor, order)
        for number, name in enumerate(SYSTEM_EXCEPTIONS):
            for completed in Completion:
                code = 0x4F4D0000 | number
                body = giop.system_exception(order, name, code, completed)
                outcome = call("ping", "", lambda i: Reply(i, Status.SYSTEM_EXCEPTION, body))
                self.assert_raised(outcome, name, completed.name, code)

    @in_every_variant
    def test_unknown_system_exceptions_become_UNKNOWN(self, minor, order):
        call = self.converse(minor, order)
        for name in ["IDL:omg.org/CORBA/NO_SUCH:1.0", "IDL:vendor.example/ODD:3.1", "IDL::1.0"]:
            body = giop.system_exception(order, name, 99, Completion.YES)
            outcome = call("ping", "", lambda i: Reply(i, Status.SYSTEM_EXCEPTION, body))
            self.assert_raised(outcome, "UNKNOWN", "YES")

    @in_every_variant
    def test_malformed_replies_are_MARSHAL_and_the_connection_goes_on(self, minor, order):
        call = self.converse(minor, order)
        full = giop.values(order).string("text").string("b").string("c").bytes()
        for size in range(1, len(full)):
            outcome = call("text", "61", lambda i: Reply(i, results=full[:size]))
            self.assert_raised(outcome, "MARSHAL", "YES")
        for body in [b"\0", giop.values(order).string("IDL:omg.org/CORBA/MARSHAL:1.0").bytes(),
                     giop.system_exception(order, "MARSHAL", 1, 3)]:
            outcome = call("ping", "", lambda i: Reply(i, Status.SYSTEM_EXCEPTION, body))
            self.assert_raised(outcome, "MARSHAL", "MAYBE")
        self.assert_raised(call("ping", "", lambda i: Reply(i, 6)), "MARSHAL", "MAYBE")
        self.assertEqual("", call("ping", "", Reply))

    @in_every_variant
    def test_service_contexts_of_a_reply_are_ignored(self, minor, order):
        call = self.converse(minor, order)
        results = giop.values(order).put("long", 6).bytes()
        for contexts in [[(0, b"")], [(0x54545454, b"12345")], [(1, b"\1"), (7, bytes(4000)), (7, b"again")]]:
            self.assertEqual("6", call("plus", "5", lambda i: Reply(i, results=results, contexts=contexts)))

    @in_every_variant(versions=[2])
    def test_padding_behind_a_reply_without_results_is_passed_over(self, minor, order):
        call = self.converse(minor, order)

        def padded(request_id):
            message = Reply(request_id, contexts=[(9, b"12345")]).message(minor, order)
            message.body += bytes(cdr.padding(giop.HEADER + len(message.body), 8))
            return message

        self.assertEqual("", call("ping", "", padded))


if __name__ == "__main__":
    unittest.main()
