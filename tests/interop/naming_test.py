"""naming_test.py OMNINAMES NAMECLT SERVER CLIENT: the client finds the server's object in omniORB's naming service."""
import subprocess
import sys
import tempfile
import time

import pair

TRIES = 100


def ask(nameclt, root, *words):
    """Tries until the naming service is up."""
    for _ in range(TRIES):
        done = subprocess.run([nameclt, "-ORBInitRef", f"NameService={root}", *words], capture_output=True, text=True,
                              timeout=30, preexec_fn=pair.die_with_parent)
        if done.returncode == 0:
            return
        time.sleep(0.1)
    raise RuntimeError(f"nameclt {words[0]} failed: {done.stderr}")


def main(omninames, nameclt, server, client):
    host = pair.own_host()
    with tempfile.TemporaryDirectory() as logs:
        naming = subprocess.Popen([omninames, "-start", "2809", "-ignoreport", "-logdir", logs, "-errlog", f"{logs}/errors",
                                   "-ORBendPoint", f"giop:tcp:{host}:2809"], preexec_fn=pair.die_with_parent)
        try:
            root = f"corbaloc::{host}/NameService"
            ask(nameclt, root, "bind_new_context", "here.context")
            for url, options in [(f"corbaname::{host}#here.context/object", []),
                                 (f"corbaname::1.2@{host}:2809/NameService#here.context/object", []),
                                 ("corbaname:rir:#here.context/object", ["-ORBInitRef", f"NameService={root}"]),
                                 ("corbaloc:rir:/object", ["-ORBDefaultInitRef", f"corbaname::{host}#here.context"])]:
                with pair.server(server, 2) as (_, reference, port):
                    ask(nameclt, root, "bind", "here.context/object", reference)
                    pair.run_client(client, 2, url, port, options=options)
                    ask(nameclt, root, "unbind", "here.context/object")
        finally:
            naming.kill()
            naming.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
