"""What the commands print."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from polyopolis.cli.experiments.perft import perft
from polyopolis.cli.terminal import mycity, pointcity, rollwrite
from polyopolis.cli.terminal.box_drawing import plain
from polyopolis.cli.terminal.screen import Screen, screen_of
from polyopolis.engine import CHANCE, Match
from polyopolis.games import BUILTIN_SPECS, GAME_SPECS, content_digest
from polyopolis.games.mycity import rules
from tests.cli.conftest import Run


def test_alone_it_prints_help(run: Run) -> None:
    said = run()
    assert said.code == 0
    for command in ("play", "show", "perft", "check-content", "arena", "replay"):
        assert command in said.out


def members(protocol: type) -> set[str]:
    """What a module must have to fulfil a protocol."""
    own = {name for name in vars(protocol) if not name.startswith("_")}
    return own | set(protocol.__annotations__)


@pytest.mark.parametrize("key", [key for key, sign in GAME_SPECS.items() if sign.terminal])
def test_a_screen_has_all_that_the_terminal_asks_for(key: str) -> None:
    assert {"words", "page", "contents"} <= members(Screen) <= set(dir(screen_of(key)))


def test_the_screens_of_the_house_are_checked_by_their_types() -> None:
    """What a sign names as text no type checker sees: here it does."""
    house: tuple[Screen, ...] = (mycity, pointcity, rollwrite)
    assert [sign.terminal for sign in BUILTIN_SPECS] == [screen.__name__ for screen in house]  # type: ignore[attr-defined]


def test_a_game_without_a_terminal_is_not_drawn_but_checked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAME_SPECS, "mycity", replace(GAME_SPECS["mycity"], terminal=None))
    said = run("play", "mycity")
    assert (said.code, said.err) == (2, "polyopolis: mycity is not drawn in the terminal.\n")
    assert run("check-content", "mycity").out == f"mycity v1: {content_digest('mycity', 1)}\n"
    assert "mycity" not in run("show", "nowhere").err


def test_version(run: Run) -> None:
    assert run("--version").out.startswith("polyopolis 0.")


@pytest.mark.parametrize("command", ["play", "show", "perft", "check-content", "arena", "replay"])
def test_every_command_has_help(run: Run, command: str) -> None:
    said = run(command, "--help")
    assert said.code == 0
    assert "Usage: polyopolis" in said.out


@pytest.mark.parametrize("name", ["mycity/eternal", "eternal"])
def test_show(run: Run, name: str) -> None:
    said = run("show", name)
    assert said.out.splitlines()[2] == " 1 │ ·   ·  ♣ ♣  ·   · ┃ ·   ·   ·   ·   ·   $ │"
    drawn = plain(mycity.drawn(mycity.boards(1)["eternal"]))
    assert [line.rstrip() for line in said.out.splitlines()] == drawn.splitlines()


def test_perft(run: Run) -> None:
    lines = run("perft", "mycity", "--depth", "2").out.splitlines()
    assert [line.split()[:2] for line in lines] == [["depth", "leaves"], ["1", "28"], ["2", "1536"]]


def test_perft_of_an_episode(run: Run) -> None:
    said = run("perft", "mycity", "--depth", 1, "--set", "mode=episode", "--set", "episode=1")
    assert said.out.splitlines()[1].split()[:2] == ["1", "24"]


def ways(match: Match, depth: int) -> int:
    """The same count, by matches: all decisions of a round are taken from the same state."""
    if not depth:
        return 1
    due = sorted(match.due)
    if not due:
        return 0
    actions: Sequence[Any]
    if due[0] == CHANCE:
        actions = [luck for luck, _ in match.game.odds(match.state)][:2]
    else:
        actions = match.game.legal(match.state, due[0])[-3:]
    return sum(ways(match.decide(due[0], action), depth - 1) for action in actions)


class Narrow:
    """My City with at most two cards to reveal and three actions to choose from."""

    to_act, apply = staticmethod(rules.to_act), staticmethod(rules.apply)

    @staticmethod
    def odds(state: Any) -> Any:
        return rules.odds(state)[:2]

    @staticmethod
    def legal(state: Any, seat: int) -> Any:
        return rules.legal(state, seat)[-3:]


def test_perft_counts_what_matches_count() -> None:
    setup = rules.Setup(seats=2)
    for depth in range(6):
        assert perft(Narrow, rules.start(setup), depth) == ways(Match.start(rules, setup), depth)  # type: ignore[arg-type]


def test_a_finished_game_has_no_further_moves() -> None:
    match = Match.start(rules, rules.Setup(seats=2)).decide(CHANCE, rules.odds(rules.start(rules.Setup(seats=2)))[0][0])
    over = match.decide(0, mycity.verbs["stop"]).decide(1, mycity.verbs["stop"])
    assert [perft(rules, over.state, depth) for depth in (0, 1, 2)] == [1, 0, 0]


@pytest.mark.parametrize("args", [(), ("mycity",)])
def test_check_content(run: Run, args: tuple[str, ...]) -> None:
    out = run("check-content", *args).out
    assert "mycity v1 board front: 11 x 11, 95 buildable cells, 37 + 58 on its banks\n" in out
    assert "mycity v1 episode-01: 24 cards on board front; counting trees, rocks, empty\n" in out
