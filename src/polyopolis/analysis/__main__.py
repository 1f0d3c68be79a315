"""Measures the yardstick of reviews: `python -m polyopolis.analysis calibrate mycity --games 6`, or `trust mycity`."""

from argparse import ArgumentParser
from pathlib import Path
from statistics import fmean

from polyopolis.analysis import calibrating
from polyopolis.bots.hands import Hands, here

HERE = Path(__file__).parent / "calibration"


def calibrate(key: str, games: int, seed: str, hands: Hands) -> None:
    """Writes what the levels lose; prints it as docs/reviews.md has it."""
    found = []
    for lost in calibrating.calibrate(key, games, seed, hands):
        found.append(lost)
        print(f"{len(found)} {lost.bot} {fmean(lost.all):.3f}", flush=True)
    known = calibrating.calibration(f"python -m polyopolis.analysis calibrate {key} --games {games}", found)
    HERE.mkdir(exist_ok=True)
    (HERE / f"{key}.toml").write_text(calibrating.written(known), "utf-8")
    print("\n".join(calibrating.table(known)))
    luck = [each for lost in found for each in lost.luck]
    rest = max(each.rest for each in found)
    print(f"luck {fmean(luck):.2f} on average over {len(luck)} seats; sums lack {rest:.4f} at most")


def trust(key: str, decisions: int, seed: str, hands: Hands) -> None:
    """Prints how often many more futures find the same best choice."""
    found = list(calibrating.trust(key, decisions, seed, hands))
    same, lacks = sum(each.same for each in found), fmean(each.lacks for each in found)
    print(f"{key}: the same best in {same} of {len(found)} decisions; what a review finds lacks {lacks:.3f} on average")


def main() -> None:
    parser = ArgumentParser(prog="python -m polyopolis.analysis", description=__doc__)
    parser.add_argument("what", choices=["calibrate", "trust"])
    parser.add_argument("game", choices=sorted(calibrating.SETUPS))
    parser.add_argument("--games", type=int, default=6, help="of each level")
    parser.add_argument("--decisions", type=int, default=40)
    parser.add_argument("--seed", default="calibration")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    with here(asked.jobs) as hands:
        if asked.what == "calibrate":
            calibrate(asked.game, asked.games, asked.seed, hands)
        else:
            trust(asked.game, asked.decisions, asked.seed, hands)


if __name__ == "__main__":
    main()
