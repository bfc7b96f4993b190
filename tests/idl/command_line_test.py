#!/usr/bin/env python3
"""Options, exit status and files of corbel-idl."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

COMPILER = str(Path(sys.argv.pop(1)).resolve())


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        (self.root / "good.idl").write_text('#include "sub dir/part.idl"\n#ifdef WITH\ninterface With : Part {};\n#endif\n')
        (self.root / "sub dir").mkdir()
        (self.root / "sub dir" / "part.idl").write_text("interface Part {};\n")
        (self.root / "bad.idl").write_text("interface Bad : Missing {};\n")

    def tearDown(self):
        self.folder.cleanup()

    def run_compiler(self, *arguments):
        return subprocess.run([COMPILER, *arguments], cwd=self.root, capture_output=True, text=True, timeout=60, check=False)

    def test_a_good_contract_gives_status_0_and_no_words(self):
        done = self.run_compiler("--check", "good.idl")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_errors_give_status_1_and_go_to_standard_error(self):
        done = self.run_compiler("--check", "bad.idl")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertTrue(done.stderr.startswith("bad.idl:1:17: error: "), done.stderr)

    def test_a_file_that_cannot_be_read_gives_status_2(self):
        self.assertEqual(self.run_compiler("none.idl").returncode, 2)
        self.assertEqual(self.run_compiler("sub dir").returncode, 2)

    def test_wrong_use_gives_status_2(self):
        for arguments in ([], ["--no-such-option", "good.idl"], ["--dump=nothing", "good.idl"]):
            self.assertEqual(self.run_compiler(*arguments).returncode, 2, arguments)

    def test_one_bad_file_among_several_does_not_hide_the_others(self):
        done = self.run_compiler("--dump=aoi", "bad.idl", "good.idl")
        self.assertEqual(done.returncode, 1)
        self.assertIn('contract "good.idl"', done.stdout)

    def test_macros_are_defined_and_undefined(self):
        self.assertIn("interface ::With", self.run_compiler("--dump=aoi", "-DWITH", "good.idl").stdout)
        self.assertNotIn("With", self.run_compiler("--dump=aoi", "-DWITH", "-U", "WITH", "good.idl").stdout)

    def test_include_directories_are_searched(self):
        (self.root / "user.idl").write_text("#include <part.idl>\n")
        self.assertEqual(self.run_compiler("--check", "user.idl").returncode, 1)
        self.assertEqual(self.run_compiler("--check", "-Isub dir", "user.idl").returncode, 0)

    def test_dependencies_name_every_file_read(self):
        done = self.run_compiler("--check", "-MD", "-MF", "deps.d", "good.idl")
        self.assertEqual(done.returncode, 0, done.stderr)
        rule = (self.root / "deps.d").read_text()
        self.assertIn("good.stub.h:", rule)
        self.assertIn("good.idl", rule)
        self.assertIn("sub\\ dir/part.idl", rule)

    def test_dependencies_stand_beside_the_output_by_default(self):
        (self.root / "gen").mkdir()
        self.assertEqual(self.run_compiler("-MD", "--check", "-o", "gen", "good.idl").returncode, 0)
        self.assertTrue((self.root / "gen" / "good.d").exists())

    def test_a_file_that_cannot_be_written_gives_status_2_and_leaves_nothing(self):
        done = self.run_compiler("--check", "-MD", "-MF", "none/deps.d", "good.idl")
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot write", done.stderr)
        self.assertFalse((self.root / "none").exists())

    def test_code_goes_to_files_named_after_the_source(self):
        (self.root / "gen").mkdir()
        self.assertEqual(self.run_compiler("-o", "gen", "good.idl").returncode, 0)
        self.assertEqual(sorted(p.name for p in (self.root / "gen").iterdir()),
                         ["good.any.cc", "good.any.h", "good.skel.cc", "good.skel.h", "good.stub.cc", "good.stub.h"])

    def test_suffixes_and_skeletons_can_be_chosen(self):
        (self.root / "gen").mkdir()
        done = self.run_compiler("-o", "gen", "--stub-suffix=C", "--any-suffix=A", "--no-skeleton", "-MD", "good.idl")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(p.name for p in (self.root / "gen").iterdir()), ["good.d", "goodA.cc", "goodA.h", "goodC.cc", "goodC.h"])
        self.assertIn("goodC.h:", (self.root / "gen" / "good.d").read_text())

    def test_code_of_any_can_be_left_out(self):
        (self.root / "gen").mkdir()
        done = self.run_compiler("-o", "gen", "--no-any", "--no-skeleton", "good.idl")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(p.name for p in (self.root / "gen").iterdir()), ["good.stub.cc", "good.stub.h"])

    def test_presets_give_the_files_of_other_compilers(self):
        for preset, expected in {
            "omniidl": {"part.hh", "partSK.cc", "partDynSK.cc"},
            "tao": {"partC.h", "partC.cpp", "partC.inl", "partS.h", "partS.cpp"},
        }.items():
            out = self.root / preset
            out.mkdir()
            done = self.run_compiler("--preset", preset, "-o", str(out), "sub dir/part.idl")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            own = {"part.stub.h", "part.skel.h", "part.any.h"}
            self.assertEqual({f.name for f in out.iterdir()}, expected | own)
            for source in [*out.glob("*.cc"), *out.glob("*.cpp")]:
                self.assertIn("#include", source.read_text())
        self.assertIn('#include "part.skel.h"', (self.root / "omniidl" / "part.hh").read_text())
        self.assertEqual(self.run_compiler("--preset=orbix", "good.idl").returncode, 2)

    def test_errors_and_failures_to_write_leave_old_files_as_they_were(self):
        (self.root / "gen").mkdir()
        self.run_compiler("-o", "gen", "good.idl")
        before = {p.name: p.read_text() for p in (self.root / "gen").iterdir()}
        (self.root / "good.idl").write_text("interface Other {}; interface Bad : Missing {};\n")
        self.assertEqual(self.run_compiler("-o", "gen", "good.idl").returncode, 1)
        self.assertEqual({p.name: p.read_text() for p in (self.root / "gen").iterdir()}, before)
        # The last of the four cannot be put in place: a directory has its name.
        (self.root / "good.idl").write_text("interface Other {};\n")
        (self.root / "gen" / "good.skel.cc.part").mkdir()
        done = self.run_compiler("-o", "gen", "good.idl")
        self.assertEqual(done.returncode, 2)
        self.assertIn("good.skel.cc", done.stderr)
        (self.root / "gen" / "good.skel.cc.part").rmdir()
        self.assertEqual({p.name: p.read_text() for p in (self.root / "gen").iterdir()}, before)

    def test_every_optimisation_can_be_left_out(self):
        (self.root / "opt.idl").write_text(
            "struct Part { long a; long b; }; struct S { Part i; long c; };\n"
            "typedef sequence<S> Many;\n"
            "interface J { void put(in string text, in S one, in Many more); void get(); };\n")
        def code(*options):
            out = tempfile.mkdtemp(dir=self.root)
            self.assertEqual(self.run_compiler("-o", out, *options, "opt.idl").returncode, 0)
            return "".join(p.read_text() for p in sorted(Path(out).iterdir()))
        whole = code()
        for name, gone in (("chunks", ".chunk<"), ("copy-runs", "put_struct_run"), ("views", "get_string_view"),
                           ("word-switch", "switch (corbel::cpp::name_word"), ("inlining", "value.i.a")):
            self.assertIn(gone, whole)
            self.assertNotIn(gone, code("--no-opt=" + name), name)

    def test_a_header_that_defines_the_export_macro_is_included(self):
        done = self.run_compiler("-DWITH", "--export-macro=API", "--export-include=api.h", "good.idl")
        self.assertEqual(done.returncode, 0, done.stderr)
        header = (self.root / "good.stub.h").read_text()
        self.assertLess(header.index('#include "api.h"\n'), header.index("class API With"))

    def test_diagnostics_come_as_json_lines(self):
        (self.root / "twice.idl").write_text("struct S { long a; };\nstruct S { long b; };\n")
        done = self.run_compiler("--check", "--format", "json", "bad.idl", "twice.idl")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        first, second = (json.loads(line) for line in done.stderr.splitlines())
        self.assertEqual({k: first[k] for k in ("file", "line", "column", "end_line", "end_column", "severity", "kind", "notes")},
                         {"file": "bad.idl", "line": 1, "column": 17, "end_line": 1, "end_column": 24, "severity": "error",
                          "kind": "unknown-name", "notes": []})
        self.assertIn("Missing", first["message"])
        self.assertEqual([(n["file"], n["line"]) for n in second["notes"]], [("twice.idl", 1)])

    def test_json_is_valid_whatever_bytes_the_source_has(self):
        (self.root / "bytes.idl").write_bytes(b'#error \xff\xfe "quoted"\n')
        done = self.run_compiler("--check", "--format=json", "bytes.idl")
        self.assertEqual(json.loads(done.stderr)["kind"], "user-error")

    def test_several_files_are_compiled_and_failures_counted(self):
        done = self.run_compiler("bad.idl", "good.idl", "none.idl")
        self.assertEqual(done.returncode, 2)
        self.assertIn("2 of 3 files could not be compiled", done.stderr)
        self.assertTrue((self.root / "good.stub.h").exists())
        self.assertFalse((self.root / "bad.stub.h").exists())

    def test_files_that_would_overwrite_each_other_are_refused(self):
        (self.root / "sub dir" / "good.idl").write_text("interface Other {};\n")
        done = self.run_compiler("good.idl", "sub dir/good.idl")
        self.assertEqual(done.returncode, 2)
        self.assertIn("good.stub.h", done.stderr)
        self.assertFalse((self.root / "good.stub.h").exists())
        self.assertEqual(self.run_compiler("--check", "-MD", "-MF", "d", "good.idl", "sub dir/part.idl").returncode, 2)

    def test_help_and_version_give_status_0(self):
        self.assertIn("Examples:", self.run_compiler("--help").stdout)
        self.assertTrue(self.run_compiler("--version").stdout.startswith("corbel-idl "))


if __name__ == "__main__":
    unittest.main()
