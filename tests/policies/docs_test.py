"""The example of docs/deadlines.md says what the page does, and the page shows what the example has."""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop()


class Example(unittest.TestCase):
    def test_calls_end_as_the_page_says(self):
        run = subprocess.run([PROGRAM, "-ORBendPoint", "giop:tcp:127.0.0.1:0"], capture_output=True, text=True, timeout=60,
                             check=True)
        late = "too late, and perhaps carried out"
        self.assertEqual(["without a limit: answered", f"a reference with 50 ms: {late}", "the other reference: answered",
                          f"a thread with 50 ms: {late}", f"an ORB with 50 ms: {late}",
                          "a one-way that is followed: refused"], run.stdout.splitlines())

    def test_the_page_quotes_the_example(self):
        source = (ROOT / "examples/deadlines/deadlines.cc").read_text()
        blocks = re.findall(r"```cpp\n(.*?)```", (ROOT / "docs/deadlines.md").read_text(), re.S)
        self.assertGreater(len(blocks), 3)
        for block in blocks:
            self.assertIn(block, source)


if __name__ == "__main__":
    unittest.main()
