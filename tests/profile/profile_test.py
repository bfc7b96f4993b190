"""What -ORBprofileCalls writes of real processes, and what corbel-idl --profile makes of it."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from tests.support.processes import Child

SHOP, PROFILED, COMPILER = os.environ["SHOP"], os.environ["SHOP_PROFILED"], os.environ["CORBEL_IDL"]
CONTRACT = pathlib.Path(__file__).with_name("shop.idl")
STORE = "IDL:Shop/Store:1.0"


class Profiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def trade(self, server=SHOP, client=SHOP, server_options=(), client_options=()):
        shop = Child(server, "serve", "-ORBendPoint", "giop:tcp:127.0.0.1:0", *server_options)
        bought = subprocess.run([client, "buy", shop.line(), *client_options], timeout=60, check=False)
        self.assertEqual((bought.returncode, shop.process.wait(timeout=60)), (0, 0))

    def counted(self, *names):
        """Calls and octets by operation and interface, of the files together."""
        sums = {}
        for name in names:
            for line in (self.root / name).read_text().splitlines():
                if line.startswith("#"):
                    continue
                calls, octets, *where = line.split(" ")
                before = sums.get(tuple(where), (0, 0))
                sums[tuple(where)] = before[0] + int(calls), before[1] + int(octets)
        return sums

    def profiled(self, name, text=None):
        if text is not None:
            (self.root / name).write_text(text)
        return "-ORBprofileCalls", str(self.root / name)

    def compile(self, *options, contract=CONTRACT, status=0):
        done = subprocess.run([COMPILER, *options, "-o", self.root / "out", contract], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, status, done.stderr)
        self.said = done.stderr
        return {p.name: p.read_text() for p in (self.root / "out").iterdir()} if status == 0 else None

    def compiled(self, *options, **how):
        """The operations of stubs, and of skeletons, and the types that are code."""
        files = self.compile(*options, **how)

        def bodies(text, start):
            return {name: body.split("\n}")[0] for name, body in re.findall(start + r"(\w+)\((.*?)(?=\n}\n)", text, re.S)}

        stubs = {name for name, body in bodies(files["shop.stub.cc"], r"Shop::(?:Door|Store)::").items() if "corbel::cpp::Call _call" in body}
        served = {name for name, body in bodies(files["shop.skel.cc"], r"void POA_Shop::(?:Door|Store)::_skel_").items()
                  if "_servant" in body and "programs::serve(" not in body}
        types = set(re.findall(r"void marshal\(Encoder& out, const ::Shop::(\w+)& value\) \{(?! *\n? *cpp::programs)", files["shop.stub.cc"]))
        return stubs, served - {"close"}, types

    def test_both_sides_count_calls_and_octets(self):
        self.trade(server_options=self.profiled("server"), client_options=self.profiled("client"))
        server, client = self.counted("server"), self.counted("client")
        client.pop(("_is_a", STORE), None)
        self.assertEqual({where: count[0] for where, count in server.items() if where[0] != "_is_a"},
                         {("put", STORE): 200, ("all", STORE): 1, ("knock", STORE): 4, ("_set_level", STORE): 1, ("_get_level", STORE): 1,
                          ("hint", STORE): 1, ("say", STORE): 1, ("close", STORE): 1})
        self.assertEqual({w: c for w, c in server.items() if w[0] != "_is_a"}, client)
        # A name of three letters and a zero, after its length, and a number.
        self.assertEqual(client["put", STORE], (200, 200 * 12))
        self.assertGreater(client["all", STORE][1], 4000 * 8)

    def test_runs_and_processes_append_to_one_file(self):
        for _ in range(2):
            self.trade(server_options=self.profiled("both"), client_options=self.profiled("both"))
        self.assertEqual(self.counted("both")["put", STORE], (800, 800 * 12))
        self.assertEqual((self.root / "both").read_text().count("#"), 1)

    def test_what_carries_the_load_is_code_and_what_does_not_a_program(self):
        self.trade(server_options=self.profiled("run"), client_options=self.profiled("run"))
        files = self.compile("--profile", str(self.root / "run"))
        self.assertEqual(self.said, "")
        self.assertEqual(self.compiled("--profile", str(self.root / "run")), ({"put", "all"}, {"put", "all"}, {"Item", "Items"}))
        # The program of the other test is made of this one.
        self.assertEqual(files, self.compile("--profile", str(CONTRACT.with_name("shop.profile"))))

    def test_profiled_programs_talk_to_those_of_code(self):
        for server, client in ((SHOP, PROFILED), (PROFILED, SHOP), (PROFILED, PROFILED)):
            self.trade(server, client)

    def test_what_is_said_of_scopes_goes_before_the_profile(self):
        self.profiled("some", f"50 10 put {STORE}\n")
        profile = "--profile", str(self.root / "some")
        self.assertEqual(self.compiled(*profile, "--stubs=Shop::Store=interpretive", "--stubs=Shop::Store::say=compiled")[0], {"say"})
        self.assertEqual(self.compiled(*profile, "--stubs=Shop=interpretive")[2], set())
        self.assertEqual(self.compiled(*profile, "--stubs=hybrid"), ({"put"}, {"put"}, {"Item", "Items", "Remark", "Closed"}))
        said = self.root / "shop.idl"
        said.write_text(CONTRACT.read_text().replace("void put", "@corbel_stubs(interpretive) void put").replace("void say", "@corbel_stubs(compiled) void say"))
        self.assertEqual(self.compiled(*profile, contract=said)[0], {"say"})

    def test_an_operation_is_found_where_it_is_declared(self):
        self.profiled("base", f"50 10 knock {STORE}\n")
        self.assertEqual(self.compiled("--profile", str(self.root / "base"))[0], {"knock"})

    def test_a_reference_without_a_type_counts_for_all_operations_of_the_name(self):
        self.profiled("nameless", "50 10 knock\n50 10 put\n")
        self.assertEqual(self.compiled("--profile", str(self.root / "nameless"))[0], {"knock", "put"})

    def test_operations_that_no_contract_has_are_noted(self):
        self.profiled("old", f"50 10 put {STORE}\n1 1 sell {STORE}\n1 1 put IDL:Gone:1.0\n5 5 _is_a {STORE}\n")
        self.compile("--profile", str(self.root / "old"))
        self.assertEqual(self.said, f"corbel-idl: note: {self.root}/old: ignored 2 lines for operations that are declared nowhere here: "
                                    f"'sell' of {STORE}\n")

    def test_rules_for_make_name_the_profile(self):
        self.profiled("some", f"50 10 put {STORE}\n")
        self.assertIn(str(self.root / "some"), self.compile("-MD", "--profile", str(self.root / "some"))["shop.d"])

    def test_a_file_that_cannot_be_written_is_refused_at_once(self):
        done = subprocess.run([SHOP, "serve", "-ORBprofileCalls", str(self.root / "no/such")], capture_output=True, timeout=60)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(b"BAD_PARAM", done.stderr)


if __name__ == "__main__":
    unittest.main()
