"""What a pair of ORBs says over TLS, before the eyes of tshark: tls_capture_test.py IDL SERVER CLIENT KEY-LOG [OMNIORB-TLS].

The pair speaks what TLS it agrees on by itself (1.2 where OPENSSL_CONF keeps OpenSSL from 1.3); the end that uses OpenSSL logs its
secrets, for KEY-LOG is preloaded into it.
With them tshark must read every operation in GIOP 1.2, and find no fault with any message; without them, nothing.
"""
import contextlib
import os
import sys

import capture_test
import pair
import tls_test

MINOR = 2


def secrets_logged(capture):
    """Those of the version that is to be spoken: the labels say which it is."""
    with contextlib.suppress(FileNotFoundError), open(capture.keys, encoding="ascii") as lines:
        labels = {line.split()[0] for line in lines}
        return bool(labels) and all(("SECRET" in label) != ("OPENSSL_CONF" in os.environ) for label in labels)
    return False


def complaints(capture, idl):
    if not secrets_logged(capture):
        return ["no secrets of this version were logged"]
    problems = capture.malformed()
    counts, names = capture_test.messages_in(capture.file)
    for kind in (capture_test.REQUEST, capture_test.REPLY):
        if counts[MINOR, kind] < 50:
            problems.append(f"{counts[MINOR, kind]} messages of type {kind} seen")
    if missing := capture_test.operations_of(idl) - names:
        problems.append(f"no request seen of {sorted(missing)}")
    if errors := counts[MINOR, capture_test.ERROR]:
        problems.append(f"{errors} MessageErrors seen")
    print("seen:", {f"type {kind}": n for (_, kind), n in sorted(counts.items())})
    os.remove(capture.keys)
    if readable := +capture_test.messages_in(capture.file)[0]:
        problems.append(f"messages can be read without the secrets: {readable}")
    return problems


def main(idl, server, client, key_log, library=""):
    with capture_test.capturing(pair.own_host(79)) as capture:
        if isinstance(capture, str):
            return capture_test.skip(capture)
        os.environ["SSLKEYLOGFILE"] = capture.keys
        if failed := tls_test.main(server, client, str(MINOR), library, capture.host, key_log):
            return failed
        capture.stop()
        problems = complaints(capture, idl)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
