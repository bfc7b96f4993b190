"""One cell of the matrix: interop_test.py SERVER CLIENT MINOR starts the server, runs the client in GIOP 1.MINOR."""
import ctypes
import signal
import subprocess
import sys

SIZE = "200000000"


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def arguments(program, minor):
    words = [program, "-ORBmaxGIOPVersion", f"1.{minor}", "-ORBendPoint", "giop:tcp:127.0.0.1:0"]
    return words + (["-ORBgiopMaxMsgSize", SIZE] if "omniorb" in program else [])


def main(server_program, client_program, minor):
    server = subprocess.Popen(arguments(server_program, minor), stdout=subprocess.PIPE, text=True,
                              preexec_fn=die_with_parent)
    try:
        reference = server.stdout.readline().strip()
        if not reference.startswith("IOR:"):
            return "the server gave no reference"
        done = subprocess.run([*arguments(client_program, minor), reference], timeout=60, preexec_fn=die_with_parent)
        if done.returncode != 0:
            return f"the client ended with {done.returncode}"
        return 0 if server.poll() is None else f"the server ended with {server.returncode}"
    finally:
        server.kill()
        server.wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
