"""Jitted functions on a whole game of Point City as one array of numbers.

`layout.py` defines the arrays. Entry points take named tuples of arrays; inner functions take single arrays, because
passing tuples costs time.
"""
