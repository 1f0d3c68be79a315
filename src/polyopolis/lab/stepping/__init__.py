"""Step functions of one game of a batch, built from the functions of the kernels.

Each function works on the arrays of one game in any memory layout: rows on a CPU, columns on a GPU. Chance events are
drawn when they are due, so the arrays contain no future ones.
"""
