"""One game of a batch, for the machine: begun, asked, stepped, from the functions of the kernels.

Each function works on arrays of one game, wherever they lie: rows on a processor, columns on a card. Luck is drawn
late, so that nothing of a game that is to come stands in its arrays.
"""
