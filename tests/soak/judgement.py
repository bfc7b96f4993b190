"""What is said at the end: of calls, of ways, and of what the processes have."""

import statistics

from tests.soak.actors import FATES, at

GROWTH = 2048, 0.03  # kB and part of the whole that memory may differ by: what pools and the C library keep
WARM = 3.0  # minutes: pools and the C library's arenas fill up in the first one, so shorter runs show no growth, only excess
EXCESS = 64 * 1024  # kB: four times what a server has after a quarter of a minute
MANY = 64  # descriptors, or threads, of a server with ten clients and ten hostile ones


def parts(samples):
    """The first third is for warming up; the last is judged against the middle one."""
    third = len(samples) // 3
    return samples[third : 2 * third], samples[2 * third :]


def enough(samples):
    return min(len(taken) for taken in samples.values()) >= 3


def judge(process, samples, minutes):
    """What is wrong with the figures of a process."""
    middle, last = parts(samples)
    faults = []
    # What large messages take for a moment comes and goes.
    before, after = (statistics.median(s["kB"] for s in part) for part in (middle, last))
    grows = minutes >= WARM and not process.short_lived
    if grows and after - before > GROWTH[0] + GROWTH[1] * before:
        faults.append(f"{process.name}: memory grew from {before:g} to {after:g} kB")
    if not grows and after > EXCESS:
        faults.append(f"{process.name}: {after:g} kB of memory, more than {EXCESS}")
    for what in ("files", "threads"):
        if process.short_lived:  # each life has another model
            if (most := max(s[what] for s in middle + last)) > MANY:
                faults.append(f"{process.name}: {most} {what}, more than {MANY}")
            continue
        # Clients come and go, hostile ones in tens.
        for of, allowed in ((statistics.median, 4), (max, 12)):
            before, after = (of(s[what] for s in part) for part in (middle, last))
            if after > before + allowed:
                faults.append(f"{process.name}: {what} grew from {before:g} to {after:g}")
    return faults


def slope(samples, what, unit):
    """By how many kB memory grows with each unit of time or calls, by least squares; None where there is nothing to tell."""
    x, y = [s[what] / unit for s in samples], [s["kB"] for s in samples]
    return statistics.linear_regression(x, y).slope if len(set(x)) > 1 else None


def figures(samples):
    """Of each process, as a table."""
    lines = [f"{'process':28}{'kB, middle':>12}{'last third':>12}{'kB/hour':>10}{'kB/M calls':>12}"
             f"{'files':>7}{'threads':>9}{'calls':>10}"]
    for process, taken in samples.items():
        middle, last = parts(taken)
        before, after = (statistics.median(s["kB"] for s in part) for part in (middle, last))
        slopes = [slope(middle + last, *by) for by in (("seconds", 3600), ("calls", 1e6))]
        by_time, by_calls = ("-" if s is None or process.short_lived else f"{s:.0f}" for s in slopes)
        lines.append(f"{process.name:28}{before:12.0f}{after:12.0f}{by_time:>10}{by_calls:>12}{last[-1]['files']:7}"
                     f"{last[-1]['threads']:9}{last[-1]['calls']:10}")
    return "\n".join(lines)


def accounts(server):
    """What is wrong with the calls of a server, whichever of its processes they met."""
    written, wrong = server.entries(), {}

    def note(what):
        wrong[what] = wrong.get(what, 0) + 1

    for caller in server.callers:
        done = written.pop(caller.serial, b"")
        for n in range(max(len(done), len(caller.fates))):
            times, fate = at(done, n), FATES[at(caller.fates, n)]
            if times > 1:
                note("done twice")
            if fate in ("done", "yes") and times == 0:
                note("acknowledged and lost")
            if fate == "no" and times > 0:
                note("said not to be done, and done")
            if fate == "" and times > 0 and not caller.killed:
                note("done and never told")
            if fate == "wrong":
                note("answered with another's result")
    if written:
        note("made by nobody")
    return [f"{server.name}: {n} calls were {what}" for what, n in wrong.items()]


def ways_taken(caller):
    """Whether a client that lived all the time has used its way and no other."""
    wanted = {caller.way.route} | ({"back"} if caller.way.called_back else set())
    return [] if caller.routes == wanted else [f"{caller.name}: went by {sorted(caller.routes)}, not {sorted(wanted)}"]


def versions_seen(servers):
    wanted = {b"GIOP\1\0", b"GIOP\1\1", b"GIOP\1\2", b"ZIOP\1\2"}
    return [f"no message began with {missing}" for missing in sorted(wanted - set().union(*(s.seen for s in servers)))]
