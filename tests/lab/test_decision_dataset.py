"""Datasets of games: every row follows from its record."""

import re
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
import numpy
import pytest

from polyopolis.bots.tournaments.arena import Contest
from polyopolis.bots.tournaments.arena import run_contest as arena
from polyopolis.bots.tournaments.executors import InlineExecutor
from polyopolis.cli import main
from polyopolis.games import game
from polyopolis.lab.datasets.decision_dataset import (
    GameDataset,
    NoEnvironmentId,
    offer_for,
    play_contest,
    position,
    seen,
)
from polyopolis.lab.environment_ids import offer_of
from polyopolis.records import record_text

pytest.importorskip("pyarrow", reason="pyarrow is not installed, so no data is written")
parquet: Any = pytest.importorskip("polyopolis.lab.datasets.parquet_export")

PAGE = Path(__file__).parents[2] / "docs" / "data.md"
ETERNAL = Contest("mycity", game("mycity").Setup(seats=2), ("level-2", "random"), 2, "rows")


def written(contest: Contest, folder: Path) -> tuple[Path, list[dict[str, Any]]]:
    path = folder / "games.parquet"
    count = parquet.write_parquet(contest, play_contest(contest, InlineExecutor()), path)
    rows = read(path)
    assert len(rows) == count
    return path, rows


def read(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = parquet.parquet.read_table(path).to_pylist()
    return rows


def assert_follow(rows: list[dict[str, Any]], name: str) -> None:
    """Checks some rows of each record, because replaying takes a while."""
    for row in rows[:: max(1, len(rows) // 12)]:
        table = position(offer_of(name), row["record"], row["move"])
        found = seen(table, row["seat"])
        assert numpy.array_equal(found.observation, row["observation"])
        assert found.legal == row["legal"]
        assert row["action"] in row["legal"]
        record = msgspec.json.decode(row["record"])
        assert record["moves"][row["move"]]["seat"] == row["seat"]
        assert record["players"][row["seat"]] == row["bot"]
        assert (record["scores"][row["seat"]], record["ranks"][row["seat"]]) == (row["score"], row["rank"])


def test_rows_match_the_games_of_an_arena(tmp_path: Path) -> None:
    path, rows = written(ETERNAL, tmp_path)
    records = {row["game"]: row["record"] for row in rows}
    assert list(records.values()) == [record_text(played.record) for played in arena(ETERNAL)]
    for number, record in records.items():
        decided = [row for row in rows if row["game"] == number]
        seats = [move["seat"] for move in msgspec.json.decode(record)["moves"]]
        assert [(row["move"], row["seat"]) for row in decided] == [
            (move, seat) for move, seat in enumerate(seats) if seat >= 0
        ]
    assert_follow(rows, "mycity-eternal-v0")
    for row in rows:
        assert row["final"] == (row["bot"] == "level-2")
        assert row["options"][:1] == ([row["action"]] if row["final"] else [])
        assert len(row["options"]) == len(row["values"])
    metadata = parquet.about(path)
    assert (metadata["version"], metadata["id"], metadata["contest"]["seed"]) == (
        parquet.FORMAT_VERSION,
        "mycity-eternal-v0",
        "rows",
    )
    last = list(metadata["parts"].values())[-1]
    assert last["first"] + numpy.prod(last["shape"]) == len(rows[0]["observation"])


def test_campaign_has_several_matches(tmp_path: Path) -> None:
    rollwrite = game("rollwrite")
    contest = Contest("rollwrite", rollwrite.Setup(seats=1, episode=1), ("random",), 1, "rows", (1, 2, 3))
    _, rows = written(contest, tmp_path)
    assert [match for match, _ in groupby(row["match"] for row in rows)] == [0, 1, 2]
    assert_follow(rows, "rollwrite-chapter-1-v0")
    assert {row["total"] for row in rows} == {sum({row["match"]: row["score"] for row in rows}.values())}


def test_file_does_not_depend_on_the_number_of_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["games", "pointcity", "--bots", "random,random", "--count", "5", "--seed", "5"]
    one, two = tmp_path / "one.parquet", tmp_path / "two.parquet"
    assert main([*command, "--out", str(one)]) == 0
    assert capsys.readouterr().out == f"Wrote {len(read(one))} decisions of 5 games to {one}.\n"
    assert main([*command, "--jobs", "2", "--out", str(two)]) == 0
    assert one.read_bytes() == two.read_bytes()
    assert sorted(tmp_path.iterdir()) == [one, two]
    monkeypatch.setattr(parquet, "ROW_GROUP_BYTES", 2**18)
    contest = Contest("pointcity", game("pointcity").Setup(seats=2), ("random", "random"), 5, "5")
    path, rows = written(contest, tmp_path)
    assert rows == read(one)
    assert parquet.parquet.ParquetFile(path).num_row_groups > 1


def test_incomplete_file_is_removed(tmp_path: Path) -> None:
    def breaking_off() -> Iterator[GameDataset]:
        yield from play_contest(msgspec.structs.replace(ETERNAL, bots=("random",), games=1), InlineExecutor())
        assert [path.suffix for path in tmp_path.iterdir()] == [".part"]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        parquet.write_parquet(ETERNAL, breaking_off(), tmp_path / "games.parquet")
    assert not list(tmp_path.iterdir())


def test_missing_id_or_library_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    setup = game("mycity").Setup(seats=2, mode="episode", episode=3, content=1)
    assert offer_for(Contest("mycity", setup, ("random",), 1, "")).id == "mycity-episode-3-v0"
    with pytest.raises(NoEnvironmentId):
        offer_for(Contest("mycity", setup, ("random",), 1, "", (3, 5)))
    monkeypatch.delitem(sys.modules, "polyopolis.lab.datasets.parquet_export")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["games", "mycity", "--bots", "random", "--out", str(tmp_path / "games.parquet")]) == 2
    assert "install polyopolis[data]" in capsys.readouterr().err


def test_docs_list_all_columns() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE)
    assert listed == parquet.schema_of(ETERNAL).names
