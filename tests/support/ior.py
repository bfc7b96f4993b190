"""Interoperable object references: profiles and components as (tag, octets)."""

import dataclasses

from . import cdr

TAG_INTERNET_IOP, TAG_MULTIPLE_COMPONENTS = 0, 1
ORB_TYPE, CODE_SETS, ALTERNATE_ADDRESS, SSL = 0, 1, 3, 20
ENDPOINT = 0x43425201  # Corbel's own: a transport and an address
LATIN1, UTF8, UTF16 = 0x00010001, 0x05010001, 0x00010109


@dataclasses.dataclass
class Ior:
    type_id: str = ""
    profiles: list = dataclasses.field(default_factory=list)

    def encode(self, writer):
        writer.string(self.type_id).put("ulong", len(self.profiles))
        for tag, data in self.profiles:
            writer.put("ulong", tag).octets(data)
        return writer

    @classmethod
    def decode(cls, reader):
        type_id = reader.string()
        return cls(type_id, [(reader.get("ulong"), reader.octets()) for _ in range(reader.get("ulong"))])

    def __str__(self):
        return self.text(cdr.LITTLE)

    def text(self, order):
        return "IOR:" + self.encode(cdr.encapsulation(order)).bytes().hex()

    @classmethod
    def parse(cls, text):
        return cls.decode(cdr.open_encapsulation(bytes.fromhex(text.strip()[4:])))

    def iiop(self):
        return [Profile.decode(data) for tag, data in self.profiles if tag == TAG_INTERNET_IOP]


NIL = Ior()


@dataclasses.dataclass
class Profile:
    """An IIOP profile."""

    host: str
    port: int
    key: bytes
    minor: int = 2
    components: list = dataclasses.field(default_factory=list)

    def encode(self, order):
        writer = cdr.encapsulation(order).put("octet", 1, self.minor).string(self.host).put("ushort", self.port)
        writer.octets(self.key)
        if self.minor > 0:
            writer.put("ulong", len(self.components))
            for tag, data in self.components:
                writer.put("ulong", tag).octets(data)
        return writer.bytes()

    @classmethod
    def decode(cls, data):
        reader = cdr.open_encapsulation(data)
        minor = reader.raw(2)[1]
        profile = cls(reader.string(), reader.get("ushort"), reader.octets(), minor)
        if minor > 0:
            profile.components = [(reader.get("ulong"), reader.octets()) for _ in range(reader.get("ulong"))]
        return profile


def code_sets(order, native=LATIN1, conversions=(), wide=UTF16, wide_conversions=()):
    writer = cdr.encapsulation(order).put("ulong", native).sequence("ulong", conversions)
    return CODE_SETS, writer.put("ulong", wide).sequence("ulong", wide_conversions).bytes()


def endpoints(profile):
    """Addresses by the name of their transport, of those that have no component of their own."""
    readers = [cdr.open_encapsulation(data) for tag, data in profile.components if tag == ENDPOINT]
    return {reader.string(): reader.string() for reader in readers}


def endpoint(transport, address):
    return ENDPOINT, cdr.encapsulation(cdr.LITTLE).string(transport).string(address).bytes()


def ssl_component(port, supports=0x66, requires=0x06):
    return SSL, cdr.encapsulation(cdr.LITTLE).put("ushort", supports, requires, port).bytes()


def ssl_port(data):
    reader = cdr.open_encapsulation(data)
    return [reader.get("ushort") for _ in range(3)][2]


def alternate_address(order, host, port):
    return ALTERNATE_ADDRESS, cdr.encapsulation(order).string(host).put("ushort", port).bytes()
