#!/usr/bin/env python3
"""Mixed load with faults for a long time: memory, descriptors and threads stay flat, no acknowledged call is lost and none
is doubled.

Three servers live from the beginning to the end: with a pool of threads, with one for each connection, reactive. A fourth is
killed (-9) again and again and started anew, each time with another of these models, at the same addresses and with the same
file. Clients call them in every way: by TCP in each version of GIOP, called back on their own connection or another, through a
link that fails, over a network that loses packets, by TLS, compressed, by unix sockets and by shared memory: small and large
calls, one-ways, calls that call back, with and without limits of time; others attack them. For each way one client lives as
long as the servers do, and must have gone that way and no other. What they all have is written down every few seconds
(soak.csv) and judged at the end: after the first third nothing may grow any more.

All of it runs in a network of its own (a network namespace), where packets are lost on a tun device. Where that is not
permitted, the soak fails, unless it is told to do without.
"""

import argparse
import contextlib
import dataclasses
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.soak.actors import GONE_ON, MODELS, PATIENCE, Caller, LedgerServer  # noqa: E402
from tests.soak.judgement import WARM, accounts, enough, figures, judge, versions_seen, ways_taken  # noqa: E402
from tests.soak.network import Network  # noqa: E402
from tests.soak.routes import Sockets  # noqa: E402
from tests.support import cdr, giop, peer  # noqa: E402
from tests.support.certificates import Authority  # noqa: E402
from tests.support.namespace import UNSHARE  # noqa: E402

SAMPLE = 2.0  # seconds between two
FAULT = 0.3  # seconds that one lasts
LIFE = 2.0  # seconds that a server has at least before it is killed
MORTAL_WAYS = ("tcp", "bidirectional", "tls", "unix", "shm", "lossy")  # of which a client outlives the server that is killed
OWN_NETWORK = "SOAK_NETWORK"


@dataclasses.dataclass
class Place:
    """What the servers have in common."""

    programs: pathlib.Path
    folder: pathlib.Path
    ca: pathlib.Path
    key: pathlib.Path
    host: str
    network: Network | None

    @staticmethod
    def ports(number):
        """Below those that clients are given, so that none is taken while a server is away; nobody else is at this host."""
        return 21000 + 2 * number, 21001 + 2 * number


def attack(server, rng):
    """One of the ways in which clients are a nuisance."""
    with contextlib.suppress(OSError, EOFError), peer.connect(server.place.host, server.port) as hostile:
        ping = giop.Request(1, "_non_existent", b"Ledger").message(2, cdr.LITTLE).bytes()
        kind = rng.randrange(5)
        if kind == 0:
            hostile.send(rng.randbytes(rng.randrange(1, 2000)))
        elif kind == 1:
            hostile.send(ping[: rng.randrange(len(ping))])
            hostile.reset()
        elif kind == 2:
            hostile.send(b"GIOP\1\2\1\0" + (0x7FFFFF00).to_bytes(4, "little") + bytes(rng.randrange(20_000)))
        elif kind == 3:
            hostile.send(*[ping] * 200)
        else:
            for i in range(100):
                hostile.send(giop.fragmented(giop.Request(i, "exchange", b"Ledger", arguments=bytes(5000)).message(
                    2, cdr.LITTLE), 1000)[0])


@dataclasses.dataclass
class Load:
    """Whom faults befall."""

    rng: random.Random
    network: Network | None
    servers: list
    steady: list
    passing: list
    faults: list = dataclasses.field(default_factory=list)
    begun: int = 0
    kills: int = 0

    @property
    def callers(self):
        return self.steady + self.passing

    def add(self, server):
        """A client that will be killed some time."""
        timeout = ["-ORBclientCallTimeOutPeriod", "200"] if self.rng.random() < 0.5 else []
        back = ["-ORBofferBiDirectionalGIOP", "1"] if self.rng.random() < 0.5 else []
        self.passing.append(Caller(server, self.rng.choice(list(server.ways)), *timeout, *back))

    def replace(self):
        caller = self.passing.pop(self.rng.randrange(len(self.passing)))
        caller.kill()
        self.add(caller.server)


def reset(load, server):
    server.link.reset()


def partition(load, server):
    server.link.held = True
    time.sleep(FAULT)
    server.link.held = False


def slow(load, server):
    server.link.delay = 0.01
    time.sleep(FAULT)
    server.link.delay = 0


def stop(load, server):
    halt(server.child)


def stop_client(load, server):
    halt(load.rng.choice([c for c in load.callers if c.server is server]).child)


def halt(child):
    child.process.send_signal(signal.SIGSTOP)
    time.sleep(FAULT)
    child.process.send_signal(signal.SIGCONT)


def attacks(load, server):
    for _ in range(10):
        attack(server, load.rng)


def kill(load, server):
    """Only once all have got through to what was started the last time."""
    mortal = next(s for s in load.servers if s.short_lived)
    if not mortal.child.alive() or mortal.behind() or time.monotonic() - mortal.began < LIFE:
        return
    mortal.child.kill()
    time.sleep(load.rng.random() * FAULT)
    mortal.start()
    load.kills += 1


def lose(load, server):
    disturb(load.network, loss=0.3)


def cut(load, server):
    disturb(load.network, loss=1)


def disorder(load, server):
    disturb(load.network, delay=0.01, late=0.3, doubled=0.2)


def disturb(network, **how):
    network.set(**how)
    time.sleep(FAULT)
    network.calm()


def trouble(load):
    """A fault, and its end."""
    kinds = [reset, partition, slow, stop, stop_client, attacks, kill, kill, *([lose, cut, disorder] if load.network else [])]
    if load.kills == 0:  # however few faults a slow machine has time for
        kill(load, None)
    load.rng.choice(kinds)(load, load.rng.choice(load.servers))
    load.begun += 1


def check_that_all_go_on(load):
    for server in load.servers:
        if server.short_lived and time.monotonic() - server.began > PATIENCE and (behind := server.behind()):
            load.faults += [f"{c.name}: has not got through to process {server.lives} of its server" for c in behind]
            server.forgive()


def wait_until_all_have_gone_on(load):
    """Without any more faults, but for packets that are lost. By then all have been called back."""
    goals = {caller: caller.acknowledged + 2 * GONE_ON for caller in load.callers}
    until = time.monotonic() + PATIENCE
    while goals and time.monotonic() < until:
        time.sleep(0.05)
        for caller in load.callers:
            caller.drain()
        goals = {caller: goal for caller, goal in goals.items() if caller.acknowledged < goal}
    load.faults += [f"{caller.name}: does not go on" for caller in goals]
    look_where_they_go(load)


def look_where_they_go(load):
    sockets = Sockets()
    for caller in load.steady:
        if caller.child.alive():
            caller.look(sockets)


def run(load, minutes, table):
    """The load, and faults; gives what the processes had."""
    print("seconds,process,kB,files,threads,calls", file=table)
    samples = {process: [] for process in load.servers + load.steady}
    begin = sampled = said = time.monotonic()
    end, pause = begin + minutes * 60, min(SAMPLE, minutes * 60 / 9)  # thirds of three samples at least
    while (now := time.monotonic()) < end:
        trouble(load)
        if load.rng.random() < 0.1:  # a client is killed, another comes
            load.replace()
        for caller in load.callers:
            caller.drain()
        check_that_all_go_on(load)
        if ended := [p.name for p in load.servers + load.callers if not p.child.alive()]:
            load.faults += [f"{name}: has ended by itself" for name in ended]
            break
        if now - sampled >= pause:
            sampled = now
            look_where_they_go(load)
            for process, taken in samples.items():
                taken.append({"seconds": now - begin, **process.sample()})
                print("{seconds:.0f},{name},{kB},{files},{threads},{calls}".format(name=process.name, **taken[-1]), file=table)
        if now - said >= 30:
            said = now
            print(f"{(now - begin) / 60:5.1f} min  {load.begun} faults, {load.kills} kills  " + "  ".join(
                f"{p.name}: {taken[-1]['kB']} kB, {taken[-1]['files']} files, {taken[-1]['threads']} threads"
                for p, taken in samples.items() if p in load.servers), flush=True)
    return samples


def verdict(load, samples, minutes):
    """All that is wrong."""
    faults = list(load.faults)
    for caller in load.callers:
        caller.no_more()
    faults += [f"{caller.name}: a client {wrong}" for caller in load.callers if (wrong := caller.end())]
    for server in load.servers:
        faults += accounts(server)
    if not enough(samples):
        return faults + ["too few figures"]
    for process, taken in samples.items():
        faults += judge(process, taken, minutes)
    for caller in load.steady:
        faults += ways_taken(caller)
    faults += versions_seen(load.servers)
    if load.kills == 0:
        faults.append("no server was killed")
    return faults


def enter_own_network(words):
    """Goes on as another program in a network of its own."""
    if os.environ.get(OWN_NETWORK):
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        return
    if subprocess.run([*UNSHARE, "true"], check=False).returncode != 0:
        give_up("a network namespace is not permitted")
    os.environ[OWN_NETWORK] = "1"
    os.execvp(UNSHARE[0], [*UNSHARE, sys.executable, "-B", __file__, *words])


def lossy_network(seed):
    try:
        return Network(seed)
    except EOFError:  # it has said why
        give_up("there can be no tun device")


def give_up(why):
    sys.exit(f"soak: PACKETS CANNOT BE LOST HERE: {why}. Nothing was run; --without-packet-loss runs all else.")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the faults' order (printed)")
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build" / "release" / "tests")
    parser.add_argument("--csv", type=pathlib.Path, default=pathlib.Path("soak.csv"))
    parser.add_argument("--without-packet-loss", action="store_true", help="in this host's network, where none is lost")
    return parser.parse_args()


def main():
    options = parse_arguments()
    if not options.without_packet_loss:
        enter_own_network(sys.argv[1:])
    # What the processes keep is looked at, not what the C library does.
    os.environ["GLIBC_TUNABLES"] = "glibc.malloc.mmap_threshold=131072"
    print(f"{options.minutes:g} minutes, --seed {options.seed}", flush=True)
    with contextlib.ExitStack() as running:
        folder = pathlib.Path(running.enter_context(tempfile.TemporaryDirectory(prefix="corbel-soak-")))
        table = running.enter_context(options.csv.open("w"))
        authority = running.enter_context(Authority())
        host = f"127.79.{os.getpid() >> 8 & 255}.{os.getpid() & 255 or 1}"  # nobody else's
        network = None if options.without_packet_loss else lossy_network(options.seed)
        place = Place(options.programs, folder, authority.ca, authority.issue("servers", f"IP:{host}"), host, network)
        servers = [LedgerServer(place, model, number, model) for number, model in enumerate(MODELS)]
        servers.append(LedgerServer(place, "killed", len(MODELS)))
        # In turns, so that each way meets each model in some run.
        steady = [Caller(servers[(options.seed + i) % len(MODELS)], way) for i, way in enumerate(servers[0].ways)]
        steady += [Caller(servers[-1], way) for way in servers[-1].ways if way in MORTAL_WAYS]
        load = Load(random.Random(options.seed), network, servers, steady, [])
        for server in servers:
            for _ in range(2):
                load.add(server)
        samples = run(load, options.minutes, table)
        wait_until_all_have_gone_on(load)
        faults = verdict(load, samples, options.minutes)
        calls = sum(caller.acknowledged for server in servers for caller in server.callers)
        for child in [c.child for c in load.callers] + [s.child for s in servers]:
            child.kill()
        for server in servers:
            server.link.__exit__()
            server.tap.__exit__()
        lost = network.close() if network else None
    if enough(samples):
        print(figures(samples))
    if lost == 0:
        faults.append("no packet was lost")
    packets = "NO PACKET WAS TO BE LOST (--without-packet-loss)" if lost is None else f"{lost} packets lost"
    print(f"{calls} calls acknowledged, {load.begun} faults, {load.kills} servers killed, {packets}")
    print("\n".join(faults) if faults else "nothing lost, nothing doubled, " + (
        "memory, descriptors and threads flat" if options.minutes >= WARM else "and no excess"))
    return 1 if faults or calls == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
