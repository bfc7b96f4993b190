"""Bidirectional GIOP between two ORBs: bidir_test.py [--by-policy] SERVER CLIENT.

Corbel is told so by its options or, with --by-policy, by the policy of its adapters alone.

The client listens where nobody else does, and nobody may come there: callbacks take the client's own connection. Where
the ORB can be told so, its references even name a host that cannot be found.
"""
import contextlib
import os
import pathlib
import socket
import struct
import subprocess
import sys
import threading

import pair

NOBODY = "callback.invalid"
RULE = "* unix,tcp,bidir"
ESTABLISHED = "01"
# What either ORB is told besides.
SERVER = {
    "corbel": ["-ORBacceptBiDirectionalGIOP", "1", "-ORBtransports", "tcp"],
    "omniorb": ["-ORBacceptBiDirectionalGIOP", "1", "-ORBserverTransportRule", RULE, "-ORBclientTransportRule", RULE],
    "jacorb": ["-ORBbidirectional", "1"],
}
CLIENT = {
    "corbel": ["-ORBofferBiDirectionalGIOP", "1", "-ORBpublishHost", NOBODY, "-ORBtransports", "tcp"],
    "omniorb": ["-ORBofferBiDirectionalGIOP", "1", "-ORBclientTransportRule", RULE, "-ORBserverTransportRule", RULE],
    "jacorb": ["-ORBbidirectional", "1"],
}


BY_OPTION = {"-ORBacceptBiDirectionalGIOP", "-ORBofferBiDirectionalGIOP"}


def prefer_policy():
    """The options of Corbel's that say it are left out, and its programs learn that the policy is to say it."""
    os.environ["BIDIRECTIONAL_POLICY"] = "1"
    for options in (SERVER["corbel"], CLIENT["corbel"]):
        at = next(i for i, option in enumerate(options) if option in BY_OPTION)
        del options[at:at + 2]


def visitors(host):
    """Connections that others have made to this address."""
    address = f"{struct.unpack('=I', socket.inet_aton(host))[0]:08X}:"
    for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, local, _, state, *_ = line.split()
        if local.startswith(address) and state == ESTABLISHED:
            yield local


@contextlib.contextmanager
def watching(host):
    """A list of those who come to this address while the block lasts."""
    seen, done = [], threading.Event()

    def watch():
        while not done.wait(0.02):
            seen.extend(visitors(host))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield seen
    finally:
        done.set()
        watcher.join()


def main(server_program, client_program, server_host="127.0.0.1"):
    host = pair.own_host()
    with pair.server(server_program, 2, server_host, options=SERVER[pair.orb_of(server_program)]) as (process, reference, _):
        words = [*pair.arguments(client_program, 2, host), *CLIENT[pair.orb_of(client_program)], reference]
        with watching(host) as seen:
            status = subprocess.run(words, timeout=100, preexec_fn=pair.die_with_parent).returncode
        if status != 0:
            return f"the client ended with {status}"
        if process.poll() is not None:
            return f"the server ended with {process.returncode}"
    return f"called back on a connection of its own: {seen}" if seen else 0


if __name__ == "__main__":
    programs = sys.argv[1:]
    if programs[0] == "--by-policy":
        prefer_policy()
        programs = programs[1:]
    sys.exit(main(*programs))
