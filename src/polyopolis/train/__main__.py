"""`python -m polyopolis.train`: what `polyopolis train` does, for a machine that has nothing of the house but this."""

import argparse
import json
from dataclasses import fields
from pathlib import Path

from polyopolis.train.checkpoints import KINDS, MEMORY, SEEN


def seen(folder: Path) -> None:
    """Whether what is seen in games is the same here as where it was written; written, where it is not yet."""
    from polyopolis.train.city_tensors import fingerprint  # noqa: PLC0415 - likewise

    found, path = fingerprint(folder), folder / SEEN
    if not path.exists():
        path.write_text(found)
    if path.read_text() != found:
        raise SystemExit("what is seen here differs from what was seen where it was prepared")
    print(f"seen as prepared: {found}")


def consult(prepared: Path, net: Path, out: Path, ways: list[str], games: int) -> None:
    from polyopolis.train.batched_search import Way, measured  # noqa: PLC0415 - likewise

    for way in ways:
        told = json.dumps(measured(prepared, net, games, Way(*map(int, way.split(",")))))
        print(told, flush=True)
        with out.open("a") as file:
            file.write(told + "\n")


def write(folder: Path, file: Path) -> None:
    if (folder / MEMORY).exists():
        from polyopolis.train.episode_courses import written  # noqa: PLC0415 - likewise

        size = written(folder, file)
    else:
        from polyopolis.train import net_export  # noqa: PLC0415

        size = net_export.written(folder, file, "mycity-eternal-v0")
    print(f"{file}: {size:,} bytes")


def report(folders: list[Path], page: Path, consulted: Path | None) -> None:
    from polyopolis.train.training_report import put, told  # noqa: PLC0415

    for text in told(folders, consulted):
        put(page, text)


def learn(prepared: Path, out: Path, given: dict[str, object]) -> None:
    from polyopolis.train.net_training import Course, Learner  # noqa: PLC0415

    known = {each.name for each in fields(Course)}
    Learner(prepared, out, Course(**{key: value for key, value in given.items() if key in known})).go()  # type: ignore[arg-type]


def main() -> None:
    parser = argparse.ArgumentParser(prog="polyopolis.train", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    preparing = commands.add_parser("prepare", help="here: the plan of the game, and its functions as PTX")
    preparing.add_argument("folder", type=Path)
    preparing.add_argument("--id", default="mycity-eternal-v0")
    checking = commands.add_parser("seen", help="whether games look the same here as where they were prepared")
    checking.add_argument("folder", type=Path)
    learning = commands.add_parser("learn", help="a net learns by self-play, or from a teacher")
    learning.add_argument("prepared", type=Path)
    learning.add_argument("out", type=Path)
    learning.add_argument("--net", choices=KINDS, required=True)
    learning.add_argument("--minutes", type=float, required=True)
    learning.add_argument("--teacher", default=argparse.SUPPRESS, help="a folder with a net that has learnt")
    learning.add_argument("--begun-with", default=argparse.SUPPRESS, help="a folder with weights to begin with")
    whole = ("games", "length", "batch", "kept", "measured", "finally-measured", "seed")
    for option in whole:
        learning.add_argument(f"--{option}", type=int, default=argparse.SUPPRESS)
    for option in ("reuse", "mix", "rate", "last-rate", "average", "every", "share"):
        learning.add_argument(f"--{option}", type=float, default=argparse.SUPPRESS)
    writing = commands.add_parser("write", help="a slim net, or patterns, as a file that ships")
    writing.add_argument("folder", type=Path)
    writing.add_argument("file", type=Path)
    consulting = commands.add_parser("consult", help="measures the search by a net, in as many ways as are given")
    consulting.add_argument("prepared", type=Path)
    consulting.add_argument("net", type=Path)
    consulting.add_argument("out", type=Path, help="a file, to which a line is added for each way")
    consulting.add_argument("ways", nargs="+", help="decisions,width,horizon,trust")
    consulting.add_argument("--games", type=int, default=1024)
    reporting = commands.add_parser("report", help="courses, curves and searches, into a page")
    reporting.add_argument("folders", type=Path, nargs="+", help="of a net, of patterns, or of many")
    reporting.add_argument("page", type=Path)
    reporting.add_argument("--consulted", type=Path, help="what `consult` has written")
    asked = parser.parse_args()
    if asked.command == "prepare":
        from polyopolis.train.gpu_bundle import prepare  # noqa: PLC0415 - asks for what other machines may lack

        prepare(asked.folder, asked.id)
    elif asked.command == "seen":
        seen(asked.folder)
    elif asked.command == "consult":
        consult(asked.prepared, asked.net, asked.out, asked.ways, asked.games)
    elif asked.command == "write":
        write(asked.folder, asked.file)
    elif asked.command == "report":
        report(asked.folders, asked.page, asked.consulted)
    else:
        learn(asked.prepared, asked.out, vars(asked))


if __name__ == "__main__":
    main()
