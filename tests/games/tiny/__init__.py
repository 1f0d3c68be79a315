"""A tiny game that only the tests know, so that code tested with it does not depend on a built-in game.

In each round chance throws a die, and all seats simultaneously keep its pips or leave them. Players with more pips than
the limit cannot keep any. The pips of an episode are carried over to the next one.
"""
