"""Each clause in docs/conformance-poa.md names tests, and all of these exist."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/conformance-poa.md").read_text()


def tests():
    found = set()
    for source in (ROOT / "tests").rglob("*.cc"):
        found.update(re.findall(r"^TEST(?:_F|_P)?\((\w+), (\w+)\)", source.read_text(), re.M))
    return {f"{suite}.{name}" for suite, name in found}


class List(unittest.TestCase):
    def test_every_clause_names_tests_that_exist(self):
        there = tests()
        clauses = 0
        for line in PAGE.splitlines():
            if not line.startswith("|") or line.startswith("|---") or line.endswith("| Tests |"):
                continue
            cells = line.strip("|").split("|")
            self.assertEqual(3, len(cells), line)
            names = re.findall(r"`([^`]+)`", cells[2])
            self.assertTrue(names, f"no test shows this: {line}")
            for name in names:
                self.assertIn(name, there)
            clauses += 1
        self.assertGreater(clauses, 50)


if __name__ == "__main__":
    unittest.main()
