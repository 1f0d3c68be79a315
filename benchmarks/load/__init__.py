"""A crowd at a real server: `python -m benchmarks.load`. It talks to this machine alone, and ends by itself."""
