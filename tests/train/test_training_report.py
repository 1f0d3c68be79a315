"""What came of training, as a page."""

import json
from pathlib import Path

import pytest

from polyopolis.train.training_report import FIRST, LAST, put, told


def keep(folder: Path, name: str, score: float, teacher: str = "", begun_with: str = "") -> None:
    """The report of a net, as training leaves it."""
    (folder / name).mkdir()
    curve = [
        {"seconds": 30.0 * number, "games": 1000 * number, "score": score - 10 + number, "within": 0.5, "decks": 64}
        for number in range(11)
    ]
    course = {"net": "slim", "seed": 7, "teacher": teacher, "begun_with": begun_with}
    report = {"course": course, "device": "a card", "weights": 12345, "seconds": 300.0, "games": 10_000, "steps": 20}
    (folder / name / "report.json").write_text(json.dumps({**report, "curve": curve}))


def test_a_report_tells_all_courses_that_a_net_comes_from(tmp_path: Path) -> None:
    keep(tmp_path, "large", 41.5)
    keep(tmp_path, "small", 38.0, teacher="/elsewhere/large")
    keep(tmp_path, "last", 39.4, begun_with="nets/small")
    ways = [{"decisions": 12000, "width": 8, "horizon": end, "trust": 16, "score": 44.2, "within": 0.28, "decks": 512}
            for end in (0, 4)]  # fmt: skip
    (tmp_path / "ways.jsonl").write_text("".join(json.dumps(way) + "\n" for way in ways))
    [text] = told([tmp_path / "last"], tmp_path / "ways.jsonl")
    lines = text.splitlines()
    assert [line for line in lines if "(slim)" in line] == [
        "| large (slim) | 12,345 | own games, from nothing | 7 | 5.0 | 10,000 | 20 | 41.50 ± 0.50 | 64 |",
        "| small (slim) | 12,345 | what large says | 7 | 5.0 | 10,000 | 20 | 38.00 ± 0.50 | 64 |",
        "| last (slim) | 12,345 | own games, from small | 7 | 5.0 | 10,000 | 20 | 39.40 ± 0.50 | 64 |",
    ]
    assert "Device: a card; 15.0 minutes in all." in lines
    curve = [line for line in lines if line.startswith("| last | ")]
    assert (len(curve), curve[0], curve[-1]) == (8, "| last | 0.0 | 0 | 29.40 ± 0.50 |",
                                                 "| last | 300.0 | 10,000 | 39.40 ± 0.50 |")  # fmt: skip
    assert "| 12,000 | 8 | to the end | 16 | 44.20 ± 0.28 | 512 |" in lines
    assert "| 12,000 | 8 | 4 | 16 | 44.20 ± 0.28 | 512 |" in lines
    assert "## The search" not in "".join(told([tmp_path / "last"]))
    with pytest.raises(SystemExit, match="one net and those that it comes from, not 2"):
        list(told([tmp_path / "last", tmp_path / "small"]))


def keep_patterns(folder: Path, game: str, episode: int) -> Path:
    out = folder / f"{game}-episode-{episode}"
    out.mkdir()
    curve = [
        {"seconds": 10.0 * number, "games": 100 * number, "score": 20.0 + number, "within": 0.4, "judged": 500}
        for number in range(1, 12)
    ]
    report = {"game": game, "episode": episode, "course": {"seconds": 90.0, "seed": 5}, "device": "one core"}
    (out / "report.json").write_text(json.dumps({**report, "seconds": 110.0, "games": 1234567, "curve": curve}))
    return out


def test_patterns_of_a_game_are_told_together(tmp_path: Path) -> None:
    told_of = [("rollwrite", 10), ("mycity", 3), ("rollwrite", 2)]
    city, sheets = told([keep_patterns(tmp_path, *about) for about in told_of])
    assert [line.split(" | ")[0] for line in sheets.splitlines() if " | 1.8 | " in line] == ["| 2", "| 10"]
    assert "| 3 | 1.8 | 1,234,567 | 5 | 31.00 ± 0.40 | 500 |" in city.splitlines()
    assert "Device: one core; 1.8 minutes in all." in city
    [curve] = [line for line in city.splitlines() if line.startswith("| 3 | 10: 21.00 ± 0.40, ")]
    assert curve.endswith(", 110: 31.00 ± 0.40 |")
    assert curve.count(": ") == 8


def test_a_page_keeps_the_patterns_of_games_apart(tmp_path: Path) -> None:
    page = tmp_path / "training.md"
    page.write_text("# Nets\n")
    city, sheets = told([keep_patterns(tmp_path, "mycity", 1), keep_patterns(tmp_path, "rollwrite", 1)])
    for text in (city, sheets, city, sheets):
        put(page, text)
    assert page.read_text() == f"# Nets\n\n{city}\n\n{sheets}\n"


def test_a_page_keeps_what_stands_around_a_report(tmp_path: Path) -> None:
    page = tmp_path / "training.md"
    page.write_text("# Nets\n")
    put(page, f"{FIRST}\none\n{LAST}")
    assert page.read_text() == f"# Nets\n\n{FIRST}\none\n{LAST}\n"
    page.write_text(page.read_text() + "After it.\n")
    put(page, f"{FIRST}\ntwo\n{LAST}")
    assert page.read_text() == f"# Nets\n\n{FIRST}\ntwo\n{LAST}\nAfter it.\n"
