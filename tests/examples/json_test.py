"""A contract that is text and values that are JSON reach objects of this ORB and of another one."""

import json
import pathlib
import subprocess
import unittest

from tests.examples.programs import programs
from tests.support.processes import Child

CALL, *SERVERS = programs()
CONTRACT = pathlib.Path(__file__).resolve().parents[2] / "examples" / "demo" / "param_test.idl"
VARIABLE = [{"dummy1": name, "dummy2": "", "seq": [name, "süß"]} for name in ("a", "b")]


class Json(unittest.TestCase):
    def setUp(self):
        self.references = {}
        for server in SERVERS:
            child = Child(server, "-ORBendPoint", "giop:tcp:127.0.0.1:0", "-ORBnativeCharCodeSet", "UTF-8")
            self.addCleanup(child.kill)
            self.references[pathlib.Path(server).name] = child.line()

    def run_call(self, *words):
        return subprocess.run([CALL, str(CONTRACT), *words], capture_output=True, text=True, timeout=30, check=False)

    def call(self, reference, operation, arguments):
        done = self.run_call(reference, "Param_Test", operation, json.dumps(arguments))
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        return json.loads(done.stdout)

    def test_both_orbs_were_there(self):
        self.assertEqual(2, len(SERVERS), "omniORB's server is not built: ./run deps installs omniORB")

    def test_operations_are_listed(self):
        listed = self.run_call()
        self.assertEqual(0, listed.returncode)
        self.assertIn("Param_Test test_fixed_struct", listed.stdout.splitlines())

    def test_a_sequence_of_structures_comes_back_in_every_mode(self):
        for name, reference in self.references.items():
            with self.subTest(name):
                reply = self.call(reference, "test_struct_sequence", {"s1": VARIABLE, "s2": VARIABLE[:1]})
                self.assertEqual({"result": VARIABLE, "out": {"s2": VARIABLE, "s3": VARIABLE}}, reply)

    def test_a_structure_of_fixed_size_comes_back(self):
        given = {"l": -70000, "c": "x", "s": -3, "o": 255, "f": 0.5, "b": True, "d": 1e100}
        for name, reference in self.references.items():
            with self.subTest(name):
                reply = self.call(reference, "test_fixed_struct", [given, given])
                self.assertEqual(given, reply["result"])

    def test_what_does_not_fit_is_not_sent(self):
        for name, reference in self.references.items():
            with self.subTest(name):
                done = self.run_call(reference, "Param_Test", "test_short", '{"s1": 40000, "s2": 0}')
                self.assertEqual((1, ""), (done.returncode, done.stdout))
                self.assertIn("$.s1: ", done.stderr)

    def test_an_exception_is_part_of_the_reply(self):
        done = self.run_call("corbaloc::127.0.0.1:1/nobody", "Param_Test", "test_short", "[1, 2]")
        self.assertEqual(3, done.returncode)
        self.assertEqual("IDL:omg.org/CORBA/TRANSIENT:1.0", json.loads(done.stdout)["exception"]["id"])


if __name__ == "__main__":
    unittest.main()
