"""A tiny game that only the tests know: whatever works with it owes nothing to a game of the house.

In each round chance throws a die, and all seats at once keep its pips or leave them. Who has more pips than the limit
keeps no more. The pips of an episode are carried to the next one.
"""
