"""Training of evaluation functions: nets that predict the final score of a city, by self-play on batches of games, and
patterns of single episodes, on one core (`pattern_training.py`, `episode_courses.py`).

`polyopolis train` trains both. The same commands for nets, for a machine that has only the sources:

    python -m polyopolis.train prepare out/train          # on this machine: the plan of the game and its PTX code
    python -m polyopolis.train learn out/train out/deep --net deep --minutes 8
    python -m polyopolis.train learn out/train out/slim --net slim --teacher out/deep --minutes 2
    python -m polyopolis.train write out/slim src/polyopolis/bots/nets/mycity-eternal.net
    python -m polyopolis.train write data/train/mycity-episode-3 src/polyopolis/bots/nets/mycity-episode-3.patterns

Training a net needs numpy and torch, on a GPU also CuPy, and the prepared folder.
"""
