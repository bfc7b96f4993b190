"""The compiler without a run time: it builds, installs and is found alone, and a project that is compiled for another
machine takes the run time from one place and the compiler from another.

alone_test.py --cmake CMAKE --compiler CXX --build DIR, a build of everything.
"""

import os
import subprocess
import sys
import tempfile
import unittest
from argparse import ArgumentParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES CXX)
find_package(Corbel REQUIRED {components})
{then}
"""

GENERATE = """add_custom_command(OUTPUT echo.stub.cc COMMAND Corbel::corbel-idl ${CMAKE_SOURCE_DIR}/echo.idl)
add_custom_target(generate ALL DEPENDS echo.stub.cc)"""

LIBRARY = "corbel_add_idl(echo-idl FILES echo.idl NO_SKELETON NO_ANY)"

# What a toolchain file for another machine says; that the machine is this one is not known to CMake.
TOOLCHAIN = "set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSTEM_PROCESSOR other)\n"


class Outside(unittest.TestCase):
    """Projects outside the tree, and the components installed."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = Path(cls.folder.name)
        # Two prefixes, as two packages of a distribution install them.
        for component in ("idl", "orb"):
            cls.run_cmake("--install", ARGUMENTS.build, "--component", component, "--prefix", cls.root / component)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_cmake(cls, *arguments, status=0, path=None):
        environment = {**os.environ, "PATH": f"{path}:{os.environ['PATH']}"} if path else None
        done = subprocess.run([ARGUMENTS.cmake, *map(str, arguments)], capture_output=True, text=True, timeout=600, check=False,
                              env=environment)
        said = done.stdout + done.stderr
        if (done.returncode == 0) != (status == 0):
            raise AssertionError(f"cmake {' '.join(map(str, arguments))}\n{said[-4000:]}")
        return " ".join(said.split())

    def project(self, components, then, prefix, *definitions, status=0, path=None):
        """Configures a project outside the tree; its build folder and what was said."""
        source = Path(tempfile.mkdtemp(dir=self.root))
        (source / "CMakeLists.txt").write_text(PROJECT.format(components=components, then=then))
        (source / "echo.idl").write_text("#include <orb.idl>\n" + (ROOT / "examples/echo/echo.idl").read_text())
        (source / "toolchain.cmake").write_text(TOOLCHAIN)
        said = self.run_cmake("-S", source, "-B", source / "build", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={ARGUMENTS.compiler}",
                              f"-DCMAKE_CXX_FLAGS={ARGUMENTS.flags}", f"-DCMAKE_PREFIX_PATH={prefix}",
                              *[d.replace("SOURCE", str(source)) for d in definitions], status=status, path=path)
        return source / "build", said

    def configured_alone(self):
        build = self.root / "build"
        self.run_cmake("-S", ROOT, "-B", build, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={ARGUMENTS.compiler}", "-DCORBEL_BUILD_ORB=OFF",
                       "-DCORBEL_BUILD_TESTS=OFF", "-DCORBEL_QUICK_BUILD=ON")
        return build


class Components(Outside):
    def test_each_component_holds_its_own_files(self):
        idl = {str(p.relative_to(self.root / "idl")) for p in (self.root / "idl").rglob("*") if p.is_file()}
        orb = {str(p.relative_to(self.root / "orb")) for p in (self.root / "orb").rglob("*") if p.is_file()}
        self.assertLessEqual({"bin/corbel-idl", "share/idl/corbel/CosNaming.idl"}, idl)
        self.assertFalse([f for f in idl if f.endswith((".a", ".so")) or f.startswith("include/")])
        self.assertFalse([f for f in orb if f.startswith("bin/")])
        self.assertIn("include/corbel/corba.h", orb)

    def test_the_compiler_alone_is_found_and_generates(self):
        build, _ = self.project("COMPONENTS idl", GENERATE, self.root / "idl")
        self.run_cmake("--build", build)
        self.assertIn("echo_string", (build / "echo.stub.cc").read_text())

    def test_the_compiler_and_the_run_time_may_come_from_two_places(self):
        for path, definition in ((self.root / "idl/bin", "-DUNUSED=1"), (None, f"-DCORBEL_IDL_EXECUTABLE={self.root}/idl/bin/corbel-idl")):
            build, _ = self.project("COMPONENTS idl orb", LIBRARY, self.root / "orb", definition, path=path)
            self.run_cmake("--build", build)
            self.assertTrue((build / "libecho-idl.a").exists())

    def test_a_cross_compiled_project_uses_the_compiler_of_this_machine(self):
        # The package for the target has a compiler too, which does not run here.
        target = self.root / "target"
        for component in ("idl", "orb"):
            self.run_cmake("--install", ARGUMENTS.build, "--component", component, "--prefix", target)
        (target / "bin/corbel-idl").write_bytes(b"\x7fELF of another machine")
        toolchain = ["-DCMAKE_TOOLCHAIN_FILE=SOURCE/toolchain.cmake"]
        build, _ = self.project("", LIBRARY, target, *toolchain, path=self.root / "idl/bin")
        self.run_cmake("--build", build)
        self.assertTrue((build / "libecho-idl.a").exists())
        self.assertIn(f"{self.root}/idl/bin/corbel-idl", (build / "build.ninja").read_text())
        _, said = self.project("COMPONENTS idl", "", target, *toolchain, f"-DCORBEL_IDL_EXECUTABLE={target}/bin/corbel-idl", status=1)
        self.assertIn("does not run on this machine", said)

    def test_what_is_missing_is_said(self):
        for components, then, prefix, why in (
            ("COMPONENTS orb", "", "idl", "the run time (component orb) is not installed"),
            ("COMPONENTS idl", "", "orb", "the compiler (component idl) is missing"),
            ("COMPONENTS idl naming", "", "idl", "there is no component naming; there are idl, orb, tls, ziop and json"),
            ("", LIBRARY, "idl", "corbel_add_idl(echo-idl): there is no run time to link"),
            ("COMPONENTS orb", LIBRARY, "orb", "corbel_add_idl"),
            ("", "corbel_add_idl(echo-idl FILES echo.idl PRESET orbix)", "both", "there is no PRESET orbix"),
            ("", "corbel_add_idl(echo-idl TYES FILES echo.idl)", "both", "have no meaning"),
            ("", "corbel_add_idl(echo-idl)", "both", "names no IDL file"),
            ("", "corbel_add_idl(echo-idl FILES echo.idl other/echo.idl)", "both", "two of FILES would be written as"),
        ):
            both = prefix == "both"
            _, said = self.project(components, then, self.root / ("orb" if both else prefix), status=1,
                                   path=self.root / "idl/bin" if both else None)
            self.assertIn(why, said)

    def test_a_compiler_of_another_version_is_refused(self):
        other = self.root / "other"
        other.write_text("#!/bin/sh\necho corbel-idl 99.0.0\n")
        other.chmod(0o755)
        _, said = self.project("COMPONENTS idl", "", self.root / "orb", f"-DCORBEL_IDL_EXECUTABLE={other}", status=1)
        self.assertIn("is corbel-idl 99.0.0, not corbel-idl", said)

    def test_the_compiler_is_configured_alone_and_from_its_own_folder(self):
        self.assertTrue((self.configured_alone() / "cmake_install.cmake").exists())
        self.run_cmake("-S", ROOT / "compiler", "-B", self.root / "folder", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={ARGUMENTS.compiler}")
        self.assertTrue((self.root / "folder/cmake_install.cmake").exists())
        self.assertTrue((self.root / "folder/share/idl/corbel/orb.idl").exists())


class CompilerAlone(Outside):
    def test_it_builds_and_installs_without_the_run_time(self):
        build, prefix = self.configured_alone(), self.root / "alone"
        self.run_cmake("--build", build)
        self.run_cmake("--install", build, "--prefix", prefix)
        project, _ = self.project("COMPONENTS idl", GENERATE, prefix)
        self.run_cmake("--build", project)
        self.assertTrue((project / "echo.stub.cc").exists())


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--flags", default="")
    ARGUMENTS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
