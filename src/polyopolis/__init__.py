"""Polyopolis: three city-building games as pure rules, to play, replay and measure."""
