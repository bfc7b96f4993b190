"""Who takes part in the soak: servers, the ways that lead to them, and clients."""

import collections
import dataclasses
import pathlib
import queue
import time

from tests.support import cdr, ior
from tests.support.lossy_link import FAR, NEAR
from tests.support.processes import Child
from tests.support.proxy import Proxy

THREADS, PACE = 2, 10000  # of a client, and microseconds between two calls of a thread
SERIAL = 10**12  # the entries of a client are its number times this and more
FATES = ("", "done", "sent", "yes", "no", "maybe", "wrong")
DONE = FATES.index("done")
GONE_ON = 6 * THREADS  # calls: so many more have been acknowledged only if new ones are
PATIENCE = 30  # seconds
MODELS = ("pool", "connection", "reactive")
# A peer that is gone is noticed soon, though what said so was lost.
KEEP_ALIVE = "-ORBtcpKeepAlive", "2", "-ORBtcpKeepAliveInterval", "1", "-ORBtcpKeepAliveProbes", "5"


def at(octets, n):
    """An octet of an array that is as long as has been needed so far."""
    return octets[n] if n < len(octets) else 0


def reach(octets, n):
    if n >= len(octets):
        octets.extend(bytes(n + 1024 - len(octets)))


def count_up(octets, n):
    reach(octets, n)
    octets[n] = min(octets[n] + 1, 255)


class Measured:
    """A process that is looked at again and again."""

    short_lived = False

    def sample(self):
        return {"kB": self.child.status("VmRSS"), "files": self.child.descriptors(), "threads": self.child.status("Threads"),
                "calls": self.calls}


@dataclasses.dataclass
class Way:
    """How a client reaches a server, by which of the server's addresses it does so, and whether it is called back by a
    connection of the server's own."""

    reference: str
    options: tuple
    route: str
    called_back: bool = True


class LedgerServer(Measured):
    """Its addresses stay, and so does its file, whichever process it is just now. Without a model it will be killed, and each
    of its processes has the next one."""

    def __init__(self, place, name, number, model=None):
        self.place, self.name, self.model = place, name, model
        self.short_lived = model is None
        self.file, self.shared = pathlib.Path(place.folder, name), f"{place.folder.name}-{name}"
        self.port, self.tls_port = place.ports(number)
        self.lives, self.callers = 0, []
        self.start()
        self.seen = set()  # the first octets of messages: whose, and of which version
        self.link = Proxy(self.port, place.host)
        self.tap = Proxy(self.port, place.host, watch=self._watch)
        self._lead_here()

    @property
    def calls(self):
        return sum(caller.calls for caller in self.callers)

    def start(self):
        addresses = [f"tcp:{self.place.host}:{self.port}", f"unix:{self.file}.socket", f"shm:{self.shared}",
                     f"ssl:{self.place.host}:{self.tls_port}"]
        words = [word for address in addresses for word in ("-ORBendPoint", f"giop:{address}")]
        if self.place.network:
            words += ["-ORBendPointNoPublish", f"giop:tcp:{NEAR}:{self.port}"]
        model = self.model or MODELS[self.lives % len(MODELS)]
        # A server that is killed has carried out most calls that it has not answered.
        pause = ["2000"] if self.short_lived else []
        self.child = Child(self.place.programs / "faults" / "faults-server", self.file, *pause, *words,
                           "-ORBserverModel", model, "-ORBsslKeyFile", self.place.key, "-ORBsslClientCertificates", "none",
                           "-ORBcompression", "1", "-ORBacceptBiDirectionalGIOP", "1", *KEEP_ALIVE,
                           "-ORBmessageTimeout", "1000", "-ORBwriteTimeout", "1000",
                           # Without it connections to clients that are gone would be looked for only once there are many.
                           "-ORBoutConScanPeriod", "3")
        self.child.line()
        self.reference = self.child.line()
        self.lives += 1
        self.began = time.monotonic()
        for caller in self.callers:
            caller.drain()
        self._before = [(caller, caller.acknowledged) for caller in self.callers]

    def behind(self):
        """Callers that have not got through to this process yet."""
        self._before = [(c, n) for c, n in self._before if not c.killed and c.acknowledged < n + GONE_ON]
        return [caller for caller, _ in self._before]

    def forgive(self):
        self._before = []

    def _watch(self, data):
        if data[:4] in (b"GIOP", b"ZIOP"):
            self.seen.add(data[:6])

    def _lead_here(self):
        host, profile = self.place.host, ior.Ior.parse(self.reference).iiop()[0]
        profile.host, profile.port = "127.0.0.1", self.tap.port
        tapped = str(ior.Ior("", [(ior.TAG_INTERNET_IOP, profile.encode(cdr.LITTLE))]))
        tcp, direct, tap = ("-ORBtransports", "tcp"), f"{host}:{self.port}", f"127.0.0.1:{self.tap.port}"
        link = f"127.0.0.1:{self.link.port}"
        self.ways = {
            "tcp": Way(f"corbaloc::{direct}/Ledger", tcp, "tcp"),
            "bidirectional": Way(f"corbaloc::{direct}/Ledger", (*tcp, "-ORBofferBiDirectionalGIOP", "1"), "tcp", False),
            "giop-1.0": Way(f"corbaloc:iiop:1.0@{tap}/Ledger", tcp, "tap"),
            "giop-1.1": Way(f"corbaloc:iiop:1.1@{tap}/Ledger", tcp, "tap"),
            "compressed": Way(tapped, (*tcp, "-ORBcompression", "1"), "tap"),
            "link": Way(f"corbaloc::{link}/Ledger", (), "link"),
            "tls": Way(self.reference, ("-ORBtransports", "ssl,tcp", "-ORBsslCAFile", self.place.ca), "ssl"),
            "unix": Way(self.reference, ("-ORBtransports", "unix"), "unix"),
            "shm": Way(self.reference, ("-ORBtransports", "shm"), "shm"),
            "preferred": Way(self.reference, (), "shm"),
        }
        self._routes = {direct: "tcp", tap: "tap", link: "link", f"{host}:{self.tls_port}": "ssl",
                        f"{FAR}:{self.port}": "lossy", f"{self.file}.socket": "unix", f"@corbel-shm-{self.shared}": "shm"}
        if self.place.network:
            # It is called back over the link, too.
            lossy = *tcp, "-ORBpublishHost", FAR, *KEEP_ALIVE
            self.ways["lossy"] = Way(f"corbaloc::{FAR}:{self.port}/Ledger", lossy, "lossy")

    def route(self, peer):
        """Which of the server's addresses this is; if none, the server has connected to a client."""
        return self._routes.get(peer, "back")

    def entries(self):
        """How often each entry was written down: by client, octets by the entry's number."""
        found = collections.defaultdict(bytearray)
        with self.file.open() as file:
            for line in file:
                serial, n = divmod(int(line), SERIAL)
                count_up(found[serial], n)
        return found


class Caller(Measured):
    """A paced client whose calls are accounted for."""

    serial = 0

    def __init__(self, server, way, *options):
        Caller.serial += 1
        self.serial = Caller.serial
        self.server, self.name, self.way = server, f"{way} to {server.name}", server.ways[way]
        self.child = Child(server.place.programs / "faults" / "faults-client", self.way.reference, THREADS,
                           self.serial * SERIAL, PACE, "mirror", *self.way.options, *options)
        self.fates = bytearray()  # by the entry's number
        self.acknowledged = self.calls = 0
        self.killed = False
        self.routes = set()
        server.callers.append(self)

    def take(self, line):
        fate, *words = line.split(" ")
        if fate != "end":
            n = int(words[0]) - self.serial * SERIAL
            reach(self.fates, n)
            self.fates[n] = FATES.index(fate)
            self.calls += 1
            self.acknowledged += self.fates[n] == DONE

    def drain(self):
        while (line := self.child.waiting_line()) is not None:
            self.take(line)

    def look(self, sockets):
        self.routes |= {self.server.route(peer) for peer in sockets.peers(self.child.pid)}

    def no_more(self):
        self.child.process.stdin.close()

    def end(self):
        """What is wrong with its end."""
        try:
            while True:
                self.take(self.child.line(PATIENCE))
        except EOFError:
            status = self.child.process.wait()
            return f"ended with {status}" if status else None
        except queue.Empty:
            return "does not end"

    def kill(self):
        self.child.kill()
        self.drain()
        self.killed = True
