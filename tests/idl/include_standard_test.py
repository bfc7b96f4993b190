"""Contracts include CORBA's own IDL without -I, under its own name and under the names that others gave it."""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("compiler", help="corbel-idl")
    corbel_idl = pathlib.Path(parser.parse_args().compiler)
    failures = []

    def expect(condition, what):
        if not condition:
            failures.append(what)

    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)

        def compile_text(text, *options, compiler=corbel_idl):
            for old in folder.glob("a.*"):
                old.unlink()
            (folder / "a.idl").write_text(text)
            return subprocess.run([compiler, "-o", folder, *options, folder / "a.idl"], capture_output=True, text=True,
                                  timeout=60, check=False)

        use = "interface A { CosNaming::NamingContext root(); };\n"
        for written in ("<CosNaming.idl>", '"CosNaming.idl"', "<COS/CosNaming.idl>", '"orbsvcs/CosNaming.idl"',
                        '"orbsvcs/orbsvcs/CosNaming.idl"'):
            done = compile_text(f"#include {written}\n{use}", "--stub-suffix=C", "-MD")
            expect(done.returncode == 0, f"{written}: {done.stderr}")
            if done.returncode == 0:
                header = (folder / "aC.h").read_text()
                expect("#include <corbel/idl/CosNaming.stub.h>" in header, f"{written} is included as {header}")
                expect("share/idl/corbel/CosNaming.idl" in (folder / "a.d").read_text(), f"{written}: not a dependency")

        for written in ('"tao/LongSeq.pidl"', '"tao/orb.idl"', "<corbaidl.idl>", '"tao/AnyTypeCode/Visibility.pidl"'):
            done = compile_text(f"#include {written}\ninterface A {{ CORBA::LongSeq numbers(); }};\n")
            expect(done.returncode == 0, f"{written}: {done.stderr}")
            expect("<corbel/idl/orb.stub.h>" in (folder / "a.stub.h").read_text(), f"{written} is no orb.idl")

        # An import of one of its modules is enough.
        for written in ("import ::CosNaming;", "import CosNaming;", "import ::CosNaming; import ::CosNaming;"):
            done = compile_text(f"// First.\n{written}\n{use}", "-MD")
            expect(done.returncode == 0, f"{written}: {done.stderr}")
            if done.returncode == 0:
                header = (folder / "a.stub.h").read_text()
                expect("#include <corbel/idl/CosNaming.stub.h>" in header, f"{written} is included as {header}")
                expect("class NamingContext" not in header, f"{written}: what is imported is not the contract's own")
                expect("share/idl/corbel/CosNaming.idl" in (folder / "a.d").read_text(), f"{written}: not a dependency")
        done = compile_text("import ::Components;\ncomponent Part { attribute long weight; };\n"
                            "interface Keeper { void keep(in Components::CCMObject part); };\n")
        expect(done.returncode == 0, f"Components: {done.stderr}")
        for written in ("import ::NoSuch;", "import ::orb;", "module M { import ::CosNaming; };"):
            done = compile_text(f"{written}\n")
            expect(done.returncode == 1, f"{written} is taken")

        # One's own file of this name comes first, also when -I leads to it.
        own = folder / "own"
        own.mkdir()
        (own / "CosNaming.idl").write_text("module CosNaming { interface NamingContext {}; };\n")
        done = compile_text(f"#include <CosNaming.idl>\n{use}", "-I", own)
        expect(done.returncode == 0, done.stderr)
        expect('#include "CosNaming.stub.h"' in (folder / "a.stub.h").read_text(), "one's own file is not preferred")

        for written in ("<NoSuch.idl>", "<elsewhere/CosNaming.idl>", "<CosNaming.h>", "<../CosNaming.idl>"):
            done = compile_text(f"#include {written}\n")
            expect(done.returncode == 1 and "[file-not-found]" in done.stderr, f"{written} is found")

        # A compiler that was moved with its files finds them; one that was moved alone does without.
        tree = folder / "tree"
        (tree / "bin").mkdir(parents=True)
        moved = pathlib.Path(shutil.copy2(corbel_idl, tree / "bin" / "corbel-idl"))
        expect(compile_text(f"#include <CosNaming.idl>\n{use}", compiler=moved).returncode == 1, "found without files")
        shutil.copytree(corbel_idl.parent.parent / "share" / "idl" / "corbel", tree / "share" / "idl" / "corbel")
        done = compile_text(f"#include <CosNaming.idl>\n{use}", compiler=moved)
        expect(done.returncode == 0, f"not found beside the compiler: {done.stderr}")
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
