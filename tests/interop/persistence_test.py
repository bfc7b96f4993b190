"""Persistent references outlive their server: persistence_test.py [--keys FORMAT] SERVER SUCCESSOR CALLER...

SERVER is killed and SUCCESSOR started at its address; both are persistent_server, of any ORBs, Corbel's with keys of this
format. Callers that have talked to the first go on with the references that they hold; then both change places. A server
prints a dash for what it cannot do.
"""
import contextlib
import socket
import subprocess
import sys

import pair

HOST = pair.own_host(79)
NAMES = ["a user's id", "an id of any octets", "an id of none", "a system's id", "forwarded by a locator",
         "forwarded by an activator", "made by an activator", "forwarded by its servant", "transient"]
GONE = "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0 NO"


class Caller:
    """A process that holds references and calls the one whose number it is told."""

    def __init__(self, program, references):
        words = [*pair.arguments(program, 2, HOST), *references]
        self.name = program.rsplit("/", 1)[1]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        preexec_fn=pair.die_with_parent)

    def call(self, number):
        self.process.stdin.write(f"{number}\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def settled(self, number):
        """Beyond what the connection's end still says of calls to the server that was killed."""
        for _ in range(3):
            answer = self.call(number)
            if not answer.startswith(("IDL:omg.org/CORBA/COMM_FAILURE", "IDL:omg.org/CORBA/TRANSIENT")):
                break
        return answer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def serving(program, port, keys):
    options = ["-ORBkeyFormat", keys] if keys and pair.orb_of(program) == "corbel" else []
    with pair.server(program, 2, HOST, port, options) as (process, first, port):
        references = [first, *(process.stdout.readline().strip() for _ in NAMES[1:])]
        yield process, {name: text for name, text in zip(NAMES, references) if text != "-"}, port


def free_port():
    """omniORB lets a port that it has not been told be used again only when all of its connections are forgotten."""
    with socket.create_server((HOST, 0)) as listener:
        return listener.getsockname()[1]


def main(*arguments):
    arguments = list(arguments)
    keys = arguments.pop(1) if arguments[0] == "--keys" else None
    if keys:
        arguments.pop(0)
    programs, callers = arguments[:2], arguments[2:]
    problems, port = [], free_port()
    for server, successor in [programs, programs[::-1]]:
        with contextlib.ExitStack() as stack:
            with serving(server, port, keys) as (process, references, port):
                living = [stack.enter_context(Caller(program, references.values())) for program in callers]
                for caller in living:
                    for number, name in enumerate(references):
                        if (answer := caller.call(number)) != "ok":
                            problems.append(f"{caller.name}, {name}, before: {answer}")
                process.kill()
                process.wait()
            with serving(successor, port, keys):
                for caller in living:
                    for number, name in enumerate(references):
                        # omniORB takes no system's ids but those that it has made.
                        gone = name == "transient" or (
                            name == "a system's id" and
                            [pair.orb_of(program) for program in (server, successor)] == ["corbel", "omniorb"])
                        answer, wanted = caller.settled(number), GONE if gone else "ok"
                        if answer != wanted:
                            problems.append(f"{caller.name}, {name}, after {server} was followed by {successor}: {answer}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
