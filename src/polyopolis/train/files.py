"""What lies in the folders of a training: of what was prepared, and of a net."""

PLAN, CODE, SEEN = "plan.npz", "cities.ptx", "seen.txt"
KINDS = "deep", "slim"
"""Of nets."""
WEIGHTS, REPORT = "weights.pt", "report.json"
CURVE_SEED, LAST_SEED = 1234, 777
"""Luck of the games by which a net is measured, on the way and in the end: no net learns from them."""
