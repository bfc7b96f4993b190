"""What programs that only call choose by themselves on their server's host."""

import os
import unittest

from tests.scripted.programs import Server
from tests.support.processes import Child


class ChosenTransport(unittest.TestCase):
    def assert_shares_memory(self, shared, program, *options):
        with Server() as server, Child(os.environ[program], str(server.reference), *options) as client:
            client.write("0")
            self.assertEqual("ok", client.line())
            self.assertEqual((shared, shared), (client.mappings(), server.mappings()))

    def test_a_client_without_adapters_shares_memory_with_its_server(self):
        self.assert_shares_memory(1, "CALLER")

    def test_others_go_where_their_options_say(self):
        self.assert_shares_memory(0, "CALLER", "-ORBtransports", "unix,tcp")

    def test_a_client_linked_without_it_takes_what_there_is_beside(self):
        self.assert_shares_memory(0, "CALLER_WITHOUT_SHM")


if __name__ == "__main__":
    unittest.main()
