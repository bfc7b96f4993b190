"""examples/event-loop: a server with another loop is called, counts seconds meanwhile, and ends in order."""
import ctypes
import re
import signal
import subprocess
import sys
import time

ENDPOINT = ("-ORBendPoint", "giop:tcp:127.0.0.1:0")


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def main():
    server_program, client_program = sys.argv[1:]
    with subprocess.Popen([server_program, *ENDPOINT], stdout=subprocess.PIPE, text=True, preexec_fn=die_with_parent) as server:
        reference = server.stdout.readline().strip()
        assert reference.startswith("IOR:"), reference
        for _ in range(3):
            done = subprocess.run([client_program, reference], capture_output=True, text=True, timeout=20, check=True)
            assert done.stdout.strip(), "the client printed nothing"
        time.sleep(1.1)  # a second of the loop's timer
        server.send_signal(signal.SIGTERM)
        last = server.stdout.read().strip()
        assert server.wait(timeout=20) == 0, server.returncode
    calls, seconds = map(int, re.fullmatch(r"(\d+) calls, (\d+) seconds", last).groups())
    assert calls >= 3, last
    assert seconds >= 1, last
    refused = subprocess.run([server_program, *ENDPOINT, "-ORBserverModel", "pool"], capture_output=True, text=True, timeout=20,
                             check=False)
    assert refused.returncode == 1 and "BAD_INV_ORDER" in refused.stderr, refused
    print("called, counted and ended")


if __name__ == "__main__":
    main()
