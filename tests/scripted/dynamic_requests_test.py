"""What only requests without stubs do."""

import unittest

from tests.scripted.programs import ScriptedTest, in_every_variant
from tests.support import cdr, giop
from tests.support.giop import Reply
from tests.support.peer import Answering, Listener

TK_VALUE, TK_NULL = 29, 0
ONE_ID = 0x7FFFFF02  # a value's tag


class Deferred(ScriptedTest):
    def test_large_requests_are_sent_without_asking_where_the_object_is(self):
        listener = self.enterContext(Listener())
        client = self.client_of(listener, cdr.LITTLE)
        tag = client.ask("text", "61" * 200_000)  # goes twice: above the 256 KiB from which others ask
        peer = listener.accept()
        request = peer.request()
        self.assertEqual(200_000, len(request.reader.string()))
        peer.send(Reply(request.request_id, results=giop.values(cdr.LITTLE).string("a").string("b").string("c").bytes())
                  .message(2, cdr.LITTLE))
        self.assertEqual("61 62 63", client.result(tag))

    @in_every_variant
    def test_a_value_in_the_reply_that_cannot_be_made_ends_the_request(self, minor, order):
        type_code = cdr.encapsulation(order).string("IDL:V:1.0").string("V").put("short", 0).put("ulong", TK_NULL, 0).bytes()
        results = giop.values(order).put("ulong", TK_VALUE).octets(type_code).put("ulong", ONE_ID).string("IDL:W:1.0").bytes()
        server = self.enterContext(Answering(lambda r: Reply(r.request_id, results=results).message(minor, order)))
        self.assert_raised(self.client_of(server, order, minor).call("any"), "MARSHAL", "MAYBE", 0x4F4D0001)


if __name__ == "__main__":
    unittest.main()
