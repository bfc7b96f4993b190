"""Corbel and JacORB, all contracts in one GIOP version: jacorb_test.py DIRECTION MINOR JACORB-DIR CORBEL-DIR [IDL...].

JacORB has one program for all contracts, Corbel one for each. With the contracts' files, in this order, nobody calls the server's
objects but relays of Corbel's, which have neither stubs nor skeletons, and the client calls these.
"""
import contextlib
import subprocess
import sys

import pair

CONTRACTS = ("", "rich-", "dynamic-", "deep-")
INTERFACES = ("Contract::Everything", "Rich::Server", "Dynamic::Maker", "Deep::Exchange")


def relayed(stack, minor, corbel, idl, references):
    """What stands for the objects with the client, if relays are wanted."""
    relays = [stack.enter_context(pair.server(f"{corbel}/interop-corbel-relay", minor, options=words))
              for words in zip(idl, INTERFACES, references)]
    return [reference for _, reference, _ in relays] or references


def corbel_calls_jacorb(minor, jacorb, corbel, idl):
    """The clients one after the other; those of every contract run, whatever the others find."""
    problems = []
    with contextlib.ExitStack() as stack:
        process, everything, port = stack.enter_context(pair.server(f"{jacorb}/jacorb-server", minor))
        references = [everything, *(process.stdout.readline().strip() for _ in CONTRACTS[1:])]
        for contract, reference in zip(CONTRACTS, relayed(stack, minor, corbel, idl, references)):
            try:
                pair.run_client(f"{corbel}/interop-corbel-{contract}client", minor, reference, port)
            except (RuntimeError, subprocess.TimeoutExpired) as problem:
                problems.append(f"{contract or 'first '}contract: {problem}")
        if process.poll() is not None:
            problems.append(f"the server ended with {process.returncode}")
    return problems


def jacorb_calls_corbel(minor, jacorb, corbel, idl):
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(pair.server(f"{corbel}/interop-corbel-{contract}server", minor))
                   for contract in CONTRACTS]
        first, *others = relayed(stack, minor, corbel, idl, [reference for _, reference, _ in servers])
        pair.run_client(f"{jacorb}/jacorb-client", minor, first, servers[0][2], others=others)
        return [f"a server ended with {process.returncode}" for process, _, _ in servers if process.poll() is not None]


def main(direction, minor, jacorb, corbel, *idl):
    calls = {"corbel-calls-jacorb": corbel_calls_jacorb, "jacorb-calls-corbel": jacorb_calls_corbel}[direction]
    return "\n".join(calls(minor, jacorb, corbel, idl)) or 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
