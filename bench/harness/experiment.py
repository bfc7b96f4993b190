"""The papers' experiment: requests to so many objects with so many operations, found in different ways."""

import math

STRATEGIES = ("linear+linear", "hash+hash", "perfect+perfect", "verified+binary", "active+words", "active+perfect")
OBJECTS = (1, 100, 200, 300, 400, 500)
OPERATIONS = (1, 10, 100)
INVOCATIONS = ("random", "worst")
LARGE_STRATEGIES = ("active+perfect", "perfect+perfect")
LARGE_OBJECTS = (10_000, 100_000, 1_000_000, 10_000_000)
LARGE_OPERATIONS = 1_000
COLOURS = ("#b2182b", "#d6851c", "#2b8a3e", "#6a3d9a", "#1f78b4", "#222222")


class Experiment:
    """Measures by a function of the case that gives a dictionary with `ns`."""

    def __init__(self, measure, progress):
        self._measure = measure
        self._progress = progress
        self.values = {}  # by strategy, invocation, objects, operations

    def run(self, large):
        for strategy in STRATEGIES:
            for invocation in INVOCATIONS:
                for objects in OBJECTS:
                    for operations in OPERATIONS:
                        self._point(strategy, invocation, objects, operations)
        for strategy in LARGE_STRATEGIES if large else ():
            for objects in LARGE_OBJECTS:
                self._point(strategy, "random", objects, LARGE_OPERATIONS)

    def _point(self, strategy, invocation, objects, operations):
        self._progress(f"bench: experiment {strategy} {invocation} {objects} x {operations}")
        case = f"{strategy}/{invocation}/{objects}x{operations}"
        self.values[strategy, invocation, objects, operations] = self._measure(case)["ns"]

    def table(self):
        """Lines of text: nanoseconds by objects and operations, one row for each strategy and invocation."""
        yield "nanoseconds per dispatch: objects x operations, both found as said"
        for operations in OPERATIONS:
            yield f"\n{'x ' + str(operations):28}" + "".join(f"{objects:>10}" for objects in OBJECTS)
            for strategy in STRATEGIES:
                for invocation in INVOCATIONS:
                    yield f"{strategy + ' ' + invocation:28}" + "".join(
                        f"{self.values[strategy, invocation, objects, operations]:>10.1f}" for objects in OBJECTS)
        if (LARGE_STRATEGIES[0], "random", LARGE_OBJECTS[0], LARGE_OPERATIONS) in self.values:
            yield f"\n{'x ' + str(LARGE_OPERATIONS):28}" + "".join(f"{objects:>10}" for objects in LARGE_OBJECTS)
            for strategy in LARGE_STRATEGIES:
                yield f"{strategy + ' random':28}" + "".join(
                    f"{self.values[strategy, 'random', objects, LARGE_OPERATIONS]:>10.1f}" for objects in LARGE_OBJECTS)

    def plot(self):
        """An SVG: a panel for each invocation, with the most operations of the papers; logarithmic."""
        most = max(value for key, value in self.values.items() if key[3] != LARGE_OPERATIONS)
        decades = math.ceil(math.log10(most))
        width, height, left, top = 420, 300, 60, 40
        panel = width + left + 20

        def at(number, objects, ns):
            x = number * panel + left + width * objects / OBJECTS[-1]
            return f"{x:.1f},{top + height * (1 - math.log10(max(ns, 1)) / decades):.1f}"

        parts = []
        for number, invocation in enumerate(INVOCATIONS):
            x = number * panel + left
            parts.append(f'<text x="{x}" y="20">{invocation} invocation, {OPERATIONS[-1]} operations</text>')
            for decade in range(decades + 1):
                y = top + height * (1 - decade / decades)
                parts.append(f'<path d="M{x} {y:.1f}h{width}" stroke="#ddd"/>')
                parts.append(f'<text x="{x - 5}" y="{y + 4:.1f}" text-anchor="end">{10 ** decade} ns</text>')
            for objects in OBJECTS:
                place = x + width * objects / OBJECTS[-1]
                parts.append(f'<text x="{place:.1f}" y="{top + height + 18}" text-anchor="middle">{objects}</text>')
            for strategy, colour in zip(STRATEGIES, COLOURS):
                line = " ".join(at(number, objects, self.values[strategy, invocation, objects, OPERATIONS[-1]])
                                for objects in OBJECTS)
                parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for number, (strategy, colour) in enumerate(zip(STRATEGIES, COLOURS)):
            parts.append(f'<text x="{left + 140 * number}" y="{top + height + 45}" fill="{colour}">{strategy}</text>')
        size = f'width="{2 * panel}" height="{top + height + 60}"'
        return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">',
                          '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>", ""])
