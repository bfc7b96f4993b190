"""Service contexts of interceptors between two ORBs: contexts_test.py SERVER CALLER MINOR.

What the caller's interceptor says arrives in the server's, and what that answers in the caller's.
"""
import subprocess
import sys
import tempfile

import pair

# A JacORB learns of its initializer by a property.
INITIALIZER = "org.omg.PortableInterceptor.ORBInitializerClass.interop.Contexts=interop.Contexts\n"


def main(server_program, caller_program, minor):
    with tempfile.NamedTemporaryFile("w", suffix=".properties") as properties:
        properties.write(INITIALIZER)
        properties.flush()
        options = {"jacorb": ["-ORBproperties", properties.name], "corbel": []}
        with pair.server(server_program, minor, options=options[pair.orb_of(server_program)]) as (_, reference, _):
            words = [*pair.arguments(caller_program, minor, "127.0.0.1"), *options[pair.orb_of(caller_program)], reference]
            done = subprocess.run(words, input="once\ntwice\n", capture_output=True, text=True, timeout=60,
                                  preexec_fn=pair.die_with_parent)
    answer = f"{pair.orb_of(server_program)} was told: {pair.orb_of(caller_program)} asks minus"
    wanted = [answer, "ok", answer, "ok"]
    if done.returncode != 0 or done.stdout.split("\n")[:-1] != wanted:
        return f"the caller said {done.stdout!r} where {wanted} was wanted, and {done.stderr!r}"
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
