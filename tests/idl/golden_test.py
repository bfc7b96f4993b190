#!/usr/bin/env python3
"""The golden engine notices what it is there to notice."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ENGINE = Path(__file__).resolve().parent / "golden.py"
COMPILER = sys.argv.pop(1)


class Golden(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        self.suite = self.root / "aoi"
        self.suite.mkdir()
        (self.suite / "a.idl").write_text("interface A {};\n")

    def tearDown(self):
        self.folder.cleanup()

    def engine(self, *arguments):
        return subprocess.run([sys.executable, ENGINE, COMPILER, "aoi", "--root", self.root, *arguments],
                              capture_output=True, text=True, check=False)

    def test_output_without_an_expectation_fails(self):
        done = self.engine()
        self.assertEqual(done.returncode, 1)
        self.assertIn("+  interface ::A", done.stdout)

    def test_update_makes_it_pass(self):
        self.assertEqual(self.engine("--update").returncode, 0)
        self.assertEqual(self.engine().returncode, 0)
        self.assertIn("interface ::A", (self.suite / "a.out").read_text())

    def test_another_output_fails(self):
        self.engine("--update")
        (self.suite / "a.idl").write_text("interface B {};\n")
        self.assertEqual(self.engine().returncode, 1)

    def test_update_removes_what_became_empty(self):
        self.engine("--update")
        (self.suite / "a.err").write_text("old\n")
        self.assertEqual(self.engine().returncode, 1)
        self.assertEqual(self.engine("--update").returncode, 0)
        self.assertFalse((self.suite / "a.err").exists())

    def test_an_expectation_without_a_case_fails(self):
        self.engine("--update")
        (self.suite / "gone.out").write_text("x")
        self.assertEqual(self.engine().returncode, 1)

    def test_a_kind_without_a_golden_fails(self):
        (self.root / "negative").mkdir()
        done = self.engine("--coverage")
        self.assertEqual(done.returncode, 1)
        self.assertIn("negative/unknown-name.idl", done.stdout)


if __name__ == "__main__":
    unittest.main()
