"""What a position is worth, a file for each game. A feature has the name that kernels give it, if they know it too."""
