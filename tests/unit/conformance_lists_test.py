"""Each clause in the tables of docs/conformance-*.md names tests, and all of these exist."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def tests():
    found = set()
    for source in (ROOT / "tests").rglob("*.cc"):
        found.update(re.findall(r"^(?:TYPED_)?TEST(?:_F|_P)?\((\w+), (\w+)\)", source.read_text(), re.M))
    return {f"{suite}.{name}" for suite, name in found}


def clauses(page):
    for line in page.read_text().splitlines():
        if line.startswith("|") and not line.startswith("|---") and not line.endswith("| Tests |"):
            yield line


class Lists(unittest.TestCase):
    def test_every_clause_names_tests_that_exist(self):
        there = tests()
        pages = sorted((ROOT / "docs").glob("conformance-*.md"))
        self.assertGreaterEqual(len(pages), 3)
        for page in pages:
            count = 0
            for line in clauses(page):
                cells = line.strip("|").split("|")
                self.assertEqual(3, len(cells), line)
                names = re.findall(r"`([^`]+)`", cells[2])
                self.assertTrue(names, f"no test shows this: {line}")
                for name in names:
                    self.assertIn(name, there, page.name)
                count += 1
            self.assertGreater(count, 50, page.name)


if __name__ == "__main__":
    unittest.main()
