#!/usr/bin/env python3
"""What corbel_add_idl expects corbel-idl to write is what corbel-idl writes, whoever's options say so."""

import subprocess
import sys
import unittest

CMAKE, MODULE = sys.argv.pop(2), sys.argv.pop(2)

from driver import Driver  # takes the compiler from the arguments


class Endings(Driver):
    def expected(self, preset, options):
        self.write("endings.cmake", f'include("{MODULE}")\nset(skel_source mine.cc)\n_corbel_idl_endings(all "{preset}" {" ".join(options)})\n'
                                    'message("${all}")\n')
        done = subprocess.run([CMAKE, "-P", "endings.cmake"], cwd=self.root, capture_output=True, text=True, timeout=60, check=True)
        return sorted("good" + ending for ending in done.stderr.strip().split(";"))

    def check(self, preset, *cases):
        for options in cases:
            preset_option = [f"--preset={preset}"] if preset else []
            files, _ = self.generate(*preset_option, *options)
            self.assertEqual(self.expected(preset, options), sorted(files), options)

    def test_of_its_own_options(self):
        self.check("", [], ["--no-any"], ["--no-skeleton"], ["--stub-suffix=S", "--header-suffix=.hpp"], ["--any-source=.x.cc"],
                   ["--empty-file=.inl", "--empty-file=_T.h"])

    def test_of_those_of_omniidl(self):
        self.check("omniidl", [], ["-Wba"], ["-Wba,use_quotes"], ["-Wbuse_quotes,a,tp"], ["-Wbh=.h", "-Wbs=.cpp"],
                   ["-Wbh=.h,s=_s.cc,d=_d.cc,a"], ["--tie", "--any"])

    def test_of_those_of_tao_idl(self):
        self.check("tao", [], ["-SS"], ["-Sa"], ["-Sci"], ["-GT"], ["-GA"], ["-GT", "-Sci", "-as"], ["-hc", ".hh"],
                   ["-hc", ".hh", "-cs", ".cc", "-hs", "S.hh", "-ss", "S.cc"], ["-GT", "-ci", "C.ii", "-hT", "T.h", "-sT", "T.cc", "-st", "T.ii"])


if __name__ == "__main__":
    unittest.main()
