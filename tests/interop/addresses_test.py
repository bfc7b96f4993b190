"""addresses_test.py SERVER CLIENT: a server with two endpoints, the first of which is gone, is found at the other."""
import os
import pathlib
import socket
import sys

import pair

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from tests.support import cdr, ior  # noqa: E402


def main(server, client):
    os.environ["CORBEL_TEST_SERVER_OPTIONS"] = "-ORBendPoint giop:tcp:127.0.0.1:0"
    with socket.socket() as gone, pair.server(server, 2) as (_, text, port):
        gone.bind(("127.0.0.1", 0))  # and never listens
        reference = ior.Ior.parse(text)
        profile, = reference.iiop()
        if ior.ALTERNATE_ADDRESS not in [tag for tag, _ in profile.components]:
            return "the reference has no second address"
        profile.port = gone.getsockname()[1]
        reference.profiles = [(ior.TAG_INTERNET_IOP, profile.encode(cdr.LITTLE))]
        pair.run_client(client, 2, reference.text(cdr.LITTLE), port)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
