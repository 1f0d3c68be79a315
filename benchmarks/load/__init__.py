"""Load tests of a real server on this machine: `python -m benchmarks.load`."""
