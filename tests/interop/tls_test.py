"""One cell of the matrix over TLS: tls_test.py SERVER CLIENT MINOR [OMNIORB-TLS] starts the server with a certificate, and the
client with another one, both required, and has it call every operation in GIOP 1.MINOR. In 1.0 by the server's reference put
into the words of that: its profile has no components, they stand in one of their own, as JacORB writes it.

Programs of omniORB know TLS by its shared library OMNIORB-TLS, JacORB by its
properties, GlassFish's ORB by what its peer adds. A test that wants to read what they
say preloads one more library into those that use OpenSSL.
"""
import contextlib
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import pair  # noqa: E402
from support import cdr  # noqa: E402
from support.certificates import Authority  # noqa: E402
from support.ior import TAG_INTERNET_IOP, TAG_MULTIPLE_COMPONENTS, Ior  # noqa: E402

SSL = 20
JACORB = """jacorb.security.support_ssl=on
jacorb.ssl.socket_factory=org.jacorb.security.ssl.sun_jsse.SSLSocketFactory
jacorb.ssl.server_socket_factory=org.jacorb.security.ssl.sun_jsse.SSLServerSocketFactory
jacorb.security.keystore={store}
jacorb.security.keystore_password=changeit
jacorb.security.jsse.trustees_from_ks=on
jacorb.security.ssl.client.supported_options={trust}
jacorb.security.ssl.client.required_options={trust}
jacorb.security.ssl.server.supported_options={trust}
jacorb.security.ssl.server.required_options={trust}
jacorb.security.jsse.client.key_manager_algorithm=SunX509
jacorb.security.jsse.client.trust_manager_algorithm=SunX509
jacorb.security.jsse.server.key_manager_algorithm=SunX509
jacorb.security.jsse.server.trust_manager_algorithm=SunX509
"""


def words(program, minor, authority, name, host, certified=True):
    """Clients are `certified`, and servers want them to be; or neither."""
    has_key = certified or name == "server"
    key = authority.issue(name, f"IP:{host},DNS:localhost") if has_key else None
    begin = [program, "-ORBmaxGIOPVersion", f"1.{minor}"]
    if has_key:
        begin += ["-ORBendPoint", f"giop:ssl:{host}:0"]
    if pair.orb_of(program) == "glassfish":
        return begin + ["-ORBkeyStore", str(authority.java_store(name))]
    if pair.orb_of(program) == "jacorb":
        properties = authority.folder / f"{name}.properties"
        properties.write_text(JACORB.format(store=authority.java_store(name), trust="60" if certified else "20"))
        return begin + ["-ORBproperties", str(properties)]
    end = ["-ORBsslCAFile", str(authority.ca)]
    if has_key:
        end += ["-ORBsslKeyFile", str(key)]
    if pair.orb_of(program) == "omniorb":
        end += ["-ORBsslKeyPassword", ""] if has_key else []  # without a file it is an error
        end += ["-ORBsslVerifyMode", "peer,fail" if certified or name == "client" else "none"]
    elif not certified and name == "server":
        end += ["-ORBsslClientCertificates", "none"]
    return begin + end


def environment(program, library, preload):
    libraries = [preload, library if pair.orb_of(program) == "omniorb" else ""]
    return {**os.environ, "LD_PRELOAD": ":".join(filter(None, libraries))}


@contextlib.contextmanager
def server_of(program, minor, authority, host, library, preload, options=(), certified=True):
    """Gives (process, reference) of a server that TLS alone reaches; it must end in order when the block is left."""
    process = subprocess.Popen([*words(program, minor, authority, "server", host, certified), *options],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=pair.die_with_parent,
                               env=environment(program, library, preload))
    try:
        reference = process.stdout.readline().strip()
        if not reference.startswith("IOR:"):
            raise RuntimeError("the server gave no reference")
        profiles = Ior.parse(reference).iiop()
        if any(p.port != 0 for p in profiles) or not any(tag == SSL for p in profiles for tag, _ in p.components):
            raise RuntimeError(f"a reference to be reached by TLS alone says otherwise: {profiles}")
        yield process, reference
        process.stdin.close()
        if process.wait(timeout=30) != 0:
            raise RuntimeError(f"the server ended with {process.returncode}")
    finally:
        process.kill()
        process.wait()


def in_giop_1_0(reference):
    ior = Ior.parse(reference)
    profile = ior.iiop()[0]
    components = cdr.encapsulation(cdr.LITTLE).put("ulong", len(profile.components))
    for tag, data in profile.components:
        components.put("ulong", tag).octets(data)
    profile.minor = 0
    ior.profiles = [(TAG_INTERNET_IOP, profile.encode(cdr.LITTLE)), (TAG_MULTIPLE_COMPONENTS, components.bytes())]
    return str(ior)


def main(server, client, minor, library="", host="127.0.0.1", preload=""):
    most = minor if minor != "0" else "2"  # references to clients need components, too
    with Authority() as authority, server_of(server, most, authority, host, library, preload) as (_, reference):
        reference = reference if minor != "0" else in_giop_1_0(reference)
        called = subprocess.run([*words(client, most, authority, "client", host), reference, "-", f"1.{minor}"],
                                timeout=60, preexec_fn=pair.die_with_parent, env=environment(client, library, preload))
        if called.returncode != 0:
            raise RuntimeError(f"the client ended with {called.returncode}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
