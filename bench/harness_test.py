#!/usr/bin/env python3
"""The harness's own logic: levels, verdicts, ratios, records, and the tap's reading of references."""

import contextlib
import io
import pathlib
import re
import struct
import sys
import tempfile
import types
import unittest
import xml.etree.ElementTree

import run
from harness import compiler, corpus, corpus_contract, experiment, giop_tap, loops, programs, replay, report, stubs
from harness.levels import Bound, Interval, Level, load, select, verdict

LEVELS = pathlib.Path(__file__).parent / "levels.toml"


def level(**fields):
    basics = {"name": "n", "bench": "flood", "case": "octet", "statistic": "MB/s", "bound": Bound(">=", 0.9)}
    return Level(**{**basics, **fields})


class LevelsFile(unittest.TestCase):
    def test_every_level_belongs_to_a_measurement(self):
        known = run.measurements(None, quick=True)
        self.assertEqual([], [one.name for one in load(LEVELS) if one.bench not in known])

    def test_flood_cases_carry_size_direction_and_transport(self):
        found = select(load(LEVELS), ["char-64k-oneway-same"])[0]
        self.assertEqual("char/65536/oneway/tcp", found.full_case)
        self.assertEqual("char/65536/oneway/tcp", found.baseline_case)
        self.assertEqual("raw", found.baseline_peer)

    def test_a_pattern_selects_by_name_and_by_measurement(self):
        levels = load(LEVELS)
        self.assertEqual({"size"}, {one.bench for one in select(levels, ["size"])})
        self.assertEqual(10, len(select(levels, ["octet-*k-twoway-s*"])))


class EventLoops(unittest.TestCase):
    def test_a_loop_that_the_kernel_refuses_is_said_to_be_and_the_others_are_compared(self):
        def measure(_connections, loop):
            if loop.startswith("io_uring"):
                raise programs.NotMeasured("io_uring_setup: Operation not permitted")
            return {"us-server": 4.0 if loop == "blocking" else 6.0, "us-wall": 10.0}

        made = loops.LoopReport(measure, report.Records(), lambda text: None)
        made.run(rounds=3)
        lines = [" ".join(line.split()) for line in made.table()]
        self.assertIn("1 blocking 4.00 1.00 10.00 1.00", lines)
        self.assertIn("1000 epoll 6.00 1.50 10.00 1.00", lines)
        self.assertIn("1 io_uring not measured: io_uring_setup: Operation not permitted", lines)


class Replay(unittest.TestCase):
    def test_a_request_turned_around_reads_the_same_in_the_other_order(self):
        def request(order):
            body = struct.pack(order + "IB3xHxxI3sx", 7, 3, 0, 3, b"key") + struct.pack(order + "I5s3x", 5, b"push\0")
            body += struct.pack(order + "III2s2x", 1, 99, 2, b"ab")
            body += b"\0" * (-(12 + len(body)) % 8) + struct.pack(order + "I3i", 3, 1, -2, 0x01020304)
            flags = 1 if order == "<" else 0
            return b"GIOP\1\2" + bytes([flags, 0]) + struct.pack(order + "I", len(body)) + body

        own, other = ("<", ">") if sys.byteorder == "little" else (">", "<")
        self.assertEqual(request(other), replay.turned_around(request(own), "long"))


class Clients(unittest.TestCase):
    def test_only_those_that_measure_other_transports_are_not_held_to_tcp(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "bench").mkdir()
            peers = ["corbel", "corbel-dynamic", "corbel-shm", "corbel-tls", "omniorb"]
            for peer in peers:
                (pathlib.Path(folder) / "bench" / f"{peer}-client").touch()
            built = programs.Programs(folder)
            held = [one for one in peers if "-ORBtransports" in built.client_command(one, "IOR:", "latency")]
        self.assertEqual(["corbel", "corbel-dynamic"], held)


class PapersContract(unittest.TestCase):
    def test_an_operation_brings_the_types_it_needs_and_no_others(self):
        contract = stubs.StubBenches(None).contract
        self.assertEqual(7, len(contract.operations))
        text = contract.of("test_var_struct", 2)
        self.assertEqual(["DUMMY", "StrSeq", "Var_Struct"],
                         sorted(re.findall(r"(?:struct|typedef string|typedef sequence<string>) (\w+)", text)))
        self.assertEqual(["test_var_struct_0", "test_var_struct_1"], re.findall(r"test_\w+", text))


class MadeContracts(unittest.TestCase):
    def test_have_about_the_lines_asked_for_and_the_words_of_real_ones(self):
        with tempfile.TemporaryDirectory() as folder:
            text = compiler._contract(pathlib.Path(folder), 10_000).read_text()
        self.assertAlmostEqual(10_000, text.count("\n"), delta=100)
        words = re.findall(r"\w+|::|[^\s\w]", re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S))
        self.assertAlmostEqual(2.5, len(words) / text.count("\n"), delta=0.1)


class Verdicts(unittest.TestCase):
    def test_needs_median_and_quartiles_on_one_side(self):
        bound = Bound.parse("<= 1.04")
        self.assertEqual("met", verdict(bound, Interval(1.02, 1.01, 1.04)))
        self.assertEqual("not met", verdict(bound, Interval(1.2, 1.05, 1.3)))
        self.assertEqual("within noise", verdict(bound, Interval(1.03, 1.02, 1.05)))
        self.assertEqual("within noise", verdict(bound, Interval(1.05, 1.03, 1.06)))

    def test_a_lower_bound_is_met_from_above(self):
        self.assertEqual("met", verdict(Bound.parse(">= 0.9"), Interval(0.95, 0.9, 1.0)))
        self.assertEqual("not met", verdict(Bound.parse(">= 0.9"), Interval(0.8, 0.7, 0.89)))

    def test_a_reported_figure_has_none(self):
        self.assertEqual("reported", verdict(Bound.parse("report 618"), Interval(1, 1, 1)))

    def test_an_unknown_relation_is_refused(self):
        with self.assertRaises(ValueError):
            Bound.parse("< 3")

    def test_quartiles_of_eleven_rounds(self):
        self.assertEqual(Interval(6, 3.5, 8.5), Interval.of(list(range(1, 12))))


class Figures(unittest.TestCase):
    def setUp(self):
        self.records = report.Records()

    def add(self, peer, number, value, case="octet/tcp"):
        self.records.add("flood", case, peer, "free", number, {"MB/s": value})

    def test_ratios_are_made_inside_a_round(self):
        for number, own, base in ((1, 90, 100), (2, 50, 100), (3, 30, 10)):
            self.add("corbel", number, own)
            self.add("raw", number, base)
        self.assertEqual([0.9, 0.5, 3.0], report.figures(level(baseline="raw"), self.records))

    def test_a_round_without_its_baseline_does_not_count(self):
        self.add("corbel", 1, 90)
        self.add("corbel", 2, 80)
        self.add("raw", 2, 100)
        self.assertEqual([0.8], report.figures(level(baseline="raw"), self.records))

    def test_another_case_can_be_the_baseline(self):
        self.add("corbel", 1, 45, "char/tcp")
        self.add("corbel", 1, 90)
        self.assertEqual([0.5], report.figures(level(case="char", baseline="corbel:octet"), self.records))

    def test_without_a_baseline_the_value_itself_counts(self):
        self.add("corbel", 1, 7)
        self.assertEqual([7], report.figures(level(), self.records))


class Printed(unittest.TestCase):
    def printed(self, values, rounds):
        records, out = report.Records(), io.StringIO()
        for number, value in enumerate(values, 1):
            records.add("flood", "octet/tcp", "corbel", "free", number, {"MB/s": value})
        measured = types.SimpleNamespace(records=records, rounds={"flood": rounds},
                                         failures={("flood", "octet/tcp", "corbel"): "it crashed"})
        with contextlib.redirect_stdout(out):
            tally = report.print_levels([level()], measured)
        return tally, out.getvalue()

    def test_a_level_of_which_a_round_failed_is_not_measured(self):
        tally, text = self.printed([1, 1], rounds=3)
        self.assertEqual({"not measured": 1}, tally)
        self.assertIn("2 of 3 rounds: it crashed", text)

    def test_a_level_with_all_its_rounds_is(self):
        self.assertEqual({"met": 1}, self.printed([1, 1, 1], rounds=3)[0])


class PapersExperiment(unittest.TestCase):
    def setUp(self):
        self.made = experiment.Experiment(lambda case: {"ns": 20.0 * len(case)}, lambda text: None)
        self.made.run(large=True)

    def test_has_every_point_in_its_table(self):
        lines = list(self.made.table())
        rows = len(experiment.STRATEGIES) * len(experiment.INVOCATIONS) * len(experiment.OPERATIONS)
        self.assertEqual(1 + rows + len(experiment.OPERATIONS) + 1 + len(experiment.LARGE_STRATEGIES), len(lines))

    def test_has_a_line_for_each_strategy_and_invocation_in_its_plot(self):
        tree = xml.etree.ElementTree.fromstring(self.made.plot())
        lines = tree.findall("{http://www.w3.org/2000/svg}polyline")
        self.assertEqual(len(experiment.STRATEGIES) * len(experiment.INVOCATIONS), len(lines))
        self.assertTrue(all(len(line.get("points").split()) == len(experiment.OBJECTS) for line in lines))


class Rounds(unittest.TestCase):
    def test_a_case_is_measured_for_corbel_its_baseline_and_the_peers_beside(self):
        wanted = [level(case="char", baseline="corbel:octet"), level(name="m", case="long", baseline="raw")]
        self.assertEqual(
            {("char/tcp", "free"): ["corbel", "raw", "omniorb"], ("octet/tcp", "free"): ["corbel"],
             ("long/tcp", "free"): ["corbel", "raw", "omniorb"]}, run.cases_of(wanted, "flood"))


def reference(order, host, port):
    """A reference with a foreign profile in front of its IIOP profile."""
    body = bytes([order == "<", 1, 2, 0]) + struct.pack(order + "I", len(host) + 1) + host + b"\0"
    body += bytes(len(body) % 2) + struct.pack(order + "H", port)
    data = bytes([order == "<", 0, 0, 0]) + struct.pack(order + "I", 1) + b"\0"
    data += bytes(-len(data) % 4) + struct.pack(order + "III", 2, 77, 3) + b"abc\0"
    return "IOR:" + (data + struct.pack(order + "II", 0, len(body)) + body).hex()


class Tap(unittest.TestCase):
    def test_redirects_a_reference_of_either_byte_order(self):
        for order in "<>":
            for host in (b"127.0.0.1", b"localhost."):
                changed, server = giop_tap.readdressed(reference(order, host, 2809), 4711)
                self.assertEqual((host.decode(), 2809), server)
                self.assertEqual((host.decode(), 4711), giop_tap.readdressed(changed, 1)[1])


DUMP = """contract "a.idl"
  module ::M "IDL:M:1.0"
    interface ::M::Other "IDL:M/Other:1.0" included
      operation hidden: void
    exception ::M::E "IDL:M/E:1.0"
      field code: long
    local interface ::M::I "IDL:M/I:1.0" : ::M::Other
      oneway operation a: void
      operation b: void raises ::M::E
        in x: long
        inout y: sequence<string<4>>
      operation c: long context "a*"
      readonly attribute d: string raises ::M::E
    union ::M::U "IDL:M/U:1.0" switch ::M::U::K default-label 2
      enum ::M::U::K "IDL:M/U/K:1.0"
        k1 = 0
      case k1 (0) a: long
      default b: string
    union ::M::R "IDL:M/R:1.0" switch long recursive
      case 1 next: sequence<::M::R>
    valuetype ::M::V "IDL:M/V:1.0" supports ::M::I
      private z: long[3]
      factory make raises ::M::E
        in q: long
    const ::M::C "IDL:M/C:1.0": short = 4
    typedef ::M::T "IDL:M/T:1.0" = sequence<long>
"""
LINES = """exception ::M::E
member ::M::E::code long
interface ::M::I
operation ::M::I::a void ()
operation ::M::I::b void (in long, inout sequence<string<4>>) ::M::E
operation ::M::I::c long ()
readonly attribute ::M::I::d string
union ::M::U ::M::U::K
enum ::M::U::K
member ::M::U::a long
member ::M::U::b string
union ::M::R long
member ::M::R::next sequence<::M::R>
valuetype ::M::V
member ::M::V::z long[3]
factory ::M::V::make (in long) ::M::E
const ::M::C short
typedef ::M::T sequence<long>
"""


class Corpus(unittest.TestCase):
    def test_reads_the_declarations_of_a_dump(self):
        self.assertEqual([], corpus_contract.differences(DUMP, LINES))

    def test_says_which_side_lacks_a_declaration(self):
        other = LINES.replace("operation ::M::I::c long", "operation ::M::I::c short")
        self.assertEqual(["- operation ::M::I::c short ()", "+ operation ::M::I::c long ()"],
                         corpus_contract.differences(DUMP, other))

    def test_keeps_results_beyond_a_run_that_was_stopped(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "kept" / "results.jsonl"
            self.assertEqual("made", corpus.Results(path).get("key", lambda: "made"))
            path.write_text(path.read_text() + '{"key": "cut')
            self.assertEqual("made", corpus.Results(path).get("key", lambda: "made again"))
            self.assertEqual("new", corpus.Results(path).get("other", lambda: "new"))

    def test_each_exception_names_a_clause(self):
        for path, clause in corpus.exceptions().items():
            self.assertRegex(clause, r"\d+\.\d+", path)

    def test_each_file_that_need_not_compile_has_a_reason(self):
        for path, reason in corpus.exceptions(corpus.NOT_COMPILED).items():
            self.assertRegex(reason, r"\w+ \w+", path)


if __name__ == "__main__":
    unittest.main()
