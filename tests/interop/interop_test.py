"""One cell of the matrix: interop_test.py SERVER CLIENT MINOR starts the server, runs the client in GIOP 1.MINOR.

With RELAY IDL INTERFACE behind these the client calls a relay, which has neither stubs nor skeletons, in the server's place.
"""
import contextlib
import sys

import pair


def main(server_program, client_program, minor, relay=None, *contract):
    with contextlib.ExitStack() as stack:
        process, reference, port = stack.enter_context(pair.server(server_program, minor))
        if relay:
            reference = stack.enter_context(pair.server(relay, minor, options=[*contract, reference]))[1]
        pair.run_client(client_program, minor, reference, port)
        if process.poll() is not None:
            return f"the server ended with {process.returncode}"
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
