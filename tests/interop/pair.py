"""Starts the server and the client of a pair of ORBs, each as a process of its own."""
import contextlib
import ctypes
import os
import signal
import struct
import subprocess


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def own_host(net=77):
    """An address of the loopback network that only this test's processes use: a port there stays theirs."""
    number = os.getpid()
    return f"127.{net}.{number >> 8 & 255}.{number & 255 or 1}"


def orb_of(program):
    """By the program's own name; its folder may be called like another ORB."""
    name = os.path.basename(program)
    return next((orb for orb in ("omniorb", "jacorb", "glassfish") if orb in name), "corbel")


def arguments(program, minor, host, port=0):
    return [program, "-ORBmaxGIOPVersion", f"1.{minor}", "-ORBendPoint", f"giop:tcp:{host}:{port}"]


def port_of(reference, host):
    """The port in the first profile of an IOR: it follows the host, aligned to 2."""
    octets = bytes.fromhex(reference[4:])
    name = host.encode() + b"\0"
    at = octets.index(name) + len(name)
    return struct.unpack_from("<H" if octets[0] else ">H", octets, at + at % 2)[0]


@contextlib.contextmanager
def server(program, minor, host="127.0.0.1", port=0, options=()):
    """Gives (process, reference, port) of a server that is asked to end, and must, when the block is left.

    Unless the block has killed it.
    """
    words = arguments(program, minor, host, port) + [*options] + os.environ.get("CORBEL_TEST_SERVER_OPTIONS", "").split()
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               text=True, preexec_fn=die_with_parent)
    try:
        reference = process.stdout.readline().strip()
        if not reference.startswith("IOR:"):
            raise RuntimeError("the server gave no reference")
        yield process, reference, port_of(reference, host)
        process.stdin.close()
        if process.wait(timeout=30) not in (0, -signal.SIGKILL):
            raise RuntimeError(f"the server ended with {process.returncode}")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def run_client(program, minor, reference, port, host="127.0.0.1", others=(), options=()):
    options = [*options, *os.environ.get("CORBEL_TEST_CLIENT_OPTIONS", "").split()]
    words = [*arguments(program, minor, host), *options, reference, f"{host}:{port}", f"1.{minor}", *others]
    done = subprocess.run(words, timeout=60, preexec_fn=die_with_parent)
    if done.returncode != 0:
        raise RuntimeError(f"the client ended with {done.returncode}")
