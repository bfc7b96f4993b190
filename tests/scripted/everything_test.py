"""The client that calls every operation of the contract, against a server that is a script."""

import os
import unittest

from tests.scripted import contract
from tests.scripted.everything import Everything
from tests.scripted.programs import KEY, LOOPBACK, ScriptedTest, in_every_variant
from tests.support.processes import Child

PLAIN = b"Everything"
OPERATIONS = {*contract.GIVE, *contract.SAME, "ping", "_get_count", "_get_label", "_set_label", "minus", "plus",
              "numbers", "reference", "refuse", "fail", "note", "noted", "call_back", "_is_a", "_non_existent", "twice"}


class EveryOperation(ScriptedTest):
    def assert_all_right(self, minor, order, fragment=None):
        server = self.enterContext(Everything([KEY, PLAIN], order, fragment))
        client = self.enterContext(Child(
            os.environ["SCRIPTED_EVERYTHING"], *LOOPBACK, "-ORBmaxGIOPVersion", f"1.{minor}",
            server.reference(KEY, order, minor).text(order), f"127.0.0.1:{server.port}", f"1.{minor}"))
        self.assertEqual(0, client.end_of_input())
        self.assertEqual(set(), OPERATIONS - server.calls)

    @in_every_variant
    def test_every_operation_gives_the_right_answer(self, minor, order):
        self.assert_all_right(minor, order)

    @in_every_variant(versions=[1, 2])
    def test_every_answer_may_come_in_fragments(self, minor, order):
        self.assert_all_right(minor, order, fragment=1000)


if __name__ == "__main__":
    unittest.main()
