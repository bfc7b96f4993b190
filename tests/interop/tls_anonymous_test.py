"""A client that has no certificate calls a server that wants none: tls_anonymous_test.py SERVER CALLER [OMNIORB-TLS]."""
import subprocess
import sys

import pair
import tls_test
from support.certificates import Authority

HOST = "127.0.0.1"


def main(server, caller, library=""):
    with Authority() as authority, tls_test.server_of(server, 2, authority, HOST, library, "", certified=False) as (_, reference):
        words = tls_test.words(caller, 2, authority, "client", HOST, certified=False)
        called = subprocess.run([*words, reference], input="\n", stdout=subprocess.PIPE, text=True, timeout=60,
                                preexec_fn=pair.die_with_parent, env=tls_test.environment(caller, library, ""))
        if called.stdout != "ok\n" or called.returncode != 0:
            raise RuntimeError(f"the client ended with {called.returncode} and said {called.stdout}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
