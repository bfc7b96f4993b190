"""Latency and bulk data over TLS, against bare OpenSSL on a socket."""

import contextlib
import pathlib
import subprocess
import tempfile

from . import giop_tap
from .programs import NotMeasured, cpu_of, finish, start


@contextlib.contextmanager
def certificate():
    """A file with a certificate of 127.0.0.1 and its key, made for this measurement."""
    with tempfile.TemporaryDirectory(prefix="corbel-bench-") as folder:
        key = pathlib.Path(folder) / "key.pem"
        made = subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                               "-keyout", key, "-out", f"{key}.crt", "-subj", "/CN=bench", "-days", "2", "-addext",
                               "subjectAltName=IP:127.0.0.1"], capture_output=True, text=True, check=False)
        if made.returncode != 0:
            raise NotMeasured(f"openssl: {made.stderr[-300:]}")
        key.write_text(key.read_text() + pathlib.Path(f"{key}.crt").read_text())
        yield str(key)


class TlsBenches:
    """Each method gives a dictionary of unit and value."""

    def __init__(self, programs, quick):
        self._programs = programs
        self._calls = 10_000 if quick else 50_000
        self._total = 64_000_000 if quick else 512_000_000
        self._sizes = None

    def latency(self, _case, peer, placement):
        if peer == "raw":
            if self._sizes is None:
                self._sizes = giop_tap.void_call_sizes(self._programs, "corbel")
            request, reply = self._sizes
            return self._raw("raw-tls-pingpong", placement, ("--request", request, "--reply", reply),
                             ("--calls", self._calls))
        return self._orb(placement, "latency", "--calls", self._calls)

    def flood(self, case, peer, placement):
        kind, size, direction, _ = case.split("/")
        if peer == "raw":
            options = ("--direction", direction, "--size", size, "--buffers", self._total // int(size))
            return self._raw("raw-tls-flood", placement, options, ())
        return self._orb(placement, "flood", "--type", kind, "--size", size, "--direction", direction, "--total",
                         self._total)

    def _orb(self, placement, mode, *options):
        with certificate() as key:
            serving = {"CORBEL_END_POINT": "giop:ssl:127.0.0.1:0", "CORBEL_SSL_KEY_FILE": key}
            calling = {"CORBEL_SSL_CAFILE": key, "CORBEL_TRANSPORTS": "ssl"}
            with self._programs.orb_server("corbel-tls", placement, env=serving) as (server, reference):
                result = self._programs.client("corbel-tls", reference, mode, *options, placement=placement, env=calling)
                self._programs.client("corbel-tls", reference, "stop", env=calling)
                finish(server)
            return result

    def _raw(self, program, placement, common, for_client):
        with certificate() as key:
            command = [self._programs.path(program), *map(str, common)]
            with self._programs.server([*command, "--role", "server", "--key", key], placement) as (_, port):
                more = ["--role", "client", "--port", port, *map(str, for_client)]
                return finish(start([*command, *more], cpu_of(placement, "client")))
