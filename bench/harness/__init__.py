"""Measures the levels of bench/levels.toml. Python 3.11, standard library only."""
