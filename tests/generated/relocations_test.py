#!/usr/bin/env python3
"""Marshal programs are constants that the dynamic linker leaves alone, but for the two pointers that all of a file share, and
bring along nothing of values where they pass none.

relocations_test.py CORBEL_IDL INCLUDE_DIR COMPILER READELF FILE.idl LIBRARY
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

IDL, INCLUDE, COMPILER, READELF, CONTRACT, LIBRARY = sys.argv[1:7]
FILES = {"stub": "_stubs", "skel": "_skeletons"}
CONSTANTS = (".rodata", ".data.rel.ro")
POINTER = 8


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return done.stdout


class Object:
    """An object file: where relocations of constants stand, by section, and its objects by name."""

    def __init__(self, path):
        sections = {int(number): name for number, name in
                    re.findall(r"^ *\[ *(\d+)\] (\S+)", run(READELF, "-SW", path), re.MULTILINE)}
        self.relocations = {}
        places = None
        for line in run(READELF, "-rW", path).splitlines():
            if found := re.match(r"Relocation section '\.rela?(\S+)'", line):
                places = self.relocations.setdefault(found[1], []) if found[1].startswith(CONSTANTS) else None
            elif places is not None and (found := re.match(r"([0-9a-f]{16})\s", line)):
                places.append(int(found[1], 16))
        self.objects = {}
        symbols = run(READELF, "-sW", path)
        self.wanted = undefined(symbols)
        for value, size, section, name in re.findall(r"^ *\d+: ([0-9a-f]+) +(\d+) OBJECT +\w+ +\w+ +(\d+) (\S+)$", symbols,
                                                     re.MULTILINE):
            self.objects[name] = sections[int(section)], int(value, 16), int(size)

    def of(self, name):
        """The size of the object of this name in the programs' namespace, and where in it relocations stand."""
        mangled = f"L{len(name)}{name}E"
        (section, begin, size), = (place for symbol, place in self.objects.items() if symbol.endswith(mangled))
        return size, [at - begin for at in self.relocations.get(section, []) if begin <= at < begin + size]

    def count(self):
        return sum(map(len, self.relocations.values()))


def undefined(symbols):
    """Mangled names of what else has to be linked."""
    return set(re.findall(r" UND (_Z\w+)", symbols))


def compiled(text):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        contract = folder / "contract.idl"
        contract.write_text(text)
        run(IDL, "--stubs=interpretive", "--no-any", "-o", name, str(contract))
        objects = {}
        for side in FILES:
            made = folder / f"{side}.o"
            run(COMPILER, "-std=c++17", "-O1", "-fPIC", "-I", INCLUDE, "-I", name, "-c", str(folder / f"contract.{side}.cc"),
                "-o", str(made))
            objects[side] = Object(made)
        return objects


OF_VALUES = re.compile("WrittenValues|ReadValues|ValueBase|CORBA3Any|AbstractBase|Context")
OPERATION = re.compile(r"(?m)^ +\w+ (test_\w+)\([^)]*\);$")


class Relocations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = Path(CONTRACT).read_text(encoding="utf-8")
        cls.once = compiled(cls.text)

    def assert_only_pointers(self, objects, pointers):
        for side, name in FILES.items():
            size, places = objects[side].of(name)
            self.assertGreater(size, 200, "all programs of the contract")
            self.assertEqual(pointers, places, side)

    def test_a_file_of_programs_has_one_for_each_table_that_it_leads_to(self):
        self.assert_only_pointers(self.once, [0])
        raising = OPERATION.sub(lambda found: found[0][:-1] + " raises (Refused);", self.text)
        self.assert_only_pointers(compiled("exception Refused { string why; };\n" + raising), [0, POINTER])

    def test_operations_add_none(self):
        twice, copies = OPERATION.subn(lambda found: found[0] + found[0].replace("(", "_again("), self.text)
        self.assertGreater(copies, 5)
        objects = compiled(twice)
        self.assert_only_pointers(objects, [0])
        for side, name in FILES.items():
            self.assertGreater(objects[side].of(name)[0], self.once[side].of(name)[0], side)
        self.assertEqual(self.once["stub"].count(), objects["stub"].count())

    def test_operations_with_values_add_none(self):
        interface = "valuetype Node { public long id; }; exception Torn { any what; };\ninterface Calls {\n%s};\n"
        operation = "any test_%s(in any a, inout Node b, out CORBA::TypeCode c) raises (Torn);\n"
        few, many = (compiled(interface % "".join(operation % n for n in range(count))) for count in (2, 4))
        self.assert_only_pointers(many, [0, POINTER])
        self.assertEqual(few["stub"].count(), many["stub"].count())
        for side in FILES:
            self.assertTrue(any(OF_VALUES.search(name) for name in many[side].wanted))

    def test_what_passes_no_values_needs_nothing_of_them(self):
        interpreter, = (text for text in run(READELF, "-sW", LIBRARY).split("\nFile: ") if "(programs.cc.o)" in text)
        names = undefined(interpreter)
        self.assertTrue(any("string_memory" in name for name in names), "the interpreter's own")
        for side in FILES:
            names |= self.once[side].wanted
        self.assertEqual([], [name for name in names if OF_VALUES.search(name)])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
