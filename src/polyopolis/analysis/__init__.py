"""What can be learned from a game that was played."""
