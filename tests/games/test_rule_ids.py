"""Every reason and every line of a score sheet leads to a rule, and examples answer as the rules do."""

import ast
from pathlib import Path

import pytest
from msgspec import UNSET

from polyopolis.games import BUILTIN_SPECS
from polyopolis.games.game_spec import GameSpec
from polyopolis.games.modes import Mode, RuleIds
from polyopolis.play.history.rule_trials import trials
from tests.test_rules_covered import rules_of

GAMES = Path(__file__).parents[2] / "src" / "polyopolis" / "games"
OF_THE_TABLE = {"not-an-action", "not-now"}
"""Said when a screen asks for what nobody could want: no rule speaks of it."""

every_sign = pytest.mark.parametrize("sign", BUILTIN_SPECS, ids=lambda sign: sign.key)


def rule_ids(sign: GameSpec) -> RuleIds:
    assert sign.outline
    found = sign.outline(sign.versions[-1]).rules  # type: ignore[attr-defined]
    assert isinstance(found, RuleIds)
    return found


def codes_in(file: Path) -> set[str]:
    """The codes of the reasons that a file of rules gives."""
    calls = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Call)]
    reasons = [call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Reason"]
    return {
        node.value
        for reason in reasons
        for node in ast.walk(reason)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def reasons_of(sign: GameSpec) -> set[str]:
    files = [*(GAMES / sign.key).rglob("*.py")]
    builds = any("from polyopolis.games.placement import" in file.read_text("utf-8") for file in files)
    shared = codes_in(GAMES / "placement.py") if builds else set()
    return shared.union(*map(codes_in, files)) - OF_THE_TABLE


def test_codes_are_found_where_reasons_are_given() -> None:
    assert codes_in(GAMES / "placement.py") == {
        "off-board", "not-the-shape", "flipped", "not-meadow", "built-over", "both-banks", "not-touching",
    }  # fmt: skip


@every_sign
def test_every_reason_has_a_rule(sign: GameSpec) -> None:
    assert set(rule_ids(sign).reasons) == reasons_of(sign)


@every_sign
def test_reasons_and_lines_name_rules_that_there_are(sign: GameSpec) -> None:
    ids = rule_ids(sign)
    assert {*ids.reasons.values(), *ids.lines.values()} <= set(rules_of(sign.key))


def lines_of(sign: GameSpec) -> set[str]:
    """The lines of the sheets with which matches begin, those of races, and of tokens that players pick."""
    assert sign.outline
    modes: tuple[Mode, ...] = sign.outline(sign.versions[-1]).modes  # type: ignore[attr-defined]
    found = set(getattr(sign.content(sign.versions[-1]), "tokens", ()))
    for mode in modes:
        setup = sign.rules.Setup(**{"seats": 2 if mode.seats is UNSET else mode.seats[0], **mode.setup})
        state = sign.rules.start(setup)
        found |= {line.line for sheet in sign.rules.scores(state).sheets for line in sheet}
        found |= {race.race for race in getattr(state, "open_races", ())}
    return found


@every_sign
def test_every_line_of_a_sheet_has_a_rule(sign: GameSpec) -> None:
    assert lines_of(sign)
    assert not lines_of(sign) - set(rule_ids(sign).lines)


@every_sign
def test_examples_answer_as_the_rules_do(sign: GameSpec) -> None:
    found = trials(sign.key, sign.versions[-1]).trials
    assert found
    for trial, example in zip(found, sign.examples(sign.versions[-1]), strict=True):
        legal = [*sign.rules.legal(example.state, example.seat)]
        tried = [answer.action for answer in trial.tries if answer.reason is None]
        assert {repr(action) for action in tried} == {
            repr(action) for action in legal if type(action) in {type(one) for one in example.actions}
        }
        refused = {answer.reason.code for answer in trial.tries if answer.reason}
        assert refused <= set(rule_ids(sign).reasons)
        assert len(refused) >= 3, "an example shows more than one way to be wrong"


@every_sign
def test_an_example_tells_what_a_move_would_change(sign: GameSpec) -> None:
    (first, *_) = trials(sign.key, sign.versions[-1]).trials
    assert any(answer.changes for answer in first.tries)
