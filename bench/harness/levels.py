"""Levels: what bench/levels.toml says, and whether measured values reach it."""

import fnmatch
import statistics
import tomllib
from dataclasses import dataclass


@dataclass(frozen=True)
class Bound:
    """`<= X`, `>= X`, or `report X`: a figure to print beside X, without a verdict."""

    relation: str
    limit: float

    @staticmethod
    def parse(text):
        relation, limit = text.split()
        if relation not in ("<=", ">=", "report"):
            raise ValueError(f"not a bound: {text}")
        return Bound(relation, float(limit))

    def holds(self, value):
        return value <= self.limit if self.relation == "<=" else value >= self.limit

    def __str__(self):
        return f"{self.relation} {self.limit:g}"


@dataclass(frozen=True)
class Level:
    """One line of levels.toml. `baseline` is a peer, `none`, or `corbel:CASE` for another case of Corbel's."""

    name: str
    bench: str
    case: str
    statistic: str
    bound: Bound
    placement: str = "free"
    direction: str = ""
    size: int = 0
    baseline: str = "none"
    transport: str = "tcp"

    @property
    def full_case(self):
        return self._joined(self.case)

    @property
    def baseline_case(self):
        """The full case that the baseline's values have."""
        return self._joined(self.baseline.partition(":")[2] or self.case)

    @property
    def baseline_peer(self):
        return self.baseline.partition(":")[0]

    def _joined(self, case):
        parts = [case, str(self.size) if self.size else "", self.direction]
        return "/".join(part for part in parts + [self.transport] if part and part != "none")


@dataclass(frozen=True)
class Interval:
    """The median of a level's figure over the rounds, with its quartiles."""

    median: float
    low: float
    high: float

    @staticmethod
    def of(values):
        if len(values) == 1:
            return Interval(values[0], values[0], values[0])
        low, median, high = statistics.quantiles(values, n=4, method="inclusive")
        return Interval(median, low, high)


def load(path):
    """The levels of the file, in its order. Raises ValueError for a name that stands twice."""
    with open(path, "rb") as file:
        lines = tomllib.load(file)["level"]
    levels = [Level(**{**line, "bound": Bound.parse(line["bound"])}) for line in lines]
    names = [level.name for level in levels]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{path}: two levels are called {name}")
    return levels


def select(levels, patterns):
    """The levels whose name or bench matches one of the shell patterns; all without patterns."""
    def chosen(level):
        return any(fnmatch.fnmatch(text, pattern) for pattern in patterns for text in (level.name, level.bench))

    return [level for level in levels if not patterns or chosen(level)]


def verdict(bound, interval):
    """`met` and `not met` need the median and both quartiles on one side of the bound."""
    if bound.relation == "report":
        return "reported"
    held = {bound.holds(value) for value in (interval.low, interval.median, interval.high)}
    if len(held) == 2:
        return "within noise"
    return "met" if held == {True} else "not met"
