"""Programs elsewhere climb the ladder of the levels."""

import json
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from polyopolis.bots import http_bot
from polyopolis.bots.http_bot import BadOutside, HttpBot
from polyopolis.bots.levels import Level
from polyopolis.bots.tournaments import ladder
from polyopolis.bots.tournaments.executors import InlineExecutor
from polyopolis.bots.tournaments.ladder import BadLadder, Ladder
from tests.cli.conftest import Run, run

Asked = dict[str, Any]
__all__ = ["run"]


@contextmanager
def program(answer: Any) -> Iterator[tuple[str, list[Asked]]]:
    """Its address, and what it is asked. It answers the same each time."""
    with talker(lambda: [b"HTTP/1.0 200 OK\r\n\r\n", json.dumps(answer).encode()]) as found:
        yield found


@contextmanager
def talker(said: Callable[[], Iterable[bytes]]) -> Iterator[tuple[str, list[Asked]]]:
    """One that says just this, piece by piece, as long as somebody listens."""
    asked = list[Asked]()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            with suppress(OSError):
                for piece in said():
                    self.wfile.write(piece)

        def log_message(self, *_: Any) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "LEVELS", {"level-1": Level(sees=(1, 2)), "level-2": Level()})


def test_an_outside_bot_plays_each_level_with_the_same_luck_from_every_seat(tmp_path: Path) -> None:
    with program({"choice": 0}) as (url, asked):
        climbing = Ladder("mycity", decks=1, seed="test", outside=(HttpBot("mine", url),))
        games = list(ladder.climb(climbing, InlineExecutor(), tmp_path / "kept.jsonl"))
    assert [game.players for game in games] == [
        ("level-1", "mine"), ("level-2", "mine"), ("mine", "level-1"), ("mine", "level-2"),
    ]  # fmt: skip
    assert len({game.score("mine") for game in games}) == 1, "where seats hardly meet the same luck is the same city"
    assert asked[0].keys() == {"game", "seat", "view", "choices", "seed"}
    assert {question["seat"] for question in asked} == {0, 1}
    assert not (tmp_path / "kept.jsonl").exists(), "tomorrow it may be another one"
    told = ladder.table(climbing, games)
    assert f"--bots-from mine={url}`" in told
    assert [line.split(" | ")[0] for line in told.splitlines()[-3:]] == ["| mine", "| level-2", "| level-1"]


@pytest.mark.parametrize("answer", [{"choice": -1}, {"choice": 10_000}, {"choice": True}, {"move": 0}, [], "nothing"])
def test_an_answer_that_is_no_choice_ends_the_ladder_with_a_sentence(answer: Any, tmp_path: Path) -> None:
    with program(answer) as (url, _), pytest.raises(BadOutside, match="mine at http"):
        list(
            ladder.climb(
                Ladder("mycity", decks=1, outside=(HttpBot("mine", url),)), InlineExecutor(), tmp_path / "kept"
            )
        )


def endless(piece: bytes, pause: float) -> Iterator[bytes]:
    yield b"HTTP/1.0 200 OK\r\n\r\n"
    while True:
        yield piece
        time.sleep(pause)


@pytest.mark.parametrize(
    "said",
    [
        lambda: [b"nonsense\r\n\r\n"],
        lambda: [b"HTTP/1.0 200 OK\r\nx: ", b"a" * 200_000, b"\r\n\r\n"],
        lambda: [b"HTTP/1.0 200 OK\r\ncontent-length: 500\r\n\r\n{"],
        lambda: [b"HTTP/1.0 200 OK\r\n\r\n", b"[" * 60_000],
        lambda: endless(b" ", 0.01),
        lambda: endless(b" " * 100_000, 0),
    ],
    ids=["no HTTP", "a long line", "cut off", "nested", "slow", "endless"],
)
def test_whatever_comes_is_told_with_a_sentence_and_in_time(
    said: Callable[[], Iterable[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_bot, "PATIENCE", 0.5)
    with talker(said) as (url, _), pytest.raises(BadOutside, match="does not answer as a bot does"):
        HttpBot("mine", url)._asked(b"{}", 3)


def test_programs_are_named_by_an_address_and_perhaps_a_name() -> None:
    assert HttpBot.read("http://127.0.0.1:9000/play") == HttpBot("127.0.0.1:9000", "http://127.0.0.1:9000/play")
    assert HttpBot.read("Mine=https://bots.example") == HttpBot("Mine", "https://bots.example")
    for text in ("", "Mine", "ftp://bots.example", "=http://bots.example", "file:///etc/passwd", "http://[bots"):
        with pytest.raises(BadOutside, match="is no address of a bot"):
            HttpBot.read(text)
    with pytest.raises(BadOutside, match="does not answer as a bot does"):
        HttpBot.read("http://a b")._asked(b"{}", 3)
    with pytest.raises(BadLadder, match="no two bots are called alike"):
        Ladder("mycity", outside=(HttpBot("level-1", "http://bots.example"),))


def test_the_command_tells_the_table_and_writes_nothing(run: Run, tmp_path: Path) -> None:
    with program({"choice": 0}) as (url, _):
        said = run("ladder", "mycity", "--decks", 1, "--docs", tmp_path, "--bots-from", f"mine={url}")
    assert (said.code, "| mine |" in said.out, list(tmp_path.iterdir())) == (0, True, [])
    gone = run("ladder", "mycity", "--decks", 1, "--docs", tmp_path, "--bots-from", f"mine={url}")
    assert gone.code == 2
    assert "does not answer as a bot does" in gone.err
