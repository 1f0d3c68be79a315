"""HTTP bots play ladders against the levels."""

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
from polyopolis.bots.http_bot import HttpBot, HttpBotError
from polyopolis.bots.levels import BotLevel
from polyopolis.bots.tournaments import ladder
from polyopolis.bots.tournaments.executors import InlineExecutor
from polyopolis.bots.tournaments.ladder import BadLadder, Ladder
from tests.cli.conftest import Run, run

Asked = dict[str, Any]
__all__ = ["run"]


@contextmanager
def bot_server(answer: Any) -> Iterator[tuple[str, list[Asked]]]:
    """Runs an HTTP server that always returns `answer`. Yields its address and the received requests."""
    with raw_server(lambda: [b"HTTP/1.0 200 OK\r\n\r\n", json.dumps(answer).encode()]) as found:
        yield found


@contextmanager
def raw_server(said: Callable[[], Iterable[bytes]]) -> Iterator[tuple[str, list[Asked]]]:
    """Runs an HTTP server that sends these bytes piece by piece until the client disconnects."""
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
    monkeypatch.setattr(ladder, "LEVELS", {"level-1": BotLevel(visible=(1, 2)), "level-2": BotLevel()})


def test_an_http_bot_plays_each_level_with_the_same_luck_from_every_seat(tmp_path: Path) -> None:
    with bot_server({"choice": 0}) as (url, asked):
        climbing = Ladder("mycity", decks=1, seed="test", outside=(HttpBot("mine", url),))
        games = list(ladder.play_ladder(climbing, InlineExecutor(), tmp_path / "kept.jsonl"))
    assert [game.players for game in games] == [
        ("level-1", "mine"), ("level-2", "mine"), ("mine", "level-1"), ("mine", "level-2"),
    ]  # fmt: skip
    assert len({game.score("mine") for game in games}) == 1, "with little interaction the same luck gives the same city"
    assert asked[0].keys() == {"game", "seat", "view", "choices", "seed"}
    assert {question["seat"] for question in asked} == {0, 1}
    assert not (tmp_path / "kept.jsonl").exists(), "another program may use the same name later"
    text = ladder.ladder_table(climbing, games)
    assert f"--bots-from mine={url}`" in text
    assert [line.split(" | ")[0] for line in text.splitlines()[-3:]] == ["| mine", "| level-2", "| level-1"]


@pytest.mark.parametrize("answer", [{"choice": -1}, {"choice": 10_000}, {"choice": True}, {"move": 0}, [], "nothing"])
def test_an_invalid_answer_ends_the_ladder_with_an_error(answer: Any, tmp_path: Path) -> None:
    with bot_server(answer) as (url, _), pytest.raises(HttpBotError, match="mine at http"):
        list(
            ladder.play_ladder(
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
def test_invalid_responses_raise_an_error_in_time(
    said: Callable[[], Iterable[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_bot, "TIMEOUT_SECONDS", 0.5)
    with raw_server(said) as (url, _), pytest.raises(HttpBotError, match="did not return a valid answer"):
        HttpBot("mine", url)._request_choice(b"{}", 3)


def test_addresses_and_names_are_parsed() -> None:
    assert HttpBot.read("http://127.0.0.1:9000/play") == HttpBot("127.0.0.1:9000", "http://127.0.0.1:9000/play")
    assert HttpBot.read("Mine=https://bots.example") == HttpBot("Mine", "https://bots.example")
    for text in ("", "Mine", "ftp://bots.example", "=http://bots.example", "file:///etc/passwd", "http://[bots"):
        with pytest.raises(HttpBotError, match="is not the address of a bot"):
            HttpBot.read(text)
    with pytest.raises(HttpBotError, match="did not return a valid answer"):
        HttpBot.read("http://a b")._request_choice(b"{}", 3)
    with pytest.raises(BadLadder, match="bots need different names"):
        Ladder("mycity", outside=(HttpBot("level-1", "http://bots.example"),))


def test_the_command_prints_the_table_and_writes_no_file(run: Run, tmp_path: Path) -> None:
    with bot_server({"choice": 0}) as (url, _):
        said = run("ladder", "mycity", "--decks", 1, "--docs", tmp_path, "--bots-from", f"mine={url}")
    assert (said.code, "| mine |" in said.out, list(tmp_path.iterdir())) == (0, True, [])
    gone = run("ladder", "mycity", "--decks", 1, "--docs", tmp_path, "--bots-from", f"mine={url}")
    assert gone.code == 2
    assert "did not return a valid answer" in gone.err
