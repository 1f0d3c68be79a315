"""Whole games in machine code, proved equal to the rules. Without numba the same runs, slowly, in plain Python."""

from polyopolis.kernels.compiled import FAST, NOTICE
from polyopolis.kernels.tables import NoKernel

__all__ = ["FAST", "NOTICE", "NoKernel"]
