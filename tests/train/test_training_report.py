"""Training reports in a page."""

import json
from pathlib import Path

import pytest

from polyopolis.train.training_report import END_MARK, START_MARK, insert_block, report_blocks


def write_report(folder: Path, name: str, score: float, teacher: str = "", begun_with: str = "") -> None:
    """Writes the report of a net."""
    (folder / name).mkdir()
    curve = [
        {"seconds": 30.0 * number, "games": 1000 * number, "score": score - 10 + number, "within": 0.5, "decks": 64}
        for number in range(11)
    ]
    course = {"net": "slim", "seed": 7, "teacher": teacher, "begun_with": begun_with}
    report = {"course": course, "device": "a card", "weights": 12345, "seconds": 300.0, "games": 10_000, "steps": 20}
    (folder / name / "report.json").write_text(json.dumps({**report, "curve": curve}))


def test_a_report_contains_all_predecessors_of_a_net(tmp_path: Path) -> None:
    write_report(tmp_path, "large", 41.5)
    write_report(tmp_path, "small", 38.0, teacher="/elsewhere/large")
    write_report(tmp_path, "last", 39.4, begun_with="nets/small")
    ways = [{"decisions": 12000, "width": 8, "horizon": end, "trust": 16, "score": 44.2, "within": 0.28, "decks": 512}
            for end in (0, 4)]  # fmt: skip
    (tmp_path / "ways.jsonl").write_text("".join(json.dumps(way) + "\n" for way in ways))
    [text] = report_blocks([tmp_path / "last"], tmp_path / "ways.jsonl")
    lines = text.splitlines()
    assert [line for line in lines if "(slim)" in line] == [
        "| large (slim) | 12,345 | self-play from scratch | 7 | 5.0 | 10,000 | 20 | 41.50 ± 0.50 | 64 |",
        "| small (slim) | 12,345 | values of large | 7 | 5.0 | 10,000 | 20 | 38.00 ± 0.50 | 64 |",
        "| last (slim) | 12,345 | self-play from small | 7 | 5.0 | 10,000 | 20 | 39.40 ± 0.50 | 64 |",
    ]
    assert "Device: a card; 15.0 minutes in all." in lines
    curve = [line for line in lines if line.startswith("| last | ")]
    assert (len(curve), curve[0], curve[-1]) == (8, "| last | 0.0 | 0 | 29.40 ± 0.50 |",
                                                 "| last | 300.0 | 10,000 | 39.40 ± 0.50 |")  # fmt: skip
    assert "| 12,000 | 8 | to the end | 16 | 44.20 ± 0.28 | 512 |" in lines
    assert "| 12,000 | 8 | 4 | 16 | 44.20 ± 0.28 | 512 |" in lines
    assert "## The search" not in "".join(report_blocks([tmp_path / "last"]))
    with pytest.raises(SystemExit, match="one net with its predecessors, not 2 nets"):
        list(report_blocks([tmp_path / "last", tmp_path / "small"]))


def write_pattern_report(folder: Path, game: str, episode: int) -> Path:
    out = folder / f"{game}-episode-{episode}"
    out.mkdir()
    curve = [
        {"seconds": 10.0 * number, "games": 100 * number, "score": 20.0 + number, "within": 0.4, "judged": 500}
        for number in range(1, 12)
    ]
    report = {"game": game, "episode": episode, "course": {"seconds": 90.0, "seed": 5}, "device": "one core"}
    (out / "report.json").write_text(json.dumps({**report, "seconds": 110.0, "games": 1234567, "curve": curve}))
    return out


def test_patterns_of_a_game_share_a_block(tmp_path: Path) -> None:
    trained = [("rollwrite", 10), ("mycity", 3), ("rollwrite", 2)]
    city, sheets = report_blocks([write_pattern_report(tmp_path, *about) for about in trained])
    assert [line.split(" | ")[0] for line in sheets.splitlines() if " | 1.8 | " in line] == ["| 2", "| 10"]
    assert "| 3 | 1.8 | 1,234,567 | 5 | 31.00 ± 0.40 | 500 |" in city.splitlines()
    assert "Device: one core; 1.8 minutes in all." in city
    [curve] = [line for line in city.splitlines() if line.startswith("| 3 | 10: 21.00 ± 0.40, ")]
    assert curve.endswith(", 110: 31.00 ± 0.40 |")
    assert curve.count(": ") == 8


def test_a_page_keeps_the_patterns_of_games_apart(tmp_path: Path) -> None:
    page = tmp_path / "training.md"
    page.write_text("# Nets\n")
    city, sheets = report_blocks(
        [write_pattern_report(tmp_path, "mycity", 1), write_pattern_report(tmp_path, "rollwrite", 1)]
    )
    for text in (city, sheets, city, sheets):
        insert_block(page, text)
    assert page.read_text() == f"# Nets\n\n{city}\n\n{sheets}\n"


def test_text_around_a_report_is_not_changed(tmp_path: Path) -> None:
    page = tmp_path / "training.md"
    page.write_text("# Nets\n")
    insert_block(page, f"{START_MARK}\none\n{END_MARK}")
    assert page.read_text() == f"# Nets\n\n{START_MARK}\none\n{END_MARK}\n"
    page.write_text(page.read_text() + "After it.\n")
    insert_block(page, f"{START_MARK}\ntwo\n{END_MARK}")
    assert page.read_text() == f"# Nets\n\n{START_MARK}\ntwo\n{END_MARK}\nAfter it.\n"
