"""The interoperability matrix: matrix_test.py PROGRAMS-DIR [OMNIORB-TLS] runs its cells and prints them, with reasons for those that cannot be.
What it prints it leaves in PROGRAMS-DIR/matrix.txt, too.

A cell is a GIOP version, a way of talking, a peer and a direction; each ORB is at its defaults but for what the way asks for. A
cut through it runs always, all of it where CORBEL_FULL is set. What is said in a cell that runs, over TLS too, is captured where
that is allowed, and tshark must find no fault with it.
"""
import os
import pathlib
import subprocess
import sys

import bidir_test
import capture_test
import pair
import tls_bidir_test
import tls_capture_test
import tls_test

VERSIONS = (0, 1, 2)
WAYS = ("plain", "both byte orders", "fragmented", "compressed", "TLS", "bidirectional", "bidirectional over TLS")
PEERS = ("omniorb", "jacorb", "glassfish")
FULL = "CORBEL_FULL" in os.environ
CI = os.environ.get("CI") == "true"
KEY_LOG = "libinterop-key-log.so"
UNSEEN = set()  # why there are no captures
# What Corbel, and what omniORB, is told besides.
OURS = {"fragmented": ["-ORBgiopFragmentSize", "1024"], "compressed": ["-ORBcompression", "1"]}
THEIRS = {"compressed": ["-ORBclientTransportRule", "* tcp,ziop", "-ORBserverTransportRule", "* tcp,ziop"]}
LEAST = 50  # requests in a cell
LEAST_COMPRESSED = 10  # of them and of replies
KINDS = {"compressed": ("ziop-", "ziop-"), "bidirectional": ("bidir-", "bidir-"), "TLS": ("tls-", ""),
         "bidirectional over TLS": ("tls-bidir-", "bidir-")}
FRAGMENTS = {"corbel": (2,), "omniorb": (1, 2), "jacorb": (), "glassfish": (1, 2)}  # the versions in which who sends them
JAVA = ("jacorb", "glassfish")  # which write big-endian


def programs(directory, orb, kind=""):
    """Server and client."""
    if orb in JAVA:
        client = "bidir" if kind else "client"
        found = [directory / orb / f"{orb}-{program}" for program in ("server", client)]
    else:
        found = [directory / f"interop-{orb}-{kind}{program}" for program in ("server", "client")]
    return [str(program) for program in found] if all(program.exists() for program in found) else None


def impossible(minor, way, peer):
    """Why there is no such cell, or None."""
    if way.startswith("bidirectional") and minor < 2:
        return "GIOP has it from 1.2 on"
    if way.startswith("bidirectional") and peer == "glassfish":
        return "GlassFish's ORB knows neither policy nor service context"
    if way == "compressed" and peer in JAVA:
        return "neither of Java's ORBs has ZIOP; the scripted peers write it as TAO does"
    if way == "compressed" and minor < 2:
        return ("ZIOP is for GIOP 1.2; what omniORB compresses of 1.1 nobody can read, and Corbel's references of 1.1 do not "
                "offer it")
    if way == "fragmented" and minor == 0:
        return "GIOP 1.0 has no fragments"
    if way == "fragmented" and minor == 1 and peer == "jacorb":
        return "JacORB sends no fragments of 1.1 and discards those of others, so Corbel sends none there"
    if way == "both byte orders" and peer not in JAVA:
        return "omniORB and Corbel write in the order of this machine, and have no switch for it; the scripted peers write both"
    return None


def remarks(minor, way, peer):
    """What else is to be known of a cell that ran."""
    if way == "fragmented" and minor == 1:
        yield "the peer's: Corbel sends none of 1.1"
    if way == "fragmented" and peer == "jacorb":
        yield "Corbel's: JacORB sends none of what these calls carry"
    if way == "compressed":
        yield ("by zlib, which is all that omniORB 4.2 has; it compresses each of its fragments by itself, and its client offers "
               "compressed replies in the first request of a connection alone")
    if way == "fragmented" and minor == 1 and peer == "glassfish":
        yield "by its setting ORBGIOP11BuffMgr=STRM; at its default it sends none there"
    if peer == "glassfish" and minor < 2:
        yield "less data: at its default GlassFish's ORB takes no message above 256,000 octets in GIOP 1.0 and 1.1"
    if way == "TLS" and minor == 0:
        yield ("by a reference of 1.0 that has its components in a profile of their own, put into these words by the test (JacORB alone "
               "writes such); the servers' calls back are in 1.2")
    if way == "TLS" and peer == "glassfish":
        yield "GlassFish's ORB has no TLS by itself: sockets, and the component in references, are the test's"


def in_cut(minor, way):
    """The others have tests of their own, or are like these."""
    return minor == 2 and way in ("fragmented", "both byte orders")


def run(directory, minor, way, peer, they_call, library, host, key_log=""):
    server_orb, client_orb = ("corbel", peer) if they_call else (peer, "corbel")
    ours, theirs = KINDS.get(way, ("", ""))
    servers, clients = (programs(directory, orb, ours if orb == "corbel" else theirs) for orb in (server_orb, client_orb))
    if not servers or not clients:
        return "not installed"
    os.environ.pop("CORBEL_TEST_LARGE", None)
    if peer == "glassfish" and minor < 2:
        os.environ["CORBEL_TEST_LARGE"] = "100000"
    os.environ["CORBEL_TEST_FRAGMENT"] = ""
    if way == "bidirectional":
        return bidir_test.main(servers[0], clients[1], host) or "ok"
    if way.endswith("TLS") and peer == "omniorb" and not library:
        return "not installed"
    if way == "bidirectional over TLS":
        return tls_bidir_test.main(servers[0], clients[1], library, host, key_log) or "ok"
    if way == "TLS":
        return tls_test.main(servers[0], clients[1], str(minor), library, host, key_log) or "ok"
    os.environ["CORBEL_TEST_FRAGMENT"] = "1024" if way == "fragmented" else ""  # GlassFish's; omniORB always sends
    options = [(OURS if orb == "corbel" else THEIRS).get(way, []) for orb in (server_orb, client_orb)]
    with pair.server(servers[0], minor, host, options=options[0]) as (process, reference, port):
        pair.run_client(clients[1], minor, reference, port, host, options=options[1])
        return "ok" if process.poll() is None else f"the server ended with {process.returncode}"


def run_before_tshark(directory, minor, way, *cell):
    """Runs it and has what was said dissected."""
    with capture_test.capturing(pair.own_host(78)) as capture:
        if isinstance(capture, str):
            UNSEEN.add(capture)
            return run(directory, minor, way, *cell, pair.own_host(78))
        os.environ["SSLKEYLOGFILE"] = capture.keys
        found = run(directory, minor, way, *cell, capture.host, str(directory / KEY_LOG))
        if found != "ok":
            return found
        if way.endswith("TLS") and not tls_capture_test.secrets_logged(capture):
            return "no secrets were logged"
        capture.stop()
        if problems := capture.malformed(way == "compressed", way == "fragmented" and minor == 1):
            return "\n".join(["tshark finds fault:", *problems[:20]])
        counts, _ = capture_test.messages_in(capture.file)
        if counts[minor, capture_test.REQUEST] < LEAST:
            return f"{counts[minor, capture_test.REQUEST]} requests were captured"
        if way == "fragmented":
            sent = capture_test.fragments_in(capture.file)
            peer, they_call = cell[:2]
            for orb, count in zip((peer, "corbel") if they_call else ("corbel", peer), sent):
                if minor in FRAGMENTS[orb] and not count:
                    return f"no fragment of {orb} was captured"
        if way == "compressed":
            zipped = capture_test.compressed_in(capture.file)
            few = [kind for kind in (capture_test.REQUEST, capture_test.REPLY) if zipped[kind] < LEAST_COMPRESSED]
            return f"hardly anything was compressed: {dict(zipped)}" if few else found
        orders = capture_test.orders_in(capture.file)
        both = all(orders[kind, little] for kind in (capture_test.REQUEST, capture_test.REPLY) for little in (False, True))
        return found if way != "both byte orders" or both else f"not both byte orders were captured: {dict(orders)}"


def cell(directory, minor, way, peer, they_call, library, reasons):
    """What is printed, and whether it is a failure."""
    def number(why):
        if why not in reasons:
            reasons.append(why)
        return f"({reasons.index(why) + 1})"

    if why := impossible(minor, way, peer):
        return number(why), False
    if not FULL and not in_cut(minor, way):
        return ".", False
    try:
        found = run_before_tshark(directory, minor, way, peer, they_call, library)
    except (RuntimeError, subprocess.SubprocessError) as problem:
        found = str(problem)
    # On machines of our own all peers are there; without this a program that has gone would take its cells with it.
    if found != "ok" and (found != "not installed" or CI):
        print(f"GIOP 1.{minor} {way}, {peer} {'calls' if they_call else 'is called'}: {found}", flush=True)
        return "FAILED", True
    return " ".join([found, *map(number, remarks(minor, way, peer))]) if found == "ok" else found, False


def main(directory, library=""):
    directory, reasons, failures = pathlib.Path(directory), [], 0
    library = "" if library.endswith("NOTFOUND") else library
    lines = [["", *(f"{peer} {arrow}" for peer in PEERS for arrow in ("calls", "is called"))]]
    for minor in VERSIONS:
        for way in WAYS:
            line = [f"GIOP 1.{minor} {way}"]
            for peer in PEERS:
                for they_call in (True, False):
                    text, failed = cell(directory, minor, way, peer, they_call, library, reasons)
                    line.append(text)
                    failures += failed
            lines.append(line)
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    said = ["  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip() for line in lines]
    said += [f"({number}) {why}" for number, why in enumerate(reasons, 1)]
    if not FULL:
        said.append(" .  in a test of its own, or with ./run test --full")
    said += [f"nothing was dissected: {why}" for why in UNSEEN]
    print(*said, sep="\n")
    (directory / "matrix.txt").write_text("\n".join(said) + "\n", encoding="utf-8")
    return failures + (len(UNSEEN) if CI else 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
