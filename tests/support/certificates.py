"""Certificates for tests, made by the openssl command line when a test runs and gone with its directory."""
import pathlib
import subprocess
import tempfile


def _run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{words[0]}: {done.stderr[-2000:]}")


# Whatever OpenSSL is set to on this machine.
CONFIGURATION = """[req]
distinguished_name = name
x509_extensions = authority
[name]
[authority]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
"""


class Authority:
    """A directory with an authority (ca.pem) and what it signs: NAME.pem holds a certificate and its key."""

    def __init__(self, name="authority"):
        self._folder = tempfile.TemporaryDirectory(prefix="corbel-tls-")
        self.folder = pathlib.Path(self._folder.name)
        self.ca = self.folder / "ca.pem"
        self._configuration = self.folder / "openssl.cnf"
        self._configuration.write_text(CONFIGURATION)
        self._request(self.folder / "ca.key", self.ca, name, "-x509", "-days", "2")

    def _request(self, key, out, name, *options):
        _run("openssl", "req", "-config", self._configuration, "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
             "-keyout", key, "-out", out, "-subj", f"/O=Corbel tests/CN={name}", *options)

    def issue(self, name, hosts="IP:127.0.0.1,DNS:localhost"):
        key, request, leaf = (self.folder / f"{name}.{kind}" for kind in ("key", "csr", "crt"))
        self._request(key, request, name)
        extensions = self.folder / f"{name}.ext"
        extensions.write_text("basicConstraints=critical,CA:FALSE\n" + (f"subjectAltName={hosts}\n" if hosts else ""))
        _run("openssl", "x509", "-req", "-in", request, "-CA", self.ca, "-CAkey", self.folder / "ca.key",
             "-CAcreateserial", "-out", leaf, "-days", "1", "-extfile", extensions)
        whole = self.folder / f"{name}.pem"
        whole.write_text(leaf.read_text() + key.read_text())
        return whole

    def java_store(self, name, password="changeit"):
        """What issue(name) made, if anything, as the key store of a JVM, which trusts the authority."""
        store, whole = self.folder / f"{name}.p12", self.folder / f"{name}.pem"
        if whole.exists():
            _run("openssl", "pkcs12", "-export", "-in", whole, "-name", name, "-out", store, "-passout", f"pass:{password}")
        _run("keytool", "-importcert", "-noprompt", "-alias", "authority", "-file", self.ca, "-keystore", store,
             "-storetype", "PKCS12", "-storepass", password)
        return store

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._folder.cleanup()
