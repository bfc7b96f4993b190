"""Captures what a pair of ORBs says to each other and lets tshark, an independent reader, look for malformed messages.

capture_test.py IDL SERVER CLIENT: all operations in GIOP 1.0, 1.1 and 1.2, then the server's end. Skipped, loudly, where
nobody may capture; where CI decides that is a failure.
"""
import collections
import contextlib
import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import pair

SKIPPED = 77
REQUEST, REPLY, LOCATE_REQUEST, LOCATE_REPLY, CLOSE, ERROR, FRAGMENT = 0, 1, 3, 4, 5, 6, 7
LUA = pathlib.Path(__file__).with_name("giop_in_tls.lua")


def skip(reason):
    print(f"SKIPPED: {reason}: no traffic was dissected")
    return "CI needs it" if os.environ.get("CI") == "true" else SKIPPED


def keys_of(file):
    """Where the secrets of the TLS sessions in a capture are, if anybody has logged them (key_log.cc)."""
    return file + ".keys"


class Capture:
    def __init__(self, host, file):
        self.host, self.file, self.keys = host, file, keys_of(file)
        self.process = subprocess.Popen(["dumpcap", "-q", "-P", "-B", "64", "-i", "lo", "-f", f"tcp and host {host}", "-w", file],
                                        stderr=subprocess.PIPE, text=True, preexec_fn=pair.die_with_parent)

    def wait_until_it_sees(self):
        """True once packets arrive in the file."""
        deadline = time.monotonic() + 20
        with socket.create_server((self.host, 0)) as listener:
            while time.monotonic() < deadline and self.process.poll() is None:
                socket.create_connection(listener.getsockname()).close()
                if os.path.exists(self.file) and os.path.getsize(self.file) > 200:
                    return True
                time.sleep(0.1)
        return False

    def stop(self):
        size = -1
        while size != os.path.getsize(self.file):  # what is still on its way
            size = os.path.getsize(self.file)
            time.sleep(0.5)
        self.process.terminate()
        self.process.communicate(timeout=20)

    def malformed(self, compressed=False, fragments_without_id=False):
        """What tshark finds fault with. Of compressed messages it reads the header only, so that fragments of theirs that are not
        compressed mean nothing to it. Fragments of GIOP 1.1, which only peers send, carry no request id; tshark 4.0 looks
        for one, and where many are sent it takes some for parts of other messages: then nothing is looked at that it has put
        together, nor what begins a message in fragments. The first fragment of a large exception, as GlassFish's ORB sends with its
        stack, looks cut."""
        bad = ("(_ws.malformed || _ws.expert.severity == 0x00800000) && !(giop.type == 7 && giop.minor_version == 1)"
               " && !(giop.type == 1 && giop.replystatus == 2 && giop.flags.fragment == 1)")
        if compressed:
            bad += " && !(giop.type == 7)"
        if fragments_without_id:
            bad += " && !(giop.flags.fragment == 1 || giop.reassembled.length)"
        return [f"frame {frame}: {info}: {text}"
                for frame, info, text in dissect(self.file, bad, "frame.number", "_ws.col.Info", "_ws.expert.message")]


@contextlib.contextmanager
def one_processor():
    """For this process and those it starts. What goes from one processor to another by way of the loopback may overtake itself,
    and tshark takes the TCP segments in the order in which they were captured."""
    processors = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {random.choice(sorted(processors))})
    try:
        yield
    finally:
        os.sched_setaffinity(0, processors)


@contextlib.contextmanager
def capturing(host):
    """A capture of what that host says, or why there can be none."""
    if not shutil.which("tshark") or not shutil.which("dumpcap"):
        yield "tshark is not installed"
        return
    with tempfile.TemporaryDirectory() as directory:
        capture = Capture(host, os.path.join(directory, "capture.pcap"))
        try:
            if capture.wait_until_it_sees():
                with one_processor():
                    yield capture
            else:
                capture.process.terminate()
                said = capture.process.communicate(timeout=20)[1].strip()
                yield f"dumpcap sees nothing on the loopback interface ({said})"
        finally:
            capture.process.kill()
            capture.process.wait()


def dissect(file, display_filter, *fields):
    words = ["tshark", "-r", file, "-Y", display_filter, "-T", "fields"]
    if os.path.exists(keys_of(file)):
        words += ["-X", f"lua_script:{LUA}", "-o", f"tls.keylog_file:{keys_of(file)}", "-d", "tcp.port==1024-65535,tls"]
    else:
        words += ["-d", "tcp.port==1024-65535,giop"]
    for field in fields:
        words += ["-e", field]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60, check=True)
    return [line.split("\t") for line in done.stdout.splitlines()]


def compressed_in(file):
    """Counts types of compressed messages."""
    return collections.Counter(int(t, 0) for types, in dissect(file, "ziop", "ziop.message_type") for t in types.split(","))


def orders_in(file):
    """Counts (message type, whether it is little-endian)."""
    counts = collections.Counter()
    for types, orders in dissect(file, "giop", "giop.type", "giop.flags.little_endian"):
        counts.update((int(t, 0), order in ("1", "True")) for t, order in zip(types.split(","), orders.split(","), strict=True))
    return counts


def messages_in(file):
    """Counts (minor version, message type), and the names of the operations that requests carry."""
    counts, names = collections.Counter(), set()
    for types, minors, operations in dissect(file, "giop", "giop.type", "giop.minor_version", "giop.request_op"):
        kinds = [int(t, 0) for t in types.split(",") if t]
        versions = [int(m, 0) for m in minors.split(",") if m]
        for kind, version in zip(kinds, versions):
            counts[version, kind] += 1
        names.update(operations.split(","))
    return counts, names


def fragments_in(file):
    """How many clients and servers have sent, where the port that most replies come from is the server's."""
    frames = [([int(t, 0) for t in types.split(",") if t], from_, to) for types, from_, to in
              dissect(file, "giop", "giop.type", "tcp.srcport", "tcp.dstport")]
    replies = collections.Counter(from_ for types, from_, _ in frames if REPLY in types)
    port = replies.most_common(1)[0][0] if replies else None
    return [sum(types.count(FRAGMENT) for types, *ports in frames if ports[end] == port) for end in (1, 0)]


def operations_of(idl):
    """The names that requests of all its operations and attributes carry."""
    with open(idl, encoding="utf-8") as file:
        text = re.sub(r"//[^\n]*", "", file.read())
    names = set(re.findall(r"\b([a-z_]+)\s*\((?=\s*(?:\)|in |inout |out ))", text))
    for readonly, name in re.findall(r"(readonly )?attribute\s+[\w ]+?\s(\w+);", text):
        names.add(f"_get_{name}")
        if not readonly:
            names.add(f"_set_{name}")
    return names


def over_tcp(program):
    """What can be captured: on one host Corbel's programs would find shorter ways."""
    return () if pair.orb_of(program) == "omniorb" else ("-ORBtransports", "tcp")


def exercise(server, client, host):
    for minor in (0, 1, 2):
        with pair.server(server, minor, host, options=over_tcp(server)) as (process, reference, port):
            pair.run_client(client, minor, reference, port, host, options=over_tcp(client))
            idle = socket.create_connection((host, port))  # is told when the server ends
            time.sleep(0.2)
            process.stdin.close()
            idle.settimeout(20)
            while idle.recv(4096):
                pass
            idle.close()
            process.wait(timeout=20)


def complaints(capture, idl, server):
    problems, file = capture.malformed(), capture.file
    counts, names = messages_in(file)
    for minor in (0, 1, 2):
        if counts[minor, REQUEST] < 50 or counts[minor, REPLY] < 50:
            problems.append(f"GIOP 1.{minor}: {counts[minor, REQUEST]} requests and {counts[minor, REPLY]} replies seen")
    if missing := operations_of(idl) - names:
        problems.append(f"no request seen of {sorted(missing)}")
    if pair.orb_of(server) == "omniorb" and not counts[2, FRAGMENT]:
        problems.append("no fragment seen")
    if not sum(counts[minor, CLOSE] for minor in (0, 1, 2)):
        problems.append("no CloseConnection seen")
    if errors := sum(counts[minor, ERROR] for minor in (0, 1, 2)):
        problems.append(f"{errors} MessageErrors seen")
    print("seen:", {f"1.{minor} type {kind}": n for (minor, kind), n in sorted(counts.items())})
    return problems


def main(idl, server, client):
    with capturing(pair.own_host()) as capture:
        if isinstance(capture, str):
            return skip(capture)
        exercise(server, client, capture.host)
        capture.stop()
        problems = complaints(capture, idl, server)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
