"""omniORB's own example programs, compiled unchanged against Corbel, run against each other and against the originals.

Every program of Debian's omniorb-doc is either run here or named in WAITS with what it waits for.
"""

import argparse
import contextlib
import ctypes
import pathlib
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time

PATIENCE = 30
WAITS = {
    "poa/servant_manager/servant_activator": "servant managers",
    "poa/servant_manager/servant_locator": "servant managers",
    "poa/shortcut/shortcut": "nothing but time: it times thirty million calls (compiles)",
    "bidir/bd_client": "bidirectional GIOP",
    "bidir/bd_server": "bidirectional GIOP",
    "bidir/bd_shutdown": "bidirectional GIOP",
    "ami/echo_poller": "asynchronous calls",
    "ami/echo_pollable_set": "asynchronous calls",
    "ami/echo_callback": "asynchronous calls",
    "ami/echo_dii_pollable_set": "asynchronous calls",
    "ssl_echo/eg2_impl": "TLS",
    "ssl_echo/eg2_clt": "TLS",
    "ziop/ziop_impl": "compression",
    "ziop/ziop_clt": "compression",
    "boa/eg2_impl": "nothing: CORBA has no basic object adapter any more",
}
ENDPOINT = ("-ORBendPoint", "giop:tcp:127.0.0.1:")
failures = []


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Program:
    """A running program and the lines it wrote."""

    def __init__(self, *command):
        self.process = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        text=True, preexec_fn=die_with_parent)
        self.lines = queue.Queue()
        self.seen = []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def line(self, begins):
        """The next line that begins so; None if the program says none in time."""
        return self.next(lambda line: line.startswith(begins))

    def line_with(self, text):
        return self.next(lambda line: text in line)

    def next(self, wanted):
        deadline = time.monotonic() + PATIENCE
        while (left := deadline - time.monotonic()) > 0:
            try:
                line = self.lines.get(timeout=left)
            except queue.Empty:
                break
            if line is None:
                break
            self.seen.append(line)
            if wanted(line):
                return line
        return None

    def end(self):
        """Exit status and all that was written, once the program has ended of its own accord."""
        try:
            status = self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return None, self.seen
        while (line := self.lines.get(timeout=PATIENCE)) is not None:
            self.seen.append(line)
        return status, self.seen

    def kill(self):
        self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def running(*command):
    program = Program(*command)
    try:
        yield program
    finally:
        program.kill()


def expect(condition, what, said=()):
    if not condition:
        failures.append(what + "".join(f"\n    {line}" for line in said))


def run(*command):
    with running(*command) as program:
        return program.end()


def check_run(name, command, *needed):
    status, lines = run(*command)
    expect(status == 0, f"{name} ended with {status}", lines)
    for line, count in needed:
        expect(lines.count(line) == count, f"{name}: '{line}' stands there {lines.count(line)} times, not {count}", lines)


HELLO = (('I said, "Hello!".', 10), ('The Echo object replied, "Hello!".', 10))


def echo(server, client, name):
    for impl, arguments in (("echo/eg2_impl", ENDPOINT), ("poa/persistent_objref/eg2_impl", ENDPOINT)):
        with running(server / impl, *arguments) as program:
            ior = program.line("IOR:")
            expect(ior, f"{name}: {impl} gave no reference", program.seen)
            if ior:
                check_run(f"{name}: eg2_clt of {impl}", (client / "echo/eg2_clt", ior), *HELLO)
                if impl.startswith("echo"):
                    expect(program.line("Upcall: Hello!"), f"{name}: no upcall", program.seen)


def without_contracts(server, client, name):
    """Clients without stubs and servers without skeletons, with each other and with the others."""
    said = (('I said, "Hello!".', 1), ('The Echo object replied, "Hello!".', 1), ('I said, "Hello deferred!".', 1),
            ('The Echo object replied, "Hello deferred!".', 1), ("Response received.", 1))
    for impl in ("echo/eg2_impl", "dsi/echo_dsiimpl"):
        with running(server / impl, *ENDPOINT) as program:
            ior = program.line("IOR:")
            expect(ior, f"{name}: {impl} gave no reference", program.seen)
            if ior:
                check_run(f"{name}: echo_diiclt of {impl}", (client / "dii/echo_diiclt", ior), *said)
                check_run(f"{name}: eg2_clt of {impl}", (client / "echo/eg2_clt", ior), *HELLO)


def names(server, client, name):
    """What registers itself with a naming service, here omniORB's, and who looks for it there."""
    for impl in ("echo/eg3_impl", "echo/eg3_tieimpl"):
        with tempfile.TemporaryDirectory() as folder, running("omniNames", "-start", "-always", "-ignoreport", "-datadir",
                                                              folder, *ENDPOINT) as service:
            line = service.line_with("Root context is ")
            expect(line, f"{name}: omniNames gave no reference", service.seen)
            if not line:
                return
            where = ("-ORBInitRef", "NameService=" + line[line.index("IOR:"):])
            with running(server / impl, *where, *ENDPOINT):
                for _ in range(PATIENCE * 2):  # until it is registered
                    status, lines = run(client / "echo/eg3_clt", *where)
                    if all(lines.count(text) == count for text, count in HELLO):
                        break
                    time.sleep(0.5)
                else:
                    expect(False, f"{name}: eg3_clt of {impl} ended with {status}", lines)


def anys(server, client, name):
    with running(server / "anyExample/anyExample_impl", *ENDPOINT) as program:
        ior = program.line("IOR:")
        expect(ior, f"{name}: anyExample_impl gave no reference", program.seen)
        if ior:
            check_run(f"{name}: anyExample_clt", (client / "anyExample/anyExample_clt", ior),
                      ("Operation completed. Returned Any: ULong: 314", 4))
            for text in ("Long: 100", "Double: 1.2345", "String: Hello", "testStruct: l: 456", "            s: 8"):
                expect(program.line(text), f"{name}: anyExample_impl does not say '{text}'", program.seen)


def values(server, client, name):
    with running(server / "valuetype/simple/vserver", *ENDPOINT) as program:
        ior = program.line("IOR:")
        expect(ior, f"{name}: vserver gave no reference", program.seen)
        if ior:
            status, lines = run(client / "valuetype/simple/vclient", ior)
            expect(status == 0 and any(line.startswith("String: hello") for line in lines),
                   f"{name}: vclient ended with {status}", lines)


def call_back(server, client, name):
    with running(server / "call_back/cb_server", *ENDPOINT) as program:
        ior = program.line("IOR:")
        expect(ior, f"{name}: cb_server gave no reference", program.seen)
        if not ior:
            return
        once = (client / "call_back/cb_client", ior, *ENDPOINT)
        check_run(f"{name}: cb_client", once, ('cb_client: call_back("Hello!")', 1), ("cb_client: Returned.", 1))
        status, lines = run(client / "call_back/cb_client", ior, "1", "2", *ENDPOINT)
        expect(status == 0 and lines.count('cb_client: call_back("Hello!")') >= 1 and "cb_client: Finished." in lines,
               f"{name}: cb_client that registers ended with {status}", lines)
        check_run(f"{name}: cb_shutdown", (client / "call_back/cb_shutdown", ior))
        expect(program.line("cb_server: Returned from orb->run()."), f"{name}: cb_server goes on", program.seen)
        expect(program.end()[0] == 0, f"{name}: cb_server did not end well", program.seen)


def main_thread(server, client):
    """Its reference comes from _this(), which activates the servant in the root adapter, too: so any thread answers."""
    with running(server / "poa/threading/mainthread", *ENDPOINT) as program:
        ior = program.line("IOR:")
        expect(ior, "mainthread gave no reference", program.seen)
        expect(program.line("no work pending"), "mainthread does not say that there is nothing to do", program.seen)
        if ior:
            check_run("eg2_clt of mainthread", (client / "echo/eg2_clt", ior), *HELLO)
            expect(program.line("Upcall Hello!"), "mainthread does not tell of calls", program.seen)


def threads(programs):
    status, lines = run(programs / "thread/thrspecdata")
    expect(status == 0 and lines[-1:] and lines[-1].startswith("main: joined - got return value"), "thrspecdata", lines)
    # These never end, and one writes whole buffers only.
    for name, arguments, begins in (("diner", (), "Philosopher #4 is eating"), ("prodcons", (), "consumer"),
                                    ("prio", ("1000",), "h2: entering 2nd")):
        with running("stdbuf", "-oL", programs / "thread" / name, *arguments) as program:
            expect(program.line(begins), f"{name} says nothing of '{begins}'", program.seen)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corbel", type=pathlib.Path, help="folder of the programs built with Corbel")
    parser.add_argument("originals", type=pathlib.Path, help="folder of sources and programs of omniorb-doc")
    arguments = parser.parse_args()
    corbel, originals = arguments.corbel, arguments.originals

    built = {p.relative_to(corbel).as_posix() for p in corbel.rglob("*") if p.is_file()}
    known = {p.relative_to(originals).with_suffix("").as_posix() for p in originals.rglob("*.cc")}
    compiled_only = {name for name, why in WAITS.items() if why.endswith("(compiles)")}
    expect(known == (built - compiled_only) | set(WAITS), f"neither run nor waiting: {known - built - set(WAITS)}")
    expect(built & set(WAITS) == compiled_only, f"no longer waits: {(built & set(WAITS)) - compiled_only}")

    one = (('I said, "Hello!".', 1), ('The Echo object replied, "Hello!".', 1))
    for alone in ("echo/eg1", "poa/implicit_activation/eg1"):
        check_run(alone, (corbel / alone, *ENDPOINT), *one)
    # When a copy is deleted is the ORB's affair; how many are made and what the operation sees is not.
    coloc = [run(folder / "valuetype/simple/vcoloc", *ENDPOINT) for folder in (corbel, originals)]
    seen = [(status, sorted(lines), [line for line in lines if line.startswith(("op1", "String"))]) for status, lines in coloc]
    expect(seen[0] == seen[1] and seen[0][0] == 0, "vcoloc does not say what the original says",
           [*coloc[0][1], "original:", *coloc[1][1]])
    threads(corbel)
    main_thread(corbel, originals)
    for server, client, name in ((corbel, corbel, "Corbel alone"), (corbel, originals, "omniORB's client"),
                                 (originals, corbel, "omniORB's server")):
        for scene in (echo, without_contracts, names, anys, values, call_back):
            scene(server, client, name)
    for name, why in WAITS.items():
        print(f"{name} waits for {why}")
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
