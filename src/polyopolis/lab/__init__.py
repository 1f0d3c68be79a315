"""Environments for machine learning; docs/lab.md describes them.

`zoo` for PettingZoo, `gym` for Gymnasium, `spiel` for OpenSpiel, `batch` for thousands of games in step. This module
imports none of them, so that each needs only its own library.
"""
