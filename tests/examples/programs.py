"""The programs of an example, as its test was given them."""

import os


def programs():
    """Paths, in the order in which CMake names the targets; they are all there."""
    return os.environ["EXAMPLE_PROGRAMS"].split("|")
