#!/usr/bin/env python3
"""Generated code compiles without a warning and every file of it stands alone.

compile_test.py CORBEL_IDL INCLUDE_DIR COMPILER STANDARD [--OPTION ...] [HEADER.h] FILE.idl ...
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

IDL, INCLUDE, COMPILER, STANDARD = sys.argv[1:5]
OPTIONS = [a for a in sys.argv[5:] if a.startswith("--")]
HEADERS = [a for a in sys.argv[5:] if a.endswith(".h")]  # what contracts call native is declared there
FILES = [Path(a) for a in sys.argv[5:] if a.endswith(".idl")]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]


class Generated(unittest.TestCase):
    def test_every_file_compiles_alone(self):
        self.assertTrue(FILES)
        for file in FILES:
            with self.subTest(file=file.name), tempfile.TemporaryDirectory() as out:
                made = subprocess.run([IDL, *OPTIONS, "-o", out, file], capture_output=True, text=True, timeout=60,
                                      check=False)
                self.assertEqual(made.returncode, 0, made.stderr)
                sources = sorted(Path(out).glob("*.cc"))
                self.assertEqual([s.name for s in sources], [f"{file.stem}.{kind}.cc" for kind in ("any", "skel", "stub")])
                for source in sources:
                    done = subprocess.run([COMPILER, f"-std={STANDARD}", "-fsyntax-only", *WARNINGS, "-I", INCLUDE,
                                           *(word for header in HEADERS for word in ("-include", header)), source],
                                          cwd=out, capture_output=True, text=True, timeout=300, check=False)
                    self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
