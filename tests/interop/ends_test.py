"""A client that lives on while its server ends, dies and comes back at the same port: ends_test.py SERVER CALLER."""
import subprocess
import sys

import pair

HOST = pair.own_host()
COMM_FAILURE, TRANSIENT = ("IDL:omg.org/CORBA/COMM_FAILURE:1.0", "IDL:omg.org/CORBA/TRANSIENT:1.0")


class Caller:
    def __init__(self, program, port):
        words = [*pair.arguments(program, 2, HOST), f"corbaloc::{HOST}:{port}/Everything"]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        preexec_fn=pair.die_with_parent)

    def call(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def end(self):
        self.process.stdin.close()
        return self.process.wait(timeout=20)


def main(server, caller_program):
    problems = []

    def expect(what, answer, *allowed):
        if answer not in allowed:
            problems.append(f"{what}: {answer}, not {' or '.join(allowed)}")

    down = (f"{TRANSIENT} NO", f"{COMM_FAILURE} NO")
    with pair.server(server, 2, HOST) as (_, _, port):
        caller = Caller(caller_program, port)
        expect("first call", caller.call(), "ok")
    expect("after an end in good order", caller.call(), *down)
    with pair.server(server, 2, HOST, port):
        expect("after the restart", caller.call(), "ok")
    with pair.server(server, 2, HOST, port):  # the client does not notice: CloseConnection says that nothing is lost
        expect("across an end in good order", caller.call(), "ok")
        expect("the call after it", caller.call(), "ok")
    with pair.server(server, 2, HOST, port) as (process, _, _):
        expect("before the server is killed", caller.call(), "ok")
        process.kill()
        process.wait()
    expect("after it was killed", caller.call(), *down, f"{COMM_FAILURE} MAYBE")
    expect("the second call after it was killed", caller.call(), *down)
    with pair.server(server, 2, HOST, port):
        expect("after the last restart", caller.call(), "ok")
        expect("the client's end", str(caller.end()), "0")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
