"""One city of a placing game in two machine words a mask, and whole games inside: build, count, choose, play, search.

It knows no game: `layout.py` says how a game and a city lie in arrays. What is asked from outside takes its arrays in
named tuples; inside, where every nanosecond counts, they are arguments one by one.
"""
