"""Wide text that a client without stubs sends: the contract of the others has none."""

import unittest

from tests.scripted.programs import ScriptedTest, in_every_variant
from tests.support import giop, ior
from tests.support.giop import Reply, Status
from tests.support.peer import Answering


class WideText(ScriptedTest):
    @in_every_variant(versions=[2])
    def test_is_written_again_for_a_server_of_an_older_version(self, minor, order):
        def answer(request):
            self.read = [request.reader.get("ushort") for _ in range(request.reader.get("ulong"))]
            return Reply(request.request_id).message(1, order)

        new = self.enterContext(Answering(answer))
        target = new.reference(b"elsewhere", order, 1, [ior.code_sets(order)])
        old = self.enterContext(Answering(lambda request: Reply(
            request.request_id, Status.FORWARD, target.encode(giop.values(order)).bytes()).message(minor, order)))
        client = self.client_of(old, order, minor, components=[ior.code_sets(order)])
        self.assertEqual("", client.call("wide", "\xe9t\xe9".encode("latin-1").hex()))
        self.assertEqual([0xE9, ord("t"), 0xE9, 0], self.read)
        self.assertEqual((1, 1), (len(old.received), len(new.received)))


if __name__ == "__main__":
    unittest.main()
