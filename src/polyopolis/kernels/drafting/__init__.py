"""The whole of Point City on one array of numbers, with everybody at the table.

`layout.py` says how the game lies in arrays. What is asked from outside takes its arrays in named tuples; inside, where
every nanosecond counts, they are arguments one by one.
"""
