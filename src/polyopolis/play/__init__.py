"""Tables where people and bots play, wherever they live: it asks others to keep, to think, to tell and for the time."""
