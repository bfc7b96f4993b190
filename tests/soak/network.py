"""A lossy link in a process of its own, which nothing else that is done in Python holds up."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.support.lossy_link import LossyLink  # noqa: E402
from tests.support.processes import Child  # noqa: E402

CALM = {"delay": 0.001, "loss": 0.01, "late": 0.02, "doubled": 0.01}  # while there is no other fault


class Network:
    def __init__(self, seed):
        self.child = Child(sys.executable, "-B", __file__, seed)
        self.child.line()
        self.calm()

    def calm(self):
        self.set(**CALM)

    def set(self, **how):
        """Attributes of the link."""
        for name, value in how.items():
            self.child.write(f"{name} {value}")

    def close(self):
        """Gives how many packets were lost."""
        self.child.process.stdin.close()
        lost = int(self.child.line())
        self.child.kill()
        return lost


def main():
    link = LossyLink(int(sys.argv[1]))
    print("here", flush=True)
    for line in sys.stdin:
        name, value = line.split()
        setattr(link, name, float(value))
    print(link.lost)


if __name__ == "__main__":
    main()
