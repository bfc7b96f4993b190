"""What tests of corbel-idl's command line have in common: a folder with some contracts, and the compiler run in it."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

COMPILER = str(Path(sys.argv.pop(1)).resolve())


class Driver(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        self.write("good.idl", '#include "sub dir/part.idl"\n#ifdef WITH\ninterface With : Part {};\n#endif\n')
        self.write("sub dir/part.idl", "interface Part {};\n")
        self.write("bad.idl", "interface Bad : Missing {};\n")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        (self.root / name).parent.mkdir(exist_ok=True)
        (self.root / name).write_text(text)

    def run_compiler(self, *arguments, **more):
        return subprocess.run([COMPILER, *arguments], cwd=self.root, capture_output="stdout" not in more, text=True,
                              timeout=60, check=False, **more)

    def generate(self, *arguments, file="good.idl"):
        """What is written, by name, and what is said."""
        out = Path(tempfile.mkdtemp(dir=self.root))
        done = self.run_compiler("-o", out.name, *arguments, file)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {str(p.relative_to(out)): p.read_text() for p in out.rglob("*") if p.is_file()}, done.stderr

    def files(self, folder="."):
        return sorted(str(p.relative_to(self.root / folder)) for p in (self.root / folder).rglob("*") if p.is_file())
