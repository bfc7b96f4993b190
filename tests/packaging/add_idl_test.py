"""What corbel_add_idl makes of its words: which files it waits for, which options it refuses, and what the compiler is told. Nothing is
built."""
import argparse
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = """cmake_minimum_required(VERSION 3.22)
project(endings CXX)
add_executable(Corbel::corbel-idl IMPORTED)
set_target_properties(Corbel::corbel-idl PROPERTIES IMPORTED_LOCATION /bin/true)
foreach(library corbel poa any)
  add_library(Corbel::${library} INTERFACE IMPORTED)
endforeach()
include(%s)
corbel_add_idl(x FILES a.idl %s)
get_target_property(sources x SOURCES)
foreach(source IN LISTS sources)
  file(RELATIVE_PATH source ${CMAKE_BINARY_DIR} ${source})
  message(STATUS "file ${source}")
endforeach()
"""


class AddIdl(unittest.TestCase):
    def configured(self, arguments, status=0):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder)
            (source / "a.idl").write_text("interface A {};\n", encoding="utf-8")
            (source / "CMakeLists.txt").write_text(PROJECT % (ROOT / "cmake/CorbelIdl.cmake", arguments), encoding="utf-8")
            ended = subprocess.run([ARGUMENTS.cmake, "-S", source, "-B", source / "build", "-G", "Ninja",
                                    f"-DCMAKE_CXX_COMPILER={ARGUMENTS.compiler}"], timeout=120, capture_output=True, text=True,
                                   check=False)
            rules = source / "build/build.ninja"
            self.commands = re.findall(r"/bin/true ([^&\n]*[^&\s])", rules.read_text(encoding="utf-8")) if status == 0 else []
        said = ended.stdout + ended.stderr
        self.assertEqual(ended.returncode, status, said)
        return said

    def test_options_name_files(self):
        for arguments, names in (
            ("", "a.stub.h a.stub.cc a.any.h a.any.cc a.skel.h a.skel.cc"),
            ("NO_ANY NO_SKELETON OPTIONS --empty-file .inl", "a.stub.h a.stub.cc a.inl"),
            ("PRESET omniidl OPTIONS -W bs=.cxx", "a.hh a.cxx"),
            ("PRESET tao OPTIONS -ss .cc -SS", "aC.h aC.cpp aC.inl"),
        ):
            said = self.configured(arguments)
            files = [line.split()[-1] for line in said.splitlines() if line.startswith("-- file ")]
            self.assertEqual(files, [f"x.idl.d/{name}" for name in names.split()], arguments)

    def test_a_profile_is_for_all_files_together(self):
        self.configured("b.idl sub/c.idl PROFILE load")
        for name in "abc":
            said = next(c for c in self.commands if c.endswith(f"/{name}.idl"))
            others = [Path(word.split("=")[1]).name for word in said.split() if word.startswith("--profile-contract=")]
            self.assertEqual(others, [f"{other}.idl" for other in "abc" if other != name])
        self.configured("b.idl")
        self.assertFalse([c for c in self.commands if "--profile" in c])

    def test_options_that_say_where_files_go_are_refused(self):
        for arguments, option in (
            ("OPTIONS -o out", "-o"),
            ("OPTIONS --output-dir=out", "--output-dir=out"),
            ("OPTIONS --skel-dir out", "--skel-dir"),
            ("OPTIONS --any-dir=out", "--any-dir=out"),
            ("PRESET tao OPTIONS -oS out", "-oS"),
            ("PRESET tao OPTIONS -oA out", "-oA"),
            ("PRESET omniidl OPTIONS -Cout", "-Cout"),
        ):
            said = " ".join(self.configured(arguments, status=1).split())
            self.assertIn(f"corbel_add_idl(x): {option} in OPTIONS says where files are written; OUTPUT_DIR", said)
        # These only look like it.
        self.configured("PRESET tao OPTIONS -Ce")
        self.configured("OUTPUT_DIR out")

    def test_options_that_write_no_code_are_refused(self):
        for arguments, option in (
            ("OPTIONS -E", "-E"),
            ("OPTIONS -wE", "-wE"),
            ("OPTIONS --check", "--check"),
            ("OPTIONS --tie --dump=plan", "--dump=plan"),
            ("OPTIONS --dump aoi", "--dump"),
            ("OPTIONS --help", "--help"),
            ("OPTIONS -h", "-h"),
            ("OPTIONS --list-diagnostics", "--list-diagnostics"),
            ("OPTIONS --version", "--version"),
            ("PRESET omniidl OPTIONS -Wba -E", "-E"),
            ("PRESET omniidl OPTIONS -qd", "-qd"),
            ("PRESET omniidl OPTIONS --check", "--check"),
            ("PRESET tao OPTIONS -E", "-E"),
            ("PRESET tao OPTIONS --syntax-only", "--syntax-only"),
        ):
            said = " ".join(self.configured(arguments, status=1).split())
            self.assertIn(f"corbel_add_idl(x): {option} in OPTIONS makes the compiler write no code; leave it out.", said)
            self.assertIn("add_custom_command(COMMAND Corbel::corbel-idl ...)", said)
        # These only look like it.
        self.configured("OPTIONS -w --dispatch=hash --export-macro=E")
        self.configured("PRESET tao OPTIONS -d -hc C.h -hs S.h")
        self.configured("PRESET omniidl OPTIONS -bcxx -Wba,d=Any.cc -nf")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--compiler", required=True)
    ARGUMENTS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
