"""What lies in the folders of a training: of what was prepared, and of a net."""

PLAN, CODE, SEEN = "plan.npz", "cities.ptx", "seen.txt"
WEIGHTS, REPORT = "weights.pt", "report.json"
