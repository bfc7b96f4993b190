"""A network of one host and one link on which packets are lost, late, doubled, or out of order: real TCP at both ends.

Only inside a network namespace of its own. Whoever connects to FAR reaches what listens at NEAR, over the link.
"""

import fcntl
import heapq
import itertools
import os
import random
import select
import struct
import subprocess
import threading
import time

NEAR, FAR = "10.9.0.1", "10.9.0.2"
_SET_NAME, _TUN, _NO_PACKET_INFO = 0x400454CA, 0x0001, 0x1000


class LossyLink:
    """A tun device whose other end is this object. What leaves it for FAR comes back with source and destination
    exchanged (which no checksum notices), so that it arrives at this host as if FAR had sent it.

    Attributes, to be changed at any time: `loss`, `doubled` and `late` are probabilities of a packet's fate, `delay` is
    in seconds and concerns all, `lateness` comes on top for late ones, which others then overtake."""

    def __init__(self, seed):
        self.loss = self.doubled = self.late = 0.0
        self.delay, self.lateness = 0.0, 0.01
        self.lost = 0
        self._random = random.Random(seed)
        self._device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        fcntl.ioctl(self._device, _SET_NAME, struct.pack("16sH22x", b"lossy", _TUN | _NO_PACKET_INFO))
        subprocess.run(["ip", "address", "add", NEAR, "peer", FAR, "dev", "lossy"], check=True)
        subprocess.run(["ip", "link", "set", "lossy", "up"], check=True)
        self._ended = False
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    def _carry(self):
        under_way, number = [], itertools.count()
        while not self._ended:
            now = time.monotonic()
            while under_way and under_way[0][0] <= now:
                self._deliver(heapq.heappop(under_way)[2])
            pause = min(under_way[0][0] - now, 0.05) if under_way else 0.05
            if not select.select([self._device], [], [], pause)[0]:
                continue
            packet = os.read(self._device, 65536)
            if packet[0] >> 4 != 4:
                continue
            packet = packet[:12] + packet[16:20] + packet[12:16] + packet[20:]
            if self._random.random() < self.loss:
                self.lost += 1
                continue
            for _ in range(1 + (self._random.random() < self.doubled)):
                extra = self.lateness if self._random.random() < self.late else 0
                heapq.heappush(under_way, (time.monotonic() + self.delay + extra, next(number), packet))

    def _deliver(self, packet):
        try:
            os.write(self._device, packet)
        except BlockingIOError:  # the device's queue is full: one more that is lost
            self.lost += 1

    def close(self):
        self._ended = True
        self._thread.join()
        os.close(self._device)
