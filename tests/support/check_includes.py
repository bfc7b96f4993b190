#!/usr/bin/env python3
"""Checks from the #include lines that rooms depend on each other in one direction only. Exit status 1 names offences.

For each room stands what it may include besides itself; a public header of the ORB counts to the room it is named after.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

BASE = {"base"}
CDR = BASE | {"cdr"}
IOR = CDR | {"ior"}
GIOP = IOR | {"giop"}
TRANSPORT = BASE | {"transport"}
CORE = GIOP | TRANSPORT | {"core"}
POA = CORE | {"poa"}
ORB = {"base": BASE, "cdr": CDR, "types": CDR | {"types"}, "ior": IOR, "giop": GIOP, "transport": TRANSPORT, "core": CORE, "poa": POA,
       "cpp": POA | {"cpp"}, "codesets": CDR | {"codesets"}, "dynamic": POA | {"cpp", "types", "dynamic"}, "tls": IOR | TRANSPORT | {"tls"}, "messaging": POA | {"cpp", "messaging", "idl"},
       "ziop": POA | {"cpp", "messaging", "idl", "ziop"},
       "dynamic_any": POA | {"cpp", "types", "idl", "dynamic_any"},
       "interceptors": POA | {"cpp", "messaging", "idl", "interceptors"}}

# Within core: what serves, which programs that only call do not link. Others know AbstractServer and Dispatcher, and two
# files look into what they are given.
SERVING = {"bidirectional_connection", "callback_routes", "held_replies", "locating", "reverse_connection", "running_requests", "server",
           "server_connection", "server_list", "server_reactive", "server_rests", "server_threads"}
MAY_KNOW_SERVING = SERVING | {"fork", "server_request"}

# Headers of rooms that stand beside those of the mapping.
ROOM_HEADERS = {"corbel/messaging.h": "messaging", "corbel/tls.h": "tls", "corbel/ziop.h": "ziop", "corbel/compression.h": "ziop",
                "corbel/interceptors.h": "interceptors", "corbel/dynamic_any.h": "dynamic_any"}

SOURCE = {"source"}
AOI = SOURCE | {"aoi"}
MINT = AOI | {"mint"}
PRES = MINT | {"pres"}
PLAN = PRES | {"plan"}
COMPILER = {"source": SOURCE, "frontends": AOI | {"frontends"}, "aoi": AOI, "mint": MINT, "pres": PRES,
            "presentations": PRES | {"presentations"}, "plan": PLAN, "encodings": PLAN | {"encodings"},
            "backends": PLAN | {"backends"}, "driver": None}

# What a user of the mapping pays for in every file.
CORE_STANDARD_HEADERS = {"exception", "new", "cstdint", "cstddef", "cstring"}

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.M)


def room_of(path: str):
    """('orb' or 'compiler', room, public) of an include's spelling or of a file below the root; None for others."""
    parts = path.split("/")
    if path.startswith("json/"):
        return "json", "json", path.startswith("json/include/")
    if path.startswith("orb/include/"):
        parts = parts[2:]
    if parts[0] == "corbel" and len(parts) > 1:
        return "orb", ROOM_HEADERS.get("/".join(parts), "cpp") if len(parts) == 2 else parts[1], True
    if parts[0] in ("orb", "compiler") and len(parts) > 2:
        return parts[0], parts[1], False
    return None


def check(path: Path):
    name = path.relative_to(ROOT).as_posix()
    half, room, public = room_of(name)
    allowed = (ORB if half == "orb" else COMPILER).get(room, set())
    # Of the mapping only the parts that a library of their own holds know of types that travel by TypeCode.
    if half == "orb" and room == "cpp" and re.match(r"(any|type_code)", path.name):
        allowed = allowed | {"types"}
    for quoted, angled in INCLUDE.findall(path.read_text()):
        spelling = quoted or angled
        target = room_of(spelling)
        if target is None:
            if public and name.startswith("orb/include/corbel/cpp/") and "/" not in spelling \
                    and "." not in spelling and spelling not in CORE_STANDARD_HEADERS:
                yield f"{name}: <{spelling}> makes every user's file slower to compile"
            continue
        if half == "json":  # it ties the two together
            if public and not target[2]:
                yield f"{name}: a public header must not include the private {spelling}"
            continue
        if target[0] != half:
            yield f"{name}: {half} must not include {spelling}"
        elif allowed is not None and target[1] not in allowed:
            yield f"{name}: room {room} must not include {spelling}"
        elif room == "core" and spelling.startswith("orb/core/") and Path(spelling).stem in SERVING \
                and path.stem not in MAY_KNOW_SERVING:
            yield f"{name}: clients would link the server with {spelling}"
        elif public and not target[2]:
            yield f"{name}: a public header must not include the private {spelling}"


def main():
    files = [f for half in ("orb", "compiler", "json") for kind in ("*.h", "*.cc") for f in sorted((ROOT / half).rglob(kind))
             if room_of(f.relative_to(ROOT).as_posix())]
    offences = [offence for f in files for offence in check(f)]
    print("\n".join(offences) if offences else f"{len(files)} files include only what they may")
    return 1 if offences or not files else 0


if __name__ == "__main__":
    sys.exit(main())
