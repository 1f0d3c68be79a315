"""What came of training, as a page."""

import json
from pathlib import Path

from polyopolis.train.reporting import FIRST, LAST, put, told


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
    text = told(tmp_path / "last", tmp_path / "ways.jsonl")
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
    assert "## The search" not in told(tmp_path / "last", None)


def test_a_page_keeps_what_stands_around_a_report(tmp_path: Path) -> None:
    page = tmp_path / "training.md"
    page.write_text("# Nets\n")
    put(page, f"{FIRST}\none\n{LAST}")
    assert page.read_text() == f"# Nets\n\n{FIRST}\none\n{LAST}\n"
    page.write_text(page.read_text() + "After it.\n")
    put(page, f"{FIRST}\ntwo\n{LAST}")
    assert page.read_text() == f"# Nets\n\n{FIRST}\ntwo\n{LAST}\nAfter it.\n"
