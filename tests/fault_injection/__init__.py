"""Fault injection: no fault of servers or databases loses, repeats or blocks a decision."""
