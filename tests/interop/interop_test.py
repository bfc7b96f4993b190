"""One cell of the matrix: interop_test.py SERVER CLIENT MINOR starts the server, runs the client in GIOP 1.MINOR."""
import sys

import pair


def main(server_program, client_program, minor):
    with pair.server(server_program, minor) as (process, reference, port):
        pair.run_client(client_program, minor, reference, port)
        if process.poll() is not None:
            return f"the server ended with {process.returncode}"
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
