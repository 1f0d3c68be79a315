"""`perft`."""

from collections.abc import Sequence
from typing import Any

from polyopolis.cli.experiments.perft import perft
from polyopolis.cli.terminal import mycity
from polyopolis.engine import CHANCE, Match
from polyopolis.games.mycity import rules
from tests.cli.conftest import Run


def test_perft(run: Run) -> None:
    lines = run("perft", "mycity", "--depth", "2").out.splitlines()
    assert [line.split()[:2] for line in lines] == [["depth", "leaves"], ["1", "28"], ["2", "1536"]]


def test_perft_of_an_episode(run: Run) -> None:
    result = run("perft", "mycity", "--depth", 1, "--set", "mode=episode", "--set", "episode=1")
    assert result.out.splitlines()[1].split()[:2] == ["1", "24"]


def count_by_matches(match: Match, depth: int) -> int:
    """Counts the same tree by `Match`, which applies all decisions of a round to the same state."""
    if not depth:
        return 1
    due = sorted(match.due)
    if not due:
        return 0
    actions: Sequence[Any]
    if due[0] == CHANCE:
        actions = [outcome for outcome, _ in match.game.odds(match.state)][:2]
    else:
        actions = match.game.legal(match.state, due[0])[-3:]
    return sum(count_by_matches(match.decide(due[0], action), depth - 1) for action in actions)


class Narrow:
    """My City with at most two cards to reveal and three actions to choose from."""

    to_act, apply = staticmethod(rules.to_act), staticmethod(rules.apply)

    @staticmethod
    def odds(state: Any) -> Any:
        return rules.odds(state)[:2]

    @staticmethod
    def legal(state: Any, seat: int) -> Any:
        return rules.legal(state, seat)[-3:]


def test_perft_counts_the_same_as_matches() -> None:
    setup = rules.Setup(seats=2)
    for depth in range(6):
        count = count_by_matches(Match.start(rules, setup), depth)
        assert perft(Narrow, rules.start(setup), depth) == count  # type: ignore[arg-type]


def test_a_finished_game_has_no_further_moves() -> None:
    match = Match.start(rules, rules.Setup(seats=2)).decide(CHANCE, rules.odds(rules.start(rules.Setup(seats=2)))[0][0])
    over = match.decide(0, mycity.verbs["stop"]).decide(1, mycity.verbs["stop"])
    assert [perft(rules, over.state, depth) for depth in (0, 1, 2)] == [1, 0, 0]
