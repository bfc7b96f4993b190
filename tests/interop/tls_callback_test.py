"""A callback whose reference demands TLS, beside a plain connection that offers to carry it: tls_callback_test.py SERVER CLIENT
[OMNIORB-TLS].

The client listens by TLS alone and calls a server over a plain connection on which it may be called back. Its objects have to be
called over TLS all the same: whoever offers an address on a plain connection may be anybody.
"""
import contextlib
import subprocess
import sys

import bidir_test
import pair
import tls_test
from support.certificates import Authority

RULE = "* ssl,tcp,bidir"
OPTIONS = {"-ORBtransports": "tcp,ssl", "-ORBclientTransportRule": RULE, "-ORBserverTransportRule": RULE}


def options(of):
    """What it is told for plain connections, with TLS among the transports."""
    words = list(of)
    for i in range(0, len(words), 2):
        words[i + 1] = OPTIONS.get(words[i], words[i + 1])
    return words


@contextlib.contextmanager
def plain_server(program, authority, library):
    words = tls_test.words(program, 2, authority, "server", "127.0.0.1")
    words[words.index("-ORBendPoint") + 1] = "giop:tcp:127.0.0.1:0"
    process = subprocess.Popen([*words, *options(bidir_test.SERVER[pair.orb_of(program)])], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True, preexec_fn=pair.die_with_parent,
                               env=tls_test.environment(program, library, ""))
    try:
        yield process.stdout.readline().strip()
        process.stdin.close()
        if process.wait(timeout=30) != 0:
            raise RuntimeError(f"the server ended with {process.returncode}")
    finally:
        process.kill()
        process.wait()


def main(server, client, library=""):
    host = pair.own_host()
    with Authority() as authority, plain_server(server, authority, library) as reference:
        given = options(bidir_test.CLIENT[pair.orb_of(client)])
        if "-ORBpublishHost" in given:
            given[given.index("-ORBpublishHost") + 1] = host
        with bidir_test.watching(host) as seen:
            called = subprocess.run([*tls_test.words(client, 2, authority, "client", host), *given, reference], timeout=100,
                                    preexec_fn=pair.die_with_parent, env=tls_test.environment(client, library, ""))
        if called.returncode != 0:
            return f"the client ended with {called.returncode}"
    return 0 if seen else "it was called back, but nobody came to where it listens"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
