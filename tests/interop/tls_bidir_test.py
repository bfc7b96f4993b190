"""Bidirectional GIOP on connections of TLS: tls_bidir_test.py SERVER CLIENT [OMNIORB-TLS].

TLS alone reaches the server, and takes its callbacks back: references to the client name a plain port, where nobody may come.
(A reference that demands TLS itself is never called over another's connection: nothing proves that whoever offers its address
has it. Corbel offers none, and does not take them.)
"""
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


def main(server, client, library="", server_host="127.0.0.1", preload=""):
    host = pair.own_host()
    server_options, client_options = (options(of[pair.orb_of(program)]) for of, program in
                                      ((bidir_test.SERVER, server), (bidir_test.CLIENT, client)))
    with Authority() as authority, tls_test.server_of(server, 2, authority, server_host, library, preload,
                                                      server_options) as (process, reference):
        words = [*tls_test.words(client, 2, authority, "client", host), *client_options, reference]
        words[words.index("-ORBendPoint") + 1] = f"giop:tcp:{host}:0"
        with bidir_test.watching(host) as seen:
            called = subprocess.run(words, timeout=100, preexec_fn=pair.die_with_parent,
                                    env=tls_test.environment(client, library, preload))
        if called.returncode != 0:
            return f"the client ended with {called.returncode}"
        if process.poll() is not None:
            return f"the server ended with {process.returncode}"
    return f"called back on a connection of its own: {seen}" if seen else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
