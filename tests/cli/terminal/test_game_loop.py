"""`play`: choosing, going back, leaving."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from polyopolis.engine import seed_of
from polyopolis.records import Record, read, verify
from tests.cli.conftest import CommandResult, Run

PROGRAM = [sys.executable, "-c", "import sys; from polyopolis.cli import main; sys.exit(main())"]
GAME = ("play", "mycity", "--seed", "hello")
"""Its first card is the public S, `.##/##.`"""


def playing(run: Run, *typed: str) -> str:
    result = run(*GAME, typed=typed)
    assert (result.code, result.err) == (0, "")
    assert "Goodbye" in result.out
    return result.out


def test_the_author_and_publisher_are_named(run: Run) -> None:
    out = playing(run)
    assert "Unofficial. My City is a game by Reiner Knizia, published by KOSMOS." in out
    assert "Next card: public S." in out


def test_naming_cells_narrows_the_places(run: Run) -> None:
    out = playing(run, "e5", "f7")
    assert "4 places on e5." in out
    assert "1  e4 e5 f5 f6" in out
    assert "Build here?" in out
    assert out.count("+Π+") == 4


def test_a_preview_shows_what_changes(run: Run) -> None:
    out = playing(run, "e5 f7")
    assert "empty meadow          82 → 78    +4" in out
    assert "total                 -76 → -71  +5" in out


def test_back_then_another_place(run: Run) -> None:
    out = playing(run, "e5", "1", "b", "2", "y")
    assert "Back to choosing." in out
    assert "You built the public S on f4 g4 e5 f5." in out
    assert "greedy built the public S on" in out


def test_enter_confirms(run: Run) -> None:
    assert "You built the public S on e5 e6 f6 f7." in playing(run, "e5 f7", "")


def test_enter_starts_over(run: Run) -> None:
    out = playing(run, "e5", "", "b11")
    assert "Starting over." in out
    assert "on b11." in out


def test_a_long_list_has_pages(run: Run) -> None:
    out = playing(run, "list", "more", "back", "more", "1")
    assert "\n  11  " in out
    assert out.count("'more' shows the next ones.") >= 2
    assert "say 'list'" in out


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("z9", "There is no cell z9."),
        ("a3", "No place for it covers a3."),
        ("b11 f1", "No place for it covers b11 f1 together."),
        ("f1 f2 f3 f4", "That is not the shape of the card."),
        ("f1 g1 g2 h2", "Buildings are turned, never flipped over."),
        ("e1 f1 d2 e2", "A building stays on one bank."),
        ("j2 k2 i3 j3", "You can only build on meadow, not on k2."),
        ("h1 i1 g2 h2", "Your first building starts at the river."),
        ("1", "Name a cell first, or say 'list', then pick a number."),
        ("fly", "I do not know 'fly'; 'help' lists the words."),
        ("board 7", "Whose board? Say 'board' and a number: 0 You, 1 greedy."),
        ("e5\n9", "Pick a number from 1 to 4."),
    ],
)
def test_an_invalid_choice_is_explained(run: Run, typed: str, text: str) -> None:
    assert text in playing(run, *typed.split("\n"))


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("f7", "No place for it covers f7."),
        ("e6 d7 e7 f7", "There is a building on e6 f7 already."),
        ("i1 h2 i2 j2", "It must touch one of your buildings."),
    ],
)
def test_later_buildings_touch_and_do_not_cover(run: Run, typed: str, text: str) -> None:
    """The second card of this seed is the industrial T, `.#./###`."""
    assert text in playing(run, "e5 f7", "", typed)


def test_other_commands(run: Run) -> None:
    out = playing(run, "sheet", "deck", "board 1", "places", "help")
    for text in ("marker at the start", "To come: 27 cards", "Each number counts", "name cells for the building"):
        assert text in out


def test_pass_shows_its_price(run: Run) -> None:
    out = playing(run, "pass", "b", "pass", "")
    assert "passes  0 → 1      -1" in out
    assert "You passed; marker at 9." in out


def test_enter_does_not_confirm_stop(run: Run) -> None:
    assert "You stopped." not in playing(run, "stop", "")


def test_after_stop_the_others_play_on(run: Run) -> None:
    result = run(*GAME, typed=["stop", "y"])
    assert result.code == 0
    assert "The game is over." in result.out
    assert "Seed hello" in result.out
    assert "rank" in result.out


def test_a_church_must_be_built(run: Run) -> None:
    out = playing(run, *["list", "1", "", "pass", "b"] * 26)
    assert "This one must be built: build or stop." in out


def test_quit_offers_to_save_the_game(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    out = playing(run, "e5 f7", "", "quit", str(file))
    assert f"The record is in {file}." in out
    record = read(file)
    assert isinstance(record, Record)
    assert not verify(record).over


def test_the_file_name_is_asked_again_if_it_cannot_be_written(run: Run, tmp_path: Path) -> None:
    out = playing(run, "quit", str(tmp_path), str(tmp_path / "no" / "file"), str(tmp_path / "kept.json"))
    assert f"cannot write {tmp_path}: it is a folder." in out
    assert out.count("Type a file name to save it") == 3
    assert (tmp_path / "kept.json").exists()


def test_quit_while_a_place_is_shown(run: Run) -> None:
    assert "You built" not in playing(run, "e5 f7", "quit", "")


def test_a_game_left_early_is_saved(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "open.json"
    assert run(*GAME, "--save", file, typed=["e5 f7", ""]).code == 0
    assert [move["seat"] for move in json.loads(file.read_text())["moves"]] == [-1, 0, 1, -1]


def test_seats_bots_and_names(run: Run) -> None:
    result = run(*GAME, "--set", "seats=4", "--bots", "random,greedy", "--name", "Ann", typed=["stop", "y"])
    assert result.code == 0
    for name in ("Ann", "random 1", "greedy", "random 3"):
        assert name in result.out


def test_an_episode(run: Run) -> None:
    result = run("play", "mycity", "--set", "mode=episode", "--set", "episode=1", typed=["stop", "y"])
    assert "My City, episode 1: card" in result.out


def test_the_same_seed_is_the_same_game(run: Run) -> None:
    assert playing(run, "e5 f7", "") == playing(run, "e5 f7", "")


class Terminal:
    """The program in a process of its own, answered prompt by prompt through a pipe."""

    def __init__(self, *args: str) -> None:
        env = {**os.environ, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"}
        self.process = subprocess.Popen(
            [*PROGRAM, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
        )
        self.result = ""

    def until(self, prompts: Iterable[str]) -> str | None:
        """Reads until one of the prompts. Returns the output since the last one, or `None` at the end."""
        assert self.process.stdout
        result = b""
        ends = tuple(prompt.encode() for prompt in prompts)
        while byte := self.process.stdout.read(1):
            result += byte
            if result.endswith(ends):
                self.result += result.decode()
                return result.decode()
        self.result += result.decode()
        return None

    def type(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def end(self) -> CommandResult:
        _, err = self.process.communicate(timeout=60)
        return CommandResult(self.process.returncode, self.result, err.decode())


@pytest.mark.slow
def test_a_whole_game_through_a_pipe(tmp_path: Path) -> None:
    """Builds at the first place of the list, or else passes, or else stops."""
    file = tmp_path / "game.json"
    terminal = Terminal("play", "mycity", "--seed", "whole", "--save", str(file))
    prompts = ("Your choice: ", "go back: ")
    tries: list[str] = []
    while (result := terminal.until(prompts)) is not None:
        if "Build here?" in result or "Pass?" in result:
            tries = []
            terminal.type("")
        elif "Stop?" in result:
            terminal.type("y")
        else:
            tries = tries or ["list", "1", "pass", "stop"]
            terminal.type(tries.pop(0))
    ended = terminal.end()
    assert (ended.code, ended.err) == (0, "")
    assert "Seed whole" in ended.out
    record = read(file)
    assert isinstance(record, Record)
    match = verify(record)
    assert match.over
    assert record.seed == seed_of("whole").hex()
    for score in match.result.scores:
        assert str(score) in ended.out


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
@pytest.mark.slow
def test_ctrl_c_saves_and_says_goodbye(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    terminal = Terminal("play", "mycity", "--save", str(file))
    terminal.until(["Your choice: "])
    terminal.process.send_signal(signal.SIGINT)
    terminal.until([])
    ended = terminal.end()
    assert (ended.code, ended.err) == (130, "")
    assert "Goodbye" in ended.out
    assert file.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="pipes differ")
@pytest.mark.slow
def test_a_closed_pipe_is_not_an_error() -> None:
    terminal = Terminal("perft", "mycity", "--depth", "3")
    assert terminal.process.stdout
    terminal.process.stdout.close()
    assert terminal.process.stderr
    assert terminal.process.stderr.read() == b""
    terminal.process.wait(60)
    terminal.process.stderr.close()
    assert terminal.process.stdin
    terminal.process.stdin.close()


def test_a_reward_is_placed_by_naming_a_cell(run: Run) -> None:
    campaign = ("--set", "mode=episode", "--set", "episode=1", "--set", "play=campaign")
    result = run("play", "mycity", *campaign, "--seed", "hello", typed=["stop", "y", "a1", "g1", ""])
    assert result.code == 0
    assert "To place: tree" in result.out
    assert "Put it here, for good?" in result.out
    assert "You put a tree on g1." in result.out or "The game is over." in result.out


def test_a_kiosk_can_be_declined(run: Run) -> None:
    episode = ("--set", "mode=episode", "--set", "episode=23")
    typed = ["list", "1", "", "no kiosk", "", "stop", "y"]
    result = run("play", "mycity", *episode, "--seed", "2", typed=typed)
    assert result.code == 0
    assert "A kiosk? Name a cell, or say: no kiosk" in result.out
    assert "Add no kiosk now?" in result.out


def test_a_gear_is_placed_by_naming_a_shape(run: Run) -> None:
    campaign = ("--set", "mode=episode", "--set", "episode=13", "--set", "play=campaign")
    typed = ["stop", "y", "gear i4", "", "gear", "2", "", "u5", ""]
    result = run("play", "mycity", *campaign, "--seed", "hello", typed=typed)
    assert result.code == 0
    assert "To place: gear" in result.out
    assert "Put the gear there, for good?" in result.out
    assert "The game is over." in result.out
