"""Learned judges: nets that say what a city will come to, trained by self-play on batches of the laboratory, and
patterns that say it of an episode, learnt on one core (`remembering.py`, `episodes.py`).

`polyopolis train` learns both. What it does for nets is here, too, for a machine that has only the sources:

    python -m polyopolis.train prepare out/train          # here: the plan of the game, and its functions as PTX
    python -m polyopolis.train learn out/train out/deep --net deep --minutes 8
    python -m polyopolis.train learn out/train out/slim --net slim --teacher out/deep --minutes 2
    python -m polyopolis.train write out/slim src/polyopolis/bots/nets/mycity-eternal.net
    python -m polyopolis.train write data/train/mycity-episode-3 src/polyopolis/bots/nets/mycity-episode-3.patterns

A net asks for numpy and torch, on a card for CuPy too, and for nothing else of the house but what was prepared.
"""
