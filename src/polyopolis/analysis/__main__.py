"""Measures the yardstick of reviews: `python -m polyopolis.analysis calibrate mycity --games 6`, or `trust mycity`."""

from argparse import ArgumentParser
from pathlib import Path
from statistics import fmean

from polyopolis.analysis import calibrating
from polyopolis.bots.hands import here

HERE = Path(__file__).parent / "calibration"


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
            found = []
            for lost in calibrating.calibrate(asked.game, asked.games, asked.seed, hands):
                found.append(lost)
                print(f"{len(found)} {lost.bot} {fmean(lost.all):.3f}", flush=True)
            command = f"python -m polyopolis.analysis calibrate {asked.game} --games {asked.games}"
            known = calibrating.calibration(command, found)
            HERE.mkdir(exist_ok=True)
            (HERE / f"{asked.game}.toml").write_text(calibrating.written(known), "utf-8")
            print("\n".join(calibrating.table(known)))
            luck = [each for lost in found for each in lost.luck]
            print(
                f"luck {fmean(luck):.2f} over {len(luck)} seats; the most that is left {max(e.rest for e in found):.4f}"
            )
        else:
            trusts = list(calibrating.trust(asked.game, asked.decisions, asked.seed, hands))
            same, lacks = fmean(each.same for each in trusts), fmean(each.lacks for each in trusts)
            print(
                f"{asked.game}: the same best in {same:.0%} of {len(trusts)} decisions; it lacks {lacks:.3f} on average"
            )


if __name__ == "__main__":
    main()
