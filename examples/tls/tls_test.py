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


def main(build):
    check_page()
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
