#!/usr/bin/env python3
"""Command lines of omniidl and tao_idl, as real builds have them, and the files that come out."""

import os
import shutil
import subprocess
import unittest

from driver import COMPILER, Driver


class Omniidl(Driver):
    def omniidl(self, *arguments, file="good.idl"):
        return self.generate("--preset", "omniidl", *arguments, file=file)

    def test_one_header_and_its_source_come_out(self):
        files, said = self.omniidl("-bcxx", "-DWITH")
        self.assertEqual((sorted(files), said), (["good.hh", "goodSK.cc"], ""))
        header = files["good.hh"]
        self.assertEqual((header.count("#pragma once"), header.count("#include <part.hh>")), (1, 1))
        self.assertNotIn('"good.hh"', header)
        self.assertIn("class With", header)
        self.assertIn("class POA_With", header)
        self.assertEqual(files["goodSK.cc"].count('#include "good.hh"'), 1)

    def test_options_of_the_back_end_in_one_word_or_several(self):
        for words in (["-Wba,tp,use-quotes,keep_inc_path"], ["-Wba", "-Wbtp", "-Wbuse_quotes", "-Wbkeep-inc-path"],
                      ["-W", "ba", "-Wbtp,use-quotes,keep-inc-path"]):
            files, said = self.omniidl("-bcxx", "-DWITH", *words)
            self.assertEqual((sorted(files), said), (["good.hh", "goodDynSK.cc", "goodSK.cc"], ""))
            self.assertIn('#include "sub dir/part.hh"\n', files["good.hh"])
            self.assertIn("POA_With_tie", files["good.hh"])
            self.assertIn("_tc_With", files["good.hh"])

    def test_endings_of_files_can_be_chosen(self):
        files, _ = self.omniidl("-bcxx", "-Wba", "-Wbh=.h", "-Wbs=_s.cc", "-Wbd=_d.cc")
        self.assertEqual(sorted(files), ["good.h", "good_d.cc", "good_s.cc"])
        self.assertIn("#include <part.h>", files["good.h"])

    def test_included_contracts_can_be_written_inline(self):
        files, _ = self.omniidl("-bcxx", "-Wbinline", "-DWITH")
        self.assertNotIn("part.hh", files["good.hh"])
        self.assertIn("class Part :", files["good.hh"])

    def test_the_directory_is_one_word_or_two(self):
        for arguments in (["-Cgen"], ["-C", "gen"]):
            done = self.run_compiler("--preset=omniidl", "-bcxx", *arguments, "good.idl")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            (self.root / "gen" / "good.hh").unlink()

    def test_what_matters_only_to_omniidl_is_taken_in_silence(self):
        _, said = self.omniidl("-b", "cxx", "-nf", "-K", "-kvT", "-p", "../lib", "-p../lib", "-Ycpp", "-Wbguard_prefix=X,splice-modules",
                               "-Wbdll-includes", "-Wbvirtual-objref", "-Wbshortcut=simple", "-Wbe=_i.cc", "-Wp-DWITH,-Isub dir")
        self.assertEqual(said, "")

    def test_what_is_missing_then_is_noted(self):
        for option, note in (("-Wbexample", "no example implementations"), ("-Wbami", "asynchronous"), ("-Wbtf", "-Wbtp"),
                             ("-WbBOA", "basic object adapter"), ("-nc", "only in case"), ("-Wbold-prefix", "_cxx_")):
            _, said = self.omniidl("-bcxx", option)
            self.assertTrue(said.startswith(f"corbel-idl: note: {option}: "), said)
            self.assertIn(note, said)

    def test_unknown_options_are_refused_with_the_one_that_was_meant(self):
        for options, said in ((["-Z"], "omniidl has no option '-Z'"), (["-Wbkeep_inc_pth"], "did you mean 'keep_inc_path'?"),
                              (["-bpython"], "only C++ is generated"), (["-nx"], "'-nx'"), (["-Wxyz"], "'-Wxyz'"),
                              (["good.idl", "-C"], "-C needs a value")):
            done = self.run_compiler("--preset", "omniidl", *options)
            self.assertEqual(done.returncode, 2, options)
            self.assertIn(said, done.stderr)

    def test_its_macros_are_defined(self):
        self.write("macro.idl", "#ifdef __OMNIIDL__\ninterface Omni {};\n#endif\n#ifdef __OMNIIDL_CXX__\ninterface Cxx {};\n#endif\n")
        files, _ = self.omniidl("-bcxx", file="macro.idl")
        self.assertIn("class Omni ", files["macro.hh"])
        self.assertIn("class Cxx ", files["macro.hh"])
        self.assertNotIn("class Omni ", self.generate(file="macro.idl")[0]["macro.stub.h"])

    def test_contract_and_source_are_shown_on_request(self):
        self.assertIn("interface ::Part", self.run_compiler("--preset=omniidl", "-bcxx", "-d", "good.idl").stdout)
        self.assertIn("interface Part", self.run_compiler("--preset=omniidl", "-E", "good.idl").stdout)
        for option in ("-u", "-h", "-V"):
            self.assertEqual(self.run_compiler("--preset=omniidl", option).returncode, 0)

    def test_options_of_our_own_stand_beside(self):
        files, _ = self.omniidl("-bcxx", "--export-macro=API", "-MD", "-MP", "-MT", "x", "--format", "json", "-DWITH")
        self.assertIn("class API With", files["good.hh"])
        self.assertTrue(files["good.d"].startswith("x: "))
        self.assertEqual(self.omniidl("-bcxx", "-Wbexample", "--format=json")[1], "")
        files, _ = self.omniidl("-bcxx", "-Wba", "-MD")
        self.assertEqual(sorted(t.split("/")[-1] for t in files["good.d"].split(":")[0].split()), ["good.hh", "goodDynSK.cc", "goodSK.cc"])

    @unittest.skipUnless(shutil.which("omniidl") or os.environ.get("CI") == "true", "omniidl is not installed")
    def test_the_same_command_line_gives_the_same_files_and_includes_as_omniidl(self):
        """And so a rule of make that names them goes on working when only the compiler is another."""
        for options in ([], ["-Wba"], ["-Wba", "-Wbtp"], ["-Wbh=.h", "-Wbs=_stub.cc"], ["-Wba", "-Wbd=_dyn.cc", "-Wbuse_quotes"],
                        ["-Wbkeep_inc_path", "-DWITH"], ["-nf", "-K", "-Wbinline"]):
            outcome = []
            for command in (["omniidl"], [COMPILER, "--preset", "omniidl"]):
                shutil.rmtree(self.root / "out", ignore_errors=True)
                (self.root / "out").mkdir()
                subprocess.run([*command, "-bcxx", "-Cout", "-Isub dir", *options, "good.idl"], cwd=self.root, check=True, timeout=60,
                               capture_output=True)
                names = self.files("out")
                header = next(n for n in names if n.endswith((".hh", ".h")))
                includes = [line.strip() for line in (self.root / "out" / header).read_text().splitlines()
                            if line.lstrip().startswith("#") and "include" in line and "part" in line]
                outcome.append((names, sorted(set(i.replace("# ", "#") for i in includes))))
            self.assertEqual(*outcome, options)

    def test_a_makefile_written_for_omniidl_goes_on_working(self):
        self.write("Makefile", f"""OMNIIDL = {COMPILER} --preset omniidl
OMNIIDLFLAGS = -bcxx -Wba -Wbuse_quotes -Wbkeep_inc_path -I.
.SUFFIXES:
.SUFFIXES: .idl .hh
all: good.hh goodSK.cc goodDynSK.cc
%.hh %SK.cc %DynSK.cc: %.idl
\t$(OMNIIDL) $(OMNIIDLFLAGS) $<
""")
        done = subprocess.run(["make", "-j4"], cwd=self.root, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("up to date", subprocess.run(["make", "good.hh"], cwd=self.root, capture_output=True, text=True,
                                                   timeout=60, check=True).stdout)


class Tao(Driver):
    def tao(self, *arguments, file="good.idl"):
        return self.generate("--preset", "tao", *arguments, file=file)

    def test_client_and_server_files_come_out_with_any_at_the_client(self):
        files, said = self.tao("-DWITH")
        self.assertEqual((sorted(files), said), (["goodC.cpp", "goodC.h", "goodC.inl", "goodS.cpp", "goodS.h"], ""))
        self.assertIn('#include "sub dir/partC.h"\n', files["goodC.h"])
        self.assertIn('#include "sub dir/partS.h"\n', files["goodS.h"])
        self.assertIn("_tc_With", files["goodC.h"])
        self.assertEqual(files["goodS.h"].count('#include "goodC.h"'), 1)
        self.assertEqual(files["goodC.cpp"].count('#include "goodC.h"'), 1)

    def test_endings_of_files_can_be_chosen(self):
        files, _ = self.tao("-DWITH", "-hc", "Client.h", "-cs", "Client.cpp", "-ci", "Client.inl", "-hs", "Server.h", "-ss", "Server.cpp")
        self.assertEqual(sorted(files), ["goodClient.cpp", "goodClient.h", "goodClient.inl", "goodServer.cpp", "goodServer.h"])
        self.assertIn("_tc_With", files["goodClient.h"])
        self.assertIn('#include "goodClient.h"\n', files["goodServer.h"])

    def test_parts_can_be_left_out_or_apart(self):
        self.assertEqual(sorted(self.tao("-SS", "-Sci")[0]), ["goodC.cpp", "goodC.h"])
        for option in ("-Sa", "-St"):
            self.assertNotIn("_tc_With", self.tao("-DWITH", option)[0]["goodC.h"])
        files, _ = self.tao("-DWITH", "-GA")
        self.assertIn("_tc_With", files["goodA.h"])
        self.assertNotIn("operator<<=", files["goodC.h"])
        self.assertIn("goodA.cpp", files)

    def test_operations_are_found_as_wanted(self):
        self.write("ways.idl", "interface Ways { void get(); void put(); };\n")
        for way, sign in (("perfect_hash", "perfect_slot"), ("dynamic_hash", "OperationTable"),
                          ("binary_search", "search_operation"), ("linear_search", "length == 3")):
            self.assertEqual(self.run_compiler("--preset", "tao", "-H", way, "-o", "ways", "ways.idl").returncode, 0)
            self.assertIn(sign, (self.root / "ways" / "waysS.cpp").read_text())

    def test_ties_come_with_the_files_that_rules_name(self):
        files, _ = self.tao("-DWITH", "-GT")
        self.assertIn("class POA_With_tie", files["goodS.h"])
        self.assertLessEqual({"goodS_T.h", "goodS_T.cpp", "goodS_T.inl"}, set(files))

    def test_directories_are_made_and_can_differ(self):
        done = self.run_compiler("--preset", "tao", "-o", "gen", "-oS", "server", "-oA", "any", "-GA", "-iC", "gen", "good.idl")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([self.files(d) for d in ("gen", "server", "any")],
                         [["goodC.cpp", "goodC.h", "goodC.inl"], ["goodS.cpp", "goodS.h"], ["goodA.cpp", "goodA.h"]])
        self.assertIn('#include "gen/goodC.h"\n', (self.root / "server/goodS.h").read_text())

    def test_macros_and_headers_of_ones_own(self):
        files, said = self.tao("-DWITH", "-Wb,stub_export_macro=STUB,stub_export_include=stub.h", "-Wb,skel_export_macro=SKEL",
                               "-Wb,skel_export_include=skel.h", "-Wb,pre_include=ace/pre.h", "-Wb,post_include=ace/post.h",
                               "-Wb,pch_include=stdafx.h")
        self.assertEqual(said, "")
        self.assertIn("class STUB With", files["goodC.h"])
        self.assertIn("class SKEL POA_With", files["goodS.h"])
        for name, header in (("goodC.h", "stub.h"), ("goodS.h", "skel.h"), ("goodC.h", "ace/pre.h"), ("goodS.h", "ace/post.h"),
                             ("goodC.cpp", "stdafx.h")):
            self.assertIn(f'#include "{header}"\n', files[name])
        files, _ = self.tao("-DWITH", "-Wb,export_macro=ALL", "-Wb,export_include=all.h")
        for name, text in (("goodC.h", "class ALL With"), ("goodC.h", "ALL void operator<<="), ("goodS.h", "class ALL POA_With")):
            self.assertIn(text, files[name])

    def test_what_matters_only_to_tao_is_taken_in_silence(self):
        _, said = self.tao("-Ge", "1", "-Gv", "-Gt", "-Gp", "-Gd", "-Sp", "-Sd", "-Sm", "-Sal", "-Sc", "-in", "-ic", "-as", "-Ce", "-H",
                           "perfect_hash", "-g", "gperf", "-t", "tmp", "-si", "S.inl", "-hT", "S_T.h", "-sT", "S_T.cpp", "-Yp,cpp",
                           "-Aescape", "-w", "-v", "-Sorb", "-Wb,obv_opt_accessor", "-Wp,-DWITH", "-I", ".", "-I.",
                           "--idl-version", "4", "--unknown-annotations", "ignore")
        self.assertEqual(said, "")
        self.assertEqual(self.generate("--preset=tao", "--syntax-only"), ({}, ""))

    def test_what_is_missing_then_is_noted(self):
        for options, note in ((["-GI"], "no example"), (["-GIhs", "_i.h", "_i.cpp"], "no example"), (["-GC"], "asynchronous"),
                              (["-GH"], "asynchronous"), (["-Gsp"], "smart prox"), (["-Cw"], "only in case"), (["-Glem"], "components")):
            _, said = self.tao(*options)
            self.assertTrue(said.startswith(f"corbel-idl: note: {options[0]}: "), said)
            self.assertIn(note, said)

    def test_unknown_options_are_refused_with_the_one_that_was_meant(self):
        for options, said in ((["-GQ"], "did you mean '-G"), (["-hx"], "'-hx'"), (["-Wb,export_marco=X"], "did you mean 'export_macro'?"),
                              (["-hc"], "-hc needs a value"), (["-Wx"], "'-Wx'")):
            done = self.run_compiler("--preset", "tao", *options)
            self.assertEqual(done.returncode, 2, options)
            self.assertIn(said, done.stderr)

    def test_its_macro_is_defined(self):
        self.write("macro.idl", "#ifdef __TAO_IDL\ninterface Tao {};\n#endif\n")
        self.assertIn("class Tao ", self.tao(file="macro.idl")[0]["macroC.h"])

    def test_the_rule_of_make_names_its_files(self):
        files, _ = self.tao("-MD")
        targets = sorted(t.split("/")[-1] for t in files["good.d"].split(":")[0].split())
        self.assertEqual(targets, ["goodC.cpp", "goodC.h", "goodC.inl", "goodS.cpp", "goodS.h"])


class Presets(Driver):
    def test_an_unknown_preset_is_refused(self):
        done = self.run_compiler("--preset", "other", "good.idl")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no preset 'other'; there are omniidl and tao", done.stderr)


if __name__ == "__main__":
    unittest.main()
