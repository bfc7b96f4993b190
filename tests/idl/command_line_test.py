#!/usr/bin/env python3
"""Options, exit status and files of corbel-idl."""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import unittest
from pathlib import Path

from driver import COMPILER, Driver


class Reading(Driver):
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

    def test_macros_are_defined_and_undefined(self):
        self.assertIn("interface ::With", self.run_compiler("--dump=aoi", "-DWITH", "good.idl").stdout)
        self.assertNotIn("With", self.run_compiler("--dump=aoi", "-DWITH", "-U", "WITH", "good.idl").stdout)

    def test_include_directories_are_searched(self):
        self.write("user.idl", "#include <part.idl>\n")
        self.assertEqual(self.run_compiler("--check", "user.idl").returncode, 1)
        self.assertEqual(self.run_compiler("--check", "-Isub dir", "user.idl").returncode, 0)

    def test_a_file_is_known_by_what_links_lead_to(self):
        self.write("part.idl", "#pragma once\nconst long here = 1;\n")
        self.write("other/part.idl", "#pragma once\nconst long there = 2;\n")
        (self.root / "other/inner").mkdir()
        (self.root / "link").symlink_to("other/inner")
        (self.root / "same.idl").symlink_to("part.idl")
        self.write("user.idl", '#include "part.idl"\n#include "same.idl"\n#include "link/../part.idl"\n'
                               "const long both = here + there;\n")
        done = self.run_compiler("--check", "user.idl")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_included_contracts_can_be_written_into_the_same_files(self):
        apart, _ = self.generate("-DWITH")
        self.assertIn('#include "part.stub.h"', apart["good.stub.h"])
        self.assertNotIn("class Part :", apart["good.stub.h"])
        whole, _ = self.generate("-DWITH", "--inline-includes")
        self.assertNotIn("part.stub.h", whole["good.stub.h"])
        self.assertIn("class Part :", whole["good.stub.h"])
        self.assertIn("class POA_Part :", whole["good.skel.h"])

    def test_the_number_of_errors_is_bounded(self):
        self.write("many.idl", "".join(f"interface I{i} : Missing{i} {{}};\n" for i in range(9)))
        said = self.run_compiler("--check", "--max-errors", "3", "many.idl").stderr
        self.assertEqual((said.count("[unknown-name]"), said.count("[too-many-errors]")), (3, 1))

    def test_larger_files_than_allowed_are_refused(self):
        self.write("large.idl", "// " + "x" * 2000 + "\n")
        self.assertEqual(self.run_compiler("--check", "--max-file-size=3000", "large.idl").returncode, 0)
        done = self.run_compiler("--check", "--max-file-size=1000", "large.idl")
        self.assertEqual(done.returncode, 2)
        self.assertIn("[file-too-large]", done.stderr)


class Use(Driver):
    def test_wrong_use_gives_status_2_and_says_why(self):
        for arguments, why in (
            ([], "no FILE to compile"),
            (["--dump=nothing", "good.idl"], "--dump"),
            (["--dispatch=best", "good.idl"], "'best' is none of words,"),
            (["--dispatch=Nobody=hash", "good.idl"], "no interface is, or is in, 'Nobody'"),
            (["--stubs=slow", "good.idl"], "'slow' is none of compiled, interpretive and hybrid"),
            (["--stubs=Nobody=hybrid", "good.idl"], "no operation or type is, or is in, 'Nobody'"),
            (["--check", "-E", "good.idl"], "exclude each other"),
            (["--stub-header=.x", "--stub-source=.x", "good.idl"], "would both end with '.x'"),
            (["--no-opt=speed", "good.idl"], "--no-opt"),
            (["--max-errors=0", "good.idl"], "--max-errors"),
            (["--max-errors=all", "good.idl"], "all not in range 1 to 2147483647"),
            (["--preset"], "--preset"),
        ):
            done = self.run_compiler(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(why, done.stderr)
            self.assertTrue(done.stderr.startswith("corbel-idl: "), done.stderr)

    def test_an_unknown_option_is_refused_with_the_one_that_was_meant(self):
        for option, said in (
            ("--no-skeletn", "'--no-skeletn'; did you mean '--no-skeleton'?"),
            ("--dumb=aoi", "did you mean '--dump'?"),
            ("-MG", "did you mean '-M"),
            ("-bcxx", "it is understood with --preset omniidl"),
            ("-hc", "it is understood with --preset omniidl or --preset tao"),
            ("-GT", "it is understood with --preset tao"),
        ):
            done = self.run_compiler(option, "good.idl")
            self.assertEqual((done.returncode, done.stdout), (2, ""), option)
            self.assertIn("unknown option", done.stderr)
            self.assertIn(said, done.stderr)
            self.assertEqual(self.files(), ["bad.idl", "good.idl", "sub dir/part.idl"])
        self.assertNotIn("did you mean", self.run_compiler("--xyzzy", "good.idl").stderr)

    def test_help_and_version_give_status_0(self):
        for option in ("--help", "-h"):
            self.assertIn("Examples:", self.run_compiler(option).stdout)
        self.assertTrue(self.run_compiler("--version").stdout.startswith("corbel-idl "))

    def test_help_fits_on_a_wide_screen_and_shows_no_notation_of_its_parser(self):
        text = self.run_compiler("--help").stdout
        self.assertLessEqual(max(map(len, text.splitlines())), 120)
        for notation in ("{false}", "TEXT ...", ":{", "--MD"):
            self.assertNotIn(notation, text)

    def test_kinds_of_diagnostics_are_listed(self):
        self.assertIn("unknown-name\n", self.run_compiler("--list-diagnostics").stdout)

    def test_corbas_own_idl_is_found_beside_an_installed_compiler_and_in_its_build_directory(self):
        self.write("bin/user.idl", "#include <CosNaming.idl>\ninterface User : CosNaming::Own {};\n")
        shutil.copy(COMPILER, self.root / "bin")
        for share in ("share", "bin/share"):
            folder = self.root / share / "idl/corbel"
            folder.mkdir(parents=True)
            (folder / "CosNaming.idl").write_text("module CosNaming { interface Own {}; };\n")
            done = subprocess.run([self.root / "bin" / Path(COMPILER).name, "--check", "bin/user.idl"], cwd=self.root, capture_output=True,
                                  text=True, timeout=60, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), share)
            shutil.rmtree(self.root / share)

    def test_warnings_can_be_left_out(self):
        self.write("warn.idl", "#warning beware\n")
        self.assertIn("beware", self.run_compiler("--check", "warn.idl").stderr)
        for arguments in (["-w"], ["--no-warnings"], ["-w", "--format=json"]):
            done = self.run_compiler("--check", *arguments, "warn.idl", "bad.idl")
            self.assertNotIn("beware", done.stderr)
            self.assertIn("Missing", done.stderr)


class InsteadOfCode(Driver):
    def test_every_stage_can_be_shown_and_writes_nothing(self):
        self.write("all.idl", "struct S { long a; string b; };\ninterface I { S get(in long n); };\n")
        before = self.files()
        for stage, expected in {"aoi": 'contract "all.idl"', "mint": "S", "pres": "I", "plan": "S"}.items():
            done = self.run_compiler("--dump", stage, "all.idl")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(expected, done.stdout)
        self.assertEqual(self.files(), before)

    def test_the_preprocessed_source_is_shown_and_nothing_is_written(self):
        before = self.files()
        done = self.run_compiler("-E", "-DWITH", "good.idl")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for text in ("interface Part {}", "interface With"):
            self.assertIn(text, done.stdout)
        self.assertEqual(self.files(), before)

    def test_text_from_standard_input_is_checked_and_shown(self):
        text = '#include "good.idl"\ninterface Unsaved : Part {};\n'
        for option, expected in (("--check", ""), ("-E", "interface Unsaved"), ("--dump=aoi", "interface ::Unsaved")):
            done = self.run_compiler(option, "-", input=text)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(expected, done.stdout)
        said = json.loads(self.run_compiler("--check", "--format=json", "-", input=text.replace("Part", "Port")).stderr)
        self.assertEqual((said["file"], said["line"]), ("-", 2))
        done = self.run_compiler("-", input=text)
        self.assertEqual(done.returncode, 2)
        self.assertIn("standard input has no name", done.stderr)

    def test_a_contract_that_cannot_be_read_is_named_with_the_reason(self):
        for name, why in (("none.idl", "; is the path right?"), (".", ": Is a directory")):
            done = self.run_compiler("--check", name)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"cannot read '{name}'{why}", done.stderr)

    def test_one_bad_file_among_several_does_not_hide_the_others(self):
        done = self.run_compiler("--dump=aoi", "bad.idl", "good.idl")
        self.assertEqual(done.returncode, 1)
        self.assertIn('contract "good.idl"', done.stdout)

    def test_a_full_disk_behind_standard_output_is_noticed(self):
        for option in ("-E", "--dump=aoi", "--help", "--list-diagnostics"):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = self.run_compiler(option, "good.idl", stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 2, option)
            self.assertIn("cannot write to standard output: No space left on device", done.stderr)


class Dependencies(Driver):
    def test_a_rule_names_every_file_written_and_every_file_read(self):
        done = self.run_compiler("-MD", "-MF", "deps.d", "-o", "gen", "good.idl")
        self.assertEqual(done.returncode, 0, done.stderr)
        targets, sources = (self.root / "deps.d").read_text().split(":", 1)
        self.assertEqual(sorted(targets.split()), ["gen/" + f for f in self.files("gen")])
        self.assertIn("good.idl", sources)
        self.assertIn("sub\\ dir/part.idl", sources)

    def test_the_rule_stands_beside_the_output_by_default(self):
        self.assertEqual(self.run_compiler("-MD", "--check", "-o", "gen", "good.idl").returncode, 0)
        self.assertEqual(self.files("gen"), ["good.d"])

    def test_the_preprocessor_alone_writes_a_rule_too(self):
        done = self.run_compiler("-E", "-MD", "-MT", "out", "good.idl")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("interface Part", done.stdout)
        self.assertEqual((self.root / "good.d").read_text(), "out: \\\n  good.idl \\\n  sub\\ dir/part.idl\n")

    def test_a_pipe_or_a_link_is_written_to_and_stays(self):
        os.mkfifo(self.root / "pipe")
        (self.root / "link").symlink_to("behind")
        rule = "out: \\\n  good.idl \\\n  sub\\ dir/part.idl\n"
        pipe = os.open(self.root / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        try:
            for name in ("pipe", "link"):
                done = self.run_compiler("--check", "-MD", "-MT", "out", "-MF", name, "good.idl")
                self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            self.assertEqual(os.read(pipe, 1000).decode(), rule)
        finally:
            os.close(pipe)
        self.assertTrue((self.root / "pipe").is_fifo() and (self.root / "link").is_symlink())
        self.assertEqual((self.root / "behind").read_text(), rule)

    def test_several_files_have_a_rule_each(self):
        self.assertEqual(self.run_compiler("-MD", "--check", "good.idl", "sub dir/part.idl").returncode, 0)
        self.assertTrue((self.root / "good.d").exists() and (self.root / "part.d").exists())
        self.assertEqual(self.run_compiler("-MD", "-MF", "d", "--check", "good.idl", "sub dir/part.idl").returncode, 2)

    def test_the_rule_is_for_the_targets_that_are_given(self):
        self.run_compiler("-MD", "-MT", "one two", "-MT", "three$", "-MF", "deps.d", "--check", "good.idl")
        self.assertTrue((self.root / "deps.d").read_text().startswith("one\\ two three$$: "))

    def test_included_files_have_empty_rules_if_wanted(self):
        self.run_compiler("-MD", "-MF", "with.d", "-MP", "--check", "good.idl")
        self.run_compiler("-MD", "-MF", "without.d", "--check", "good.idl")
        self.assertTrue((self.root / "with.d").read_text().endswith("\nsub\\ dir/part.idl:\n"))
        self.assertEqual((self.root / "without.d").read_text().count(":"), 1)

    def test_make_builds_again_when_an_included_file_changes_and_only_then(self):
        self.write("one.idl", '#include "two.idl"\n')
        self.write("two.idl", "interface Two {};\n")
        self.write("Makefile", "one.stub.h one.stub.cc: one.idl\n\t@echo compiling\n"
                               f"\t@{COMPILER} --no-any --no-skeleton -MD -MP one.idl\n-include one.d\n")

        def make():
            return subprocess.run(["make", "one.stub.cc"], cwd=self.root, capture_output=True, text=True, timeout=60, check=True).stdout

        self.assertIn("compiling", make())
        self.assertNotIn("compiling", make())
        later = (self.root / "one.stub.cc").stat().st_mtime + 5
        os.utime(self.root / "two.idl", (later, later))
        self.assertIn("compiling", make())
        (self.root / "two.idl").unlink()
        self.write("one.idl", "interface One {};\n")
        self.assertIn("compiling", make())


class Files(Driver):
    def test_code_goes_to_files_named_after_the_source(self):
        files, _ = self.generate()
        self.assertEqual(sorted(files), ["good.any.cc", "good.any.h", "good.skel.cc", "good.skel.h", "good.stub.cc", "good.stub.h"])

    def test_the_output_directory_is_made(self):
        self.assertEqual(self.run_compiler("--output-dir", "gen/deep", "good.idl").returncode, 0)
        self.assertIn("good.stub.h", self.files("gen/deep"))

    def test_suffixes_and_skeletons_can_be_chosen(self):
        files, _ = self.generate("--stub-suffix=C", "--any-suffix=A", "--no-skeleton", "-MD")
        self.assertEqual(sorted(files), ["good.d", "goodA.cc", "goodA.h", "goodC.cc", "goodC.h"])
        self.assertIn("/goodC.h ", files["good.d"])

    def test_endings_of_headers_and_sources_can_be_chosen(self):
        files, _ = self.generate("--header-suffix=.hpp", "--source-suffix=.cpp", "--skel-suffix=S")
        self.assertEqual(sorted(files), ["good.any.cpp", "good.any.hpp", "good.stub.cpp", "good.stub.hpp", "goodS.cpp", "goodS.hpp"])
        self.assertIn('#include "good.stub.hpp"\n', files["goodS.hpp"])
        self.assertIn('#include "partS.hpp"\n', files["goodS.hpp"])

    def test_whole_endings_win_and_parts_of_one_ending_share_a_file(self):
        files, _ = self.generate("--stub-header=.hxx", "--skel-header=.hxx", "--any-header=.hxx", "--stub-source=_c.cxx",
                                 "--skel-source=_s.cxx", "--any-source=_c.cxx", "-DWITH")
        self.assertEqual(sorted(files), ["good.hxx", "good_c.cxx", "good_s.cxx"])
        for word in ("class With", "class POA_With", "_tc_With"):
            self.assertIn(word, files["good.hxx"])
        self.assertEqual(files["good.hxx"].count("#include \"part.hxx\""), 1)

    def test_skeletons_and_any_can_go_elsewhere(self):
        files, _ = self.generate("--skel-dir=server", "--any-dir", "dynamic", "--stub-include-dir=gen", "-MD")
        self.assertEqual(sorted(files), ["good.d", "good.stub.cc", "good.stub.h"])
        self.assertEqual(self.files("server"), ["good.skel.cc", "good.skel.h"])
        self.assertEqual(self.files("dynamic"), ["good.any.cc", "good.any.h"])
        self.assertIn('#include "gen/good.stub.h"\n', (self.root / "server/good.skel.h").read_text())
        self.assertIn(" server/good.skel.h ", files["good.d"])

    def test_files_for_build_rules_only_can_be_asked_for(self):
        files, _ = self.generate("--empty-file=C.inl", "--empty-file", "S_T.h", "-MD")
        for name in ("goodC.inl", "goodS_T.h"):
            self.assertTrue(all(line.startswith("//") for line in files[name].splitlines()))
            self.assertIn(name, files["good.d"])

    def test_code_of_any_can_be_left_out(self):
        files, _ = self.generate("--no-any", "--no-skeleton")
        self.assertEqual(sorted(files), ["good.stub.cc", "good.stub.h"])
        self.assertIn("good.any.h", self.generate("--no-any", "--any")[0])

    def test_operations_are_found_as_wanted(self):
        self.write("ways.idl", "module Outer { interface A { void get(); void put(); };\n"
                               "module Inner { interface B { void get(); void put(); }; }; };\n")

        def ways(*options):
            """What stands in the skeletons of A and B."""
            text = self.generate(*options, file="ways.idl")[0]["ways.skel.cc"]
            signs = {"operation_number": "active", "name_word": "words", "perfect_slot": "perfect", "OperationTable": "hash",
                     "search_operation": "binary", "length == 3 && corbel::cpp::same": "linear"}

            def way(name):
                body = text.split(f"{name}::_dispatch(")[1].split("unknown_operation")[0]
                return "perfect" if "perfect_slot" in body else [way for sign, way in signs.items() if sign in body][0]
            return way("Outer::A"), way("Outer::Inner::B")

        for name in ("words", "active", "perfect", "hash", "binary", "linear"):
            self.assertEqual(ways("--dispatch", name), (name, name))
        self.assertEqual(ways(), ("words", "words"))
        self.assertEqual(ways("--dispatch=Outer::Inner=hash"), ("words", "hash"))
        self.assertEqual(ways("--dispatch=Outer::A=linear", "--dispatch=Outer=hash"), ("linear", "hash"))

    def test_a_switch_of_many_words_goes_by_their_hash(self):
        for count, hashed in ((6, False), (7, True)):
            self.write("many.idl", "interface Many { %s };\n" % "".join(f"void operation_{n}();" for n in range(count)))
            self.assertEqual("word_slot" in self.generate(file="many.idl")[0]["many.skel.cc"], hashed, count)

    def test_stubs_and_types_are_programs_as_wanted(self):
        self.write("styles.idl", "module M { struct S { string text; }; interface I { void get(in S given); void put(); };\n"
                                 "interface J { attribute long x; }; };\n")

        def programs(*options):
            """What is a program, of which of the two files."""
            files = self.generate(*options, file="styles.idl")[0]
            stubs, skeletons = files["styles.stub.cc"], files["styles.skel.cc"]
            made = {name for name in ("I::get", "I::put", "J::x") if any(
                "programs::call(" in body.split("\n}")[0] for body in stubs.split(f"M::{name}(")[1:])}
            served = {name for name in ("_skel_get", "_skel_put", "_skel__get_x")
                      if "programs::serve(" in skeletons.split(f"::{name}(")[1].split("\n}")[0]}
            return made, served, "programs::encode" in stubs

        nothing, everything = (set(), set(), False), ({"I::get", "I::put", "J::x"}, {"_skel_get", "_skel__get_x"}, True)
        self.assertEqual(programs(), nothing)
        self.assertEqual(programs("--stubs=interpretive", "--stubs=compiled"), nothing)
        self.assertEqual(programs("--stubs", "interpretive"), everything)
        self.assertEqual(programs("--stubs=hybrid"), everything[:2] + (False,))
        self.assertEqual(programs("--stubs=M::S=interpretive"), (set(), set(), True))
        self.assertEqual(programs("--stubs=::M::S=interpretive"), (set(), set(), True))
        self.assertEqual(programs("--stubs=M=interpretive", "--stubs=M::I=compiled"), ({"J::x"}, {"_skel__get_x"}, True))
        self.assertEqual(programs("--stubs=M::I=hybrid", "--stubs=M::I::put=compiled", "--stubs=M::J::_get_x=hybrid"),
                         ({"I::get", "J::x"}, {"_skel_get", "_skel__get_x"}, False))

    def test_what_programs_have_no_room_for_is_code(self):
        labels = "".join(f"case {n}: " for n in range(12000))
        octets = " ".join(f"octet o{n};" for n in range(30000))
        self.write("large.idl", "union U switch (long) { %s string a; default: long b; }; struct S { U one; string text; };\n"
                                "struct Many { %s string text; };\n"
                                "interface I { void put(in U a); void all(in Many b); void get(in S c); };\n" % (labels, octets))
        files = self.generate("--stubs=interpretive", file="large.idl")[0]
        stubs = files["large.stub.cc"]
        self.assertLess(int(re.search(r"constexpr File<(\d+)>", stubs)[1]), 65536)

        def is_program(start):
            return "programs::" in stubs.split(start)[1].split("\n}")[0]
        self.assertEqual([is_program(f"void marshal(Encoder& out, const ::{name}& value)") for name in ("U", "Many", "S")],
                         [False, False, True])
        self.assertEqual([is_program(f"void I::{name}(") for name in ("put", "all", "get")], [True, True, True])

    def test_what_is_large_stands_on_no_stack_of_a_server(self):
        self.write("large.idl", "typedef octet Blob[100000]; typedef octet Small[60000]; struct S { Blob b; };\n"
                                "interface I { S all(in Blob a, inout Blob b, out Blob c, in Small d, in S e); };\n")
        for style in "compiled", "interpretive":
            skeleton = self.generate("--stubs", style, file="large.idl")[0]["large.skel.cc"]
            for name in "_a", "_b", "_c", "_e", "_result":
                self.assertIn(f"{name}_memory(new ::", skeleton)
            self.assertIn("  ::Small d;\n", skeleton)

    def test_programs_of_structures_in_many_levels_take_no_time(self):
        levels = "".join(f"struct S{n} {{ S{n - 1} a; S{n - 1} b; }};\n" for n in range(1, 29))
        self.write("levels.idl", "struct S0 { string s; };\n%sinterface I { void f(in S28 a); void g(out S20 a); };\n" % levels)
        for style in "interpretive", "hybrid":
            self.assertIn("levels.stub.cc", self.generate("--stubs", style, file="levels.idl")[0])

    def test_the_contract_says_how_its_parts_are_marshaled_and_found_unless_an_option_does(self):
        self.write("said.idl", "@corbel_stubs(interpretive) @corbel_dispatch(linear) module M {\n"
                               "interface A { void get(in string s); @corbel_stubs(compiled) void put(in string s); };\n"
                               "@corbel_stubs(compiled) @corbel_dispatch(binary) interface B {\n"
                               "@corbel_stubs(hybrid) attribute string x; void is(in long l); }; };\n"
                               "module M { interface class { void get(in long l); }; };\n")

        def said(*options):
            """The operations that are programs, and the interfaces whose operations are searched for."""
            text = self.generate(*options, file="said.idl")[0]["said.skel.cc"]
            parts = {name: body.split("\n}")[0] for name, body in
                     (part.split("(", 1) for part in text.split("void POA_M::")[1:])}
            return ({name for name in parts if "programs::serve(" in parts[name]},
                    {name.split("::")[0] for name in parts if "search_operation" in parts[name]})

        self.assertEqual(said(), ({"A::_skel_get", "B::_skel__get_x", "B::_skel__set_x", "_cxx_class::_skel_get"}, {"B"}))
        self.assertEqual(said("--stubs=M=compiled", "--dispatch=M=binary"), ({"B::_skel__get_x", "B::_skel__set_x"}, {"A", "B", "_cxx_class"}))
        self.assertEqual(said("--stubs=M::B=interpretive", "--stubs=M::A::put=hybrid", "--stubs=M::class=compiled", "--dispatch=M::B=hash")[0],
                         {"A::_skel_get", "A::_skel_put", "B::_skel__get_x", "B::_skel__set_x", "B::_skel_is"})
        self.assertEqual(said("--dispatch=M::B=hash")[1], set())

    def test_a_share_of_the_load_is_code_by_a_profile(self):
        self.write("load.idl", "interface I { void a(in long l); void b(in long l); void c(in long l); void d(in long l); void e(in long l); };\n")
        self.write("load", "".join(f"{calls} {octets} {name} IDL:I:1.0\n" for calls, octets, name in
                                   ((50, 10, "a"), (30, 10, "b"), (20, 10, "c"), (0, 0, "d"), (0, 70, "e"))))
        for share, expected in ((["--profile-share=0"], ""), (["--profile-share", "50"], "ae"), (["--profile-share=51"], "abe"),
                                ([], "abce"), (["--profile-share=100"], "abce")):
            text = self.generate("--profile=load", *share, file="load.idl")[0]["load.stub.cc"]
            code = re.findall(r"void I::(\w)\(CORBA::Long l\) \{\n  static constexpr corbel::cpp::Operation", text)
            self.assertEqual("".join(code), expected, share)

    def test_what_operations_of_one_file_carry_is_code_in_another(self):
        self.write("types.idl", "#pragma once\nmodule Types { struct Part { string s; }; struct Item { string name; Part of; };\n"
                                "struct Rare { string s; }; valuetype Late; typedef sequence<Late> Lates; };\n")
        self.write("late.idl", '#include "types.idl"\nmodule Types { struct Inner { string s; }; valuetype Late { public Inner i; }; };\n')
        self.write("shop.idl", '#include "types.idl"\ninterface Shop { void put(in Types::Item i, in Types::Lates l); void once(in Types::Rare r); };\n')
        # Only here, and in late.idl, it is known what Late is made of.
        self.write("both.idl", '#include "shop.idl"\n#include "late.idl"\n')
        self.write("load", "100 1000 put IDL:Shop:1.0\n1 1 once IDL:Shop:1.0\n")

        def code(*arguments):
            for file in (self.root / "gen").glob("*"):
                file.unlink()
            done = self.run_compiler("--profile=load", "-o", "gen", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.said = done.stderr
            return set(re.findall(r"void marshal\(Encoder& out, const ::Types::(\w+)& value\) \{(?! *\n? *cpp::programs)",
                                  "".join(p.read_text() for p in (self.root / "gen").glob("*.stub.cc"))))

        self.assertEqual(code("types.idl"), set())
        self.assertIn("ignored 2 lines", self.said)
        for arguments in (["shop.idl", "types.idl"], ["types.idl", "shop.idl"], ["types.idl", "--profile-contract=shop.idl"],
                          ["types.idl", "--profile-contract", "shop.idl", "--preset=omniidl", "--stub-source=.stub.cc"]):
            self.assertEqual((code(*arguments), self.said), ({"Item", "Part", "Lates"}, ""), arguments)
        self.assertEqual(code("shop.idl", "late.idl"), set())
        self.assertEqual(code("shop.idl", "late.idl", "--profile-contract=both.idl"), {"Inner"})

    def test_contracts_of_a_profile_are_read_and_not_written(self):
        self.write("warned.idl", "@unheard interface Warned { void f(); };\n")
        self.write("load", "1 1 f IDL:Warned:1.0\n")
        profiled = "--profile=load", "-o", "gen", "-MD", "good.idl"
        done = self.run_compiler(*profiled, "--profile-contract=warned.idl")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertFalse([name for name in self.files("gen") if "warned" in name])
        rule = (self.root / "gen/good.d").read_text()
        self.assertIn("warned.idl", rule)
        self.assertEqual(rule.count("part.idl"), 1)
        shutil.rmtree(self.root / "gen")
        done = self.run_compiler(*profiled, "--profile-contract=bad.idl")
        self.assertEqual((done.returncode, done.stderr.count("[unknown-name]")), (1, 1))
        self.assertEqual(self.run_compiler(*profiled, "--profile-contract=none.idl").returncode, 2)
        self.assertFalse((self.root / "gen").exists())
        self.write("good.skel.h", "")
        done = self.run_compiler("--profile=load", "--profile-contract=good.skel.h", "good.idl")
        self.assertIn("'good.skel.h' would be written over, and is read for 'good.idl'", done.stderr)

    def test_what_files_have_no_room_for_as_programs_is_compiled_and_told(self):
        many = "".join(f"struct S{n} {{ string a; long b; string c; }}; " for n in range(1000))
        self.write("many.idl", many + "module M { struct S { long l; }; }; interface I { %s };\n" %
                   "".join(f"void long_name_of_operation_{n}(in string s, in S{n % 1000} t); " for n in range(4000)))
        said = self.generate("--stubs=interpretive", file="many.idl")[1].splitlines()
        self.assertEqual([re.sub(r"\d+", "N", line.replace("/", " ").split(" ", 3)[-1]) for line in said],
                         [f"many.{part}.cc: N types and operations are compiled, for which this file has no room as programs"
                          for part in ("stub", "skel")])
        for quiet in ["--stubs=interpretive", "-w"], ["--stubs=interpretive", "--format=json"], ["--stubs=M=interpretive"]:
            self.assertEqual(self.generate(*quiet, file="many.idl")[1], "")

    def test_operations_that_nobody_declares_are_looked_for_once_in_each_base(self):
        ladder = "".join(f"interface L{n} : I{n - 1} {{}}; interface R{n} : I{n - 1} {{}}; interface I{n} : L{n}, R{n} {{}};\n" for n in range(1, 41))
        self.write("ladder.idl", "interface I0 { void a(in long l); void b(in long l); };\n" + ladder)
        self.write("load", "50 10 _is_a IDL:I40:1.0\n60 10 a IDL:I40:1.0\n")
        text = self.generate("--profile=load", "--profile-share=50", "--no-skeleton", file="ladder.idl")[0]["ladder.stub.cc"]
        self.assertEqual(re.findall(r"void I0::(\w)\(CORBA::Long l\) \{\n  static constexpr corbel::cpp::Operation", text), ["a"])

    def test_a_damaged_profile_is_refused_with_its_line(self):
        for bad in ("50 put\n", "x 10 put\n", "50 -1 put\n", "50 10 \n", "50 10 put \n", "99999999999999999999 1 put\n", "50 10 put I", "50"):
            self.write("load", "# 1\n50 10 put IDL:I:1.0\n" + bad + "1 1 put\n" * bad.endswith("\n"))
            done = self.run_compiler("--profile", "load", "-o", "gen", "good.idl")
            self.assertEqual((done.returncode, done.stderr),
                             (2, "corbel-idl: load:3: this is no line of a profile: CALLS OCTETS OPERATION INTERFACE\n"), bad)
        for name, why in (("none", "No such file or directory"), (".", "Is a directory")):
            self.assertIn(f"cannot read the profile '{name}': {why}",
                          self.run_compiler("--profile", name, "-o", "gen", "good.idl").stderr)
        self.assertFalse((self.root / "gen").exists())

    def test_ties_are_written_on_request(self):
        self.assertNotIn("POA_With_tie", self.generate("-DWITH")[0]["good.skel.h"])
        self.assertIn("class POA_With_tie", self.generate("-DWITH", "--tie")[0]["good.skel.h"])

    def test_headers_of_included_contracts_are_named_as_wanted(self):
        for arguments, line in (([], '"part.stub.h"'), (["--angle-includes"], "<part.stub.h>"),
                                (["--keep-include-paths"], '"sub dir/part.stub.h"'),
                                (["--angle-includes", "--quote-includes"], '"part.stub.h"')):
            self.assertIn(f"#include {line}\n", self.generate(*arguments)[0]["good.stub.h"])

    def test_classes_are_exported_by_a_macro_that_an_included_header_defines(self):
        files, _ = self.generate("-DWITH", "--export-macro=API", "--export-include=api.h")
        header = files["good.stub.h"]
        self.assertLess(header.index('#include "api.h"\n'), header.index("class API With"))
        self.assertIn("class API POA_With", files["good.skel.h"])
        self.assertIn("API void operator<<=", files["good.any.h"])
        files, _ = self.generate("-DWITH", "--export-macro=API", "--skel-export-macro=SKEL", "--any-export-macro=ANY",
                                 "--skel-export-include=skel.h")
        self.assertIn("class SKEL POA_With", files["good.skel.h"])
        self.assertIn('#include "skel.h"\n', files["good.skel.h"])
        self.assertNotIn("skel.h", files["good.stub.h"])
        self.assertIn("ANY void operator<<=", files["good.any.h"])

    def test_headers_of_ones_own_stand_first_and_last(self):
        files, _ = self.generate("--pre-include=pre.h", "--post-include=post.h", "--source-include=precompiled.h")
        for name, text in files.items():
            includes = [line for line in text.splitlines() if line.startswith("#include")]
            if name.endswith(".h"):
                self.assertEqual((includes[0], includes[-1]), ('#include "pre.h"', '#include "post.h"'), name)
                self.assertTrue(text.endswith('#include "post.h"\n'))
            else:
                self.assertEqual(includes[0], '#include "precompiled.h"', name)
                self.assertNotIn("pre.h", text)

    def test_every_optimisation_can_be_left_out(self):
        self.write("opt.idl", "struct Part { long a; long b; }; struct S { Part i; long c; };\n"
                              "typedef sequence<S> Many;\n"
                              "interface J { void put(in string text, in S one, in Many more); void get(); };\n")

        def code(*options):
            files, _ = self.generate(*options, file="opt.idl")
            return "".join(files[name] for name in sorted(files))

        whole = code()
        for name, gone in (("chunks", ".chunk<"), ("copy-runs", "put_struct_run"), ("views", "get_string_view"),
                           ("word-switch", "switch (corbel::cpp::name_word"), ("inlining", "value.i.a")):
            self.assertIn(gone, whole)
            self.assertNotIn(gone, code("--no-opt=" + name), name)


class Failures(Driver):
    """Whatever goes wrong, files are all there or all as they were."""

    def setUp(self):
        super().setUp()
        self.run_compiler("-o", "gen", "good.idl")
        self.before = self.contents()
        self.write("good.idl", "interface Other {};\n")

    def contents(self):
        return {name: (self.root / "gen" / name).read_bytes() for name in self.files("gen")}

    def assert_nothing_changed(self, done, status, said):
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertIn(said, done.stderr)
        self.assertEqual(self.contents(), self.before)

    def test_errors_leave_old_files(self):
        self.write("good.idl", "interface Other {}; interface Bad : Missing {};\n")
        self.assert_nothing_changed(self.run_compiler("-o", "gen", "good.idl"), 1, "Missing")

    def test_one_bad_file_among_several_leaves_the_files_of_all(self):
        for others, status in ((["bad.idl"], 1), (["bad.idl", "none.idl"], 2)):
            done = self.run_compiler("-o", "gen", "good.idl", *others)
            self.assert_nothing_changed(done, status, f"{len(others)} of {1 + len(others)} files could not be compiled")

    def test_a_file_that_cannot_be_replaced_leaves_the_others(self):
        (self.root / "gen/good.skel.h").unlink()
        del self.before["good.skel.h"]
        (self.root / "gen/good.skel.h").mkdir()  # what is written before it has been replaced by then
        self.assert_nothing_changed(self.run_compiler("-o", "gen", "good.idl"), 2, "cannot write 'gen/good.skel.h': Is a directory; nothing")
        self.assertTrue((self.root / "gen/good.skel.h").is_dir())

    def test_a_full_disk_leaves_nothing_behind(self):
        def no_space():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

        done = self.run_compiler("-o", "gen", "good.idl", preexec_fn=no_space)
        self.assert_nothing_changed(done, 2, "cannot write 'gen/good.stub.h': File too large; nothing")

    def test_a_directory_that_cannot_be_made_is_named(self):
        done = self.run_compiler("-o", "gen/good.stub.h/deep", "good.idl")
        self.assert_nothing_changed(done, 2, "cannot make the directory 'gen/good.stub.h/deep'")

    def test_a_make_rule_that_cannot_be_written_leaves_the_code(self):
        done = self.run_compiler("-o", "gen", "-MD", "-MF", "none/deps.d", "good.idl")
        self.assert_nothing_changed(done, 2, "cannot write 'none/deps.d': No such file or directory; nothing")
        self.assertFalse((self.root / "none").exists())

    def test_files_that_would_overwrite_each_other_are_refused(self):
        self.write("sub dir/good.idl", "interface Other {};\n")
        done = self.run_compiler("-o", "gen", "good.idl", "sub dir/good.idl")
        self.assert_nothing_changed(done, 2, "two files would be written as 'gen/good.stub.h'")

    def test_what_is_read_is_not_written_over(self):
        self.write("other.idl", '#include "other.skel.h"\n')
        self.write("other.skel.h", "interface Skel {};\n")
        (self.root / "link").symlink_to("other.idl")
        before = {f: (self.root / f).read_bytes() for f in self.files()}
        for arguments, name in ((["other.idl"], "other.skel.h"), (["-o", "../" + self.root.name, "other.idl"], "other.skel.h"),
                                (["--stub-header=.idl", "good.idl"], "good.idl"), (["--check", "-MD", "-MF", "./other.idl", "other.idl"], "other.idl"),
                                (["--check", "-MD", "-MF", "link", "other.idl"], "other.idl")):
            done = self.run_compiler(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(f"'{name}' would be written over", done.stderr)
            self.assertEqual({f: (self.root / f).read_bytes() for f in self.files()}, before)

    def test_two_compilers_at_once_do_not_disturb_each_other(self):
        # make starts a rule of two targets twice.
        runs = [subprocess.Popen([COMPILER, "-o", "gen", "good.idl"], cwd=self.root, stderr=subprocess.PIPE, text=True)
                for _ in range(8)]
        for run in runs:
            self.assertEqual(run.communicate(timeout=60)[1], "")
            self.assertEqual(run.returncode, 0)
        self.assertEqual(sorted(self.contents()), sorted(self.before))


class Page(Driver):
    """docs/compiler.md says what is so."""

    page = (Path(__file__).resolve().parents[2] / "docs" / "compiler.md").read_text(encoding="utf-8")

    def options(self):
        """All that --help lists."""
        listed = re.split("Examples:|Usage:", self.run_compiler("--help").stdout)[1]
        return set(re.findall(r"(?<= )--?[\w-]+", listed)) - {"-h", "--help", "--version"}

    def test_every_option_is_on_the_page(self):
        self.assertGreater(len(self.options()), 50)
        for option in self.options():
            self.assertTrue(re.search(f"(?<![\\w-]){option}(?![\\w-])", self.page), option)

    def test_every_option_has_a_test(self):
        tests = Path(__file__).read_text(encoding="utf-8")
        for option in self.options():
            self.assertTrue(re.search(f'"{option}' + ('["=]' if option.startswith("--") else ""), tests), option)

    def test_every_option_of_the_page_exists(self):
        known = self.run_compiler("--help").stdout
        prose = re.sub(r"^```sh.*?^```$", "", self.page, flags=re.MULTILINE | re.DOTALL)
        for option in re.findall(r"(?<![\w-])--[a-z][\w-]+", prose):
            self.assertIn(option, known)

    def test_every_command_of_the_page_works(self):
        commands = re.findall(r"^corbel-idl (.*)$", self.page, re.MULTILINE)
        self.assertGreater(len(commands), 10)
        for command in commands:
            self.write("bank.idl", "interface Bank { void open(in string owner); };\n")
            self.write("bank.profile", "1 12 open IDL:Bank:1.0\n")
            self.write("types.idl", "struct Money { long amount; };\n")
            done = self.run_compiler(*command.split())
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)


class Json(Driver):
    def test_diagnostics_come_as_json_lines(self):
        self.write("twice.idl", "struct S { long a; };\nstruct S { long b; };\n")
        done = self.run_compiler("--check", "--format", "json", "bad.idl", "twice.idl")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        first, second = (json.loads(line) for line in done.stderr.splitlines())
        self.assertEqual(list(first), ["file", "line", "column", "end_line", "end_column", "severity", "kind", "message", "notes"])
        self.assertEqual({k: v for k, v in first.items() if k != "message"},
                         {"file": "bad.idl", "line": 1, "column": 17, "end_line": 1, "end_column": 24, "severity": "error",
                          "kind": "unknown-name", "notes": []})
        self.assertIn("Missing", first["message"])
        self.assertEqual([(n["file"], n["line"], n["column"], n["end_line"], n["end_column"]) for n in second["notes"]],
                         [("twice.idl", 1, 8, 1, 9)])
        self.assertTrue(second["notes"][0]["message"])

    def test_places_in_included_files_and_warnings_are_told(self):
        self.write("sub dir/part.idl", "interface Part : Nothing {};\n#warning beware\n")
        first, second = (json.loads(line) for line in self.run_compiler("--check", "--format=json", "good.idl").stderr.splitlines())
        self.assertEqual({first["file"], second["file"]}, {"sub dir/part.idl"})
        self.assertEqual({first["severity"], second["severity"]}, {"error", "warning"})

    def test_a_file_that_cannot_be_read_is_told_as_json(self):
        done = self.run_compiler("--format=json", "none.idl", "bad.idl")
        self.assertEqual(done.returncode, 2)
        first, _ = (json.loads(line) for line in done.stderr.splitlines())
        self.assertEqual((first["file"], first["kind"], first["severity"]), ("none.idl", "file-not-found", "error"))

    def test_json_is_valid_whatever_bytes_the_source_has(self):
        (self.root / "bytes.idl").write_bytes(b'#error \xff\xfe "quoted"\n')
        done = self.run_compiler("--check", "--format=json", "bytes.idl")
        self.assertEqual(json.loads(done.stderr)["kind"], "user-error")


if __name__ == "__main__":
    unittest.main()
