"""Polyopolis: three city-building games with pure rules, to play, replay and measure."""
