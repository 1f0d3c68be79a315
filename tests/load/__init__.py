"""A crowd at a real server: `python -m tests.load`. It talks to this machine alone, and ends by itself."""
