"""Jitted functions on one city of a placing game, with masks of two words.

They do not depend on a game: `layout.py` defines the arrays. Entry points take named tuples of arrays; inner
functions take single arrays, because passing tuples costs time.
"""
