"""Measures reviews: the loss of each level, the mean of luck, and the agreement with many more futures."""
