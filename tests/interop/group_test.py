"""Groups of persistent objects: group_test.py [--keys FORMAT] GROUP MEMBER MEMBER CALLER...

GROUP makes a reference of those of two members, persistent_servers with the same keys. Callers that hold it go on with the
second when the first is killed.
"""
import contextlib
import subprocess
import sys

from persistence_test import Caller, serving


def main(*arguments):
    arguments = list(arguments)
    keys = None
    if arguments[0] == "--keys":
        keys, arguments = arguments[1], arguments[2:]
    group_program, first, second, *callers = arguments
    problems = []
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(serving(program, 0, keys)) for program in (first, second)]
        members = [next(iter(references.values())) for _, references, _ in servers]
        made = subprocess.run([group_program, "-1", *members], stdout=subprocess.PIPE, text=True, check=True, timeout=60)
        living = [stack.enter_context(Caller(program, [made.stdout.strip()])) for program in callers]
        for caller in living:
            if (answer := caller.call(0)) != "ok":
                problems.append(f"{caller.name}, both there: {answer}")
        servers[0][0].kill()
        servers[0][0].wait()
        for caller in living:
            if (answer := caller.settled(0)) != "ok":
                problems.append(f"{caller.name}, the first gone: {answer}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
