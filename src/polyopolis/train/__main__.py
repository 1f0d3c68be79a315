"""`python -m polyopolis.train`: trains nets on a machine that has only this package and a prepared folder."""

import argparse
import json
from dataclasses import fields
from pathlib import Path

from polyopolis.train.checkpoints import FINGERPRINT_FILE, NET_KINDS, PATTERNS_FILE


def check_fingerprint(folder: Path) -> None:
    """Compares the fingerprint of net inputs with the one stored in the folder; stores it if there is none."""
    from polyopolis.train.city_tensors import fingerprint  # noqa: PLC0415 - likewise

    found, path = fingerprint(folder), folder / FINGERPRINT_FILE
    if not path.exists():
        path.write_text(found)
    if path.read_text() != found:
        raise SystemExit("the net inputs of games differ from those on the machine that prepared the folder")
    print(f"the net inputs are the same: {found}")


def measure_searches(prepared: Path, net: Path, out: Path, ways: list[str], games: int) -> None:
    from polyopolis.train.batched_search import SearchSettings, measure_search  # noqa: PLC0415 - likewise

    for way in ways:
        line = json.dumps(measure_search(prepared, net, games, SearchSettings(*map(int, way.split(",")))))
        print(line, flush=True)
        with out.open("a") as file:
            file.write(line + "\n")


def write_file(folder: Path, file: Path) -> None:
    if (folder / PATTERNS_FILE).exists():
        from polyopolis.train.episode_courses import export_patterns  # noqa: PLC0415 - likewise

        size = export_patterns(folder, file)
    else:
        from polyopolis.train import net_export  # noqa: PLC0415

        size = net_export.export_net(folder, file, "mycity-eternal-v0")
    print(f"{file}: {size:,} bytes")


def write_report(folders: list[Path], page: Path, consulted: Path | None) -> None:
    from polyopolis.train.training_report import insert_block, report_blocks  # noqa: PLC0415

    for text in report_blocks(folders, consulted):
        insert_block(page, text)


def train_net(prepared: Path, out: Path, given: dict[str, object]) -> None:
    from polyopolis.train.net_training import NetCourse, NetTrainer  # noqa: PLC0415

    known = {each.name for each in fields(NetCourse)}
    NetTrainer(prepared, out, NetCourse(**{key: value for key, value in given.items() if key in known})).run()  # type: ignore[arg-type]


def main() -> None:
    parser = argparse.ArgumentParser(prog="polyopolis.train", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    preparing = commands.add_parser("prepare", help="write the plan of a game and its PTX code")
    preparing.add_argument("folder", type=Path)
    preparing.add_argument("--id", default="mycity-eternal-v0")
    checking = commands.add_parser(
        "seen", help="check that games have the same net inputs as on the machine that prepared the folder"
    )
    checking.add_argument("folder", type=Path)
    learning = commands.add_parser("learn", help="train a net by self-play or from a teacher")
    learning.add_argument("prepared", type=Path)
    learning.add_argument("out", type=Path)
    learning.add_argument("--net", choices=NET_KINDS, required=True)
    learning.add_argument("--minutes", type=float, required=True)
    learning.add_argument("--teacher", default=argparse.SUPPRESS, help="folder with a trained net")
    learning.add_argument("--begun-with", default=argparse.SUPPRESS, help="folder with initial weights")
    whole = ("games", "length", "batch", "kept", "measured", "finally-measured", "seed")
    for option in whole:
        learning.add_argument(f"--{option}", type=int, default=argparse.SUPPRESS)
    for option in ("reuse", "mix", "rate", "last-rate", "average", "every", "share"):
        learning.add_argument(f"--{option}", type=float, default=argparse.SUPPRESS)
    writing = commands.add_parser("write", help="export a slim net, or patterns, as a shipped file")
    writing.add_argument("folder", type=Path)
    writing.add_argument("file", type=Path)
    consulting = commands.add_parser("consult", help="measure the search with a net, with each of the given settings")
    consulting.add_argument("prepared", type=Path)
    consulting.add_argument("net", type=Path)
    consulting.add_argument("out", type=Path, help="file to which one line per setting is appended")
    consulting.add_argument("ways", nargs="+", help="decisions,width,horizon,trust")
    consulting.add_argument("--games", type=int, default=1024)
    reporting = commands.add_parser("report", help="write courses, curves and searches into a page")
    reporting.add_argument("folders", type=Path, nargs="+", help="training folders of one net or of patterns")
    reporting.add_argument("page", type=Path)
    reporting.add_argument("--consulted", type=Path, help="file written by `consult`")
    asked = parser.parse_args()
    if asked.command == "prepare":
        from polyopolis.train.gpu_bundle import prepare  # noqa: PLC0415 - needs packages that a GPU machine may lack

        prepare(asked.folder, asked.id)
    elif asked.command == "seen":
        check_fingerprint(asked.folder)
    elif asked.command == "consult":
        measure_searches(asked.prepared, asked.net, asked.out, asked.ways, asked.games)
    elif asked.command == "write":
        write_file(asked.folder, asked.file)
    elif asked.command == "report":
        write_report(asked.folders, asked.page, asked.consulted)
    else:
        train_net(asked.prepared, asked.out, vars(asked))


if __name__ == "__main__":
    main()
