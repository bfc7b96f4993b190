"""Corbel and JacORB, all contracts in one GIOP version: jacorb_test.py DIRECTION MINOR JACORB-DIR CORBEL-DIR.

JacORB has one program for all contracts, Corbel one for each.
"""
import contextlib
import subprocess
import sys

import pair

CONTRACTS = ("", "rich-", "dynamic-", "deep-")


def corbel_calls_jacorb(minor, jacorb, corbel):
    """The clients one after the other; those of every contract run, whatever the others find."""
    problems = []
    with pair.server(f"{jacorb}/jacorb-server", minor) as (process, everything, port):
        references = [everything, *(process.stdout.readline().strip() for _ in CONTRACTS[1:])]
        for contract, reference in zip(CONTRACTS, references):
            try:
                pair.run_client(f"{corbel}/interop-corbel-{contract}client", minor, reference, port)
            except (RuntimeError, subprocess.TimeoutExpired) as problem:
                problems.append(f"{contract or 'first '}contract: {problem}")
        if process.poll() is not None:
            problems.append(f"the server ended with {process.returncode}")
    return problems


def jacorb_calls_corbel(minor, jacorb, corbel):
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(pair.server(f"{corbel}/interop-corbel-{contract}server", minor))
                   for contract in CONTRACTS]
        first, *others = (reference for _, reference, _ in servers)
        pair.run_client(f"{jacorb}/jacorb-client", minor, first, servers[0][2], others=others)
        return [f"a server ended with {process.returncode}" for process, _, _ in servers if process.poll() is not None]


def main(direction, minor, jacorb, corbel):
    calls = {"corbel-calls-jacorb": corbel_calls_jacorb, "jacorb-calls-corbel": jacorb_calls_corbel}[direction]
    return "\n".join(calls(minor, jacorb, corbel)) or 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
