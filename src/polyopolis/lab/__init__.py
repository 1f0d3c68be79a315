"""A laboratory: the games as environments for programs that learn. docs/lab.md is its page.

`zoo` for PettingZoo, `gym` for Gymnasium, `spiel` for OpenSpiel, `batch` for thousands of games in step. Nothing is
imported here, so that each asks only for the library that it is for.
"""
