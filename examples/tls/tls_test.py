"""Runs the example as docs/tls.md tells its reader to: tls_test.py BUILD-DIRECTORY-OF-THE-EXAMPLE"""
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))
from support.processes import Child  # noqa: E402


def check_page():
    """The programs on the page are those of the example."""
    page = (HERE.parents[1] / "docs" / "tls.md").read_text(encoding="utf-8")
    for block in re.findall(r"^```cpp\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        lines = [line for line in block.splitlines() if line.strip()]
        sources = [(HERE / name).read_text(encoding="utf-8").splitlines() for name in ("server.cc", "client.cc")]
        if not any(set(lines) <= set(source) for source in sources):
            sys.exit(f"docs/tls.md shows lines that the example has not:\n{block}")


def check_certificates():
    """Keys are for their owner's eyes, and servers are named as what they are."""
    for host, name in (("192.0.2.7", "IP Address:192.0.2.7"), ("2001:db8::7", "IP Address:2001:DB8:0:0:0:0:0:7"),
                       ("a.example", "DNS:a.example")):
        with tempfile.TemporaryDirectory(prefix="corbel-tls-") as folder:
            subprocess.run([HERE / "certificates.sh", folder, host], check=True, timeout=60)
            for file, mode in (("ca.pem", 0o644), ("ca.key", 0o600), ("server.pem", 0o600), ("client.pem", 0o600)):
                if (pathlib.Path(folder) / file).stat().st_mode & 0o777 != mode:
                    sys.exit(f"certificates.sh leaves {file} not as {mode:o}")
            text = subprocess.run(["openssl", "x509", "-in", f"{folder}/server.pem", "-noout", "-ext", "subjectAltName"],
                                  capture_output=True, text=True, timeout=60, check=True).stdout
            if name not in text:
                sys.exit(f"the certificate of {host} says {text!r}")


def main(build):
    check_page()
    check_certificates()
    with tempfile.TemporaryDirectory(prefix="corbel-tls-") as folder:
        subprocess.run([HERE / "certificates.sh", folder, "127.0.0.1"], check=True, timeout=60)
        ca = ["-ORBsslCAFile", f"{folder}/ca.pem"]
        with Child(f"{build}/tls-server", "-ORBendPoint", "giop:ssl:127.0.0.1:0", "-ORBsslKeyFile",
                   f"{folder}/server.pem", *ca) as server:
            reference = server.line()
            call = [f"{build}/tls-client", reference, *ca]
            known = subprocess.run([*call, "-ORBsslKeyFile", f"{folder}/client.pem"], capture_output=True, text=True,
                                   timeout=30, check=False)
            if known.stdout != "hello, CN=client\n":
                sys.exit(f"the client with a certificate printed {known.stdout!r} {known.stderr!r}")
            unknown = subprocess.run(call, capture_output=True, text=True, timeout=30, check=False)
            if unknown.returncode != 1 or "NO_PERMISSION" not in unknown.stderr:
                sys.exit(f"the client without one printed {unknown.stdout!r} {unknown.stderr!r}")


if __name__ == "__main__":
    main(*sys.argv[1:])
