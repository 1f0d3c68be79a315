"""What a position is worth, a file for each game."""
