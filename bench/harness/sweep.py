"""Calls of many sizes, one beside the other, against the bare program: what the worst size takes over what it may."""

import statistics

SMALL_SIZES = (64, 256, 1024, 4096, 6144, 8184)
# Octets of a GIOP 1.2 request before the elements of its sequence, with the key and the operation of the floods.
REQUEST_HEADER = 84
# A larger request leaves in fragments: to any server, to one that is Corbel.
FRAGMENT_BOUNDARIES = (248 * 1024 - REQUEST_HEADER, 1280 * 1024 - REQUEST_HEADER)
GROWTH_SIZES = tuple(size + more for size in sorted((*(2**power for power in range(6, 25)), *FRAGMENT_BOUNDARIES)) for more in (-1, 0, 1))
GROWTH_PART = 0.05
# The worst of so many sizes is otherwise the one that a disturbance met.
PAIRS = 3


def sweep(case, placement, raw, orb, total):
    """How much a two-way call of the worst size takes over what it may, which is the raw program's time and its `part`
    more: us-over. Small sizes, or every power of two and fragment boundary with its neighbours; small one-way calls in a
    row."""
    kind, sizes = case.split("/")[:2]
    if sizes == "small-oneway":
        return {"us-over": max(statistics.median(_oneway_over(kind, size, placement, raw, orb, total // 4096)
                                                 for _ in range(PAIRS)) for size in SMALL_SIZES)}
    over = {"small": 0.0, "growth": GROWTH_PART}[sizes]
    listed = ("--sizes", ",".join(map(str, SMALL_SIZES if sizes == "small" else GROWTH_SIZES)))
    differences = {}
    for _ in range(PAIRS):
        bare = raw(placement, ("--direction", "sweep", *listed), ())
        own = orb(placement, "sweep", "--type", kind, *listed)
        for size in bare:
            differences.setdefault(size, []).append(own[size] - bare[size] * (1 + over))
    return {"us-over": max(statistics.median(of_size) for of_size in differences.values())}


def _oneway_over(kind, size, placement, raw, orb, calls):
    """Microseconds that a one-way call takes more than the raw program's write, in a flood of them."""
    bare = raw(placement, ("--direction", "oneway", "--size", size, "--buffers", calls), ())
    own = orb(placement, "flood", "--type", kind, "--size", size, "--direction", "oneway", "--total", size * calls)
    return size / own["MB/s"] - size / bare["MB/s"]
