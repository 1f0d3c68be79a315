"""All reasons and score lines have a rule id, and examples agree with the rules."""

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
"""Reasons for requests that no client should send; they have no rule."""

every_spec = pytest.mark.parametrize("spec", BUILTIN_SPECS, ids=lambda spec: spec.key)


def rule_ids(spec: GameSpec) -> RuleIds:
    assert spec.outline
    found = spec.outline(spec.versions[-1]).rules  # type: ignore[attr-defined]
    assert isinstance(found, RuleIds)
    return found


def codes_in(file: Path) -> set[str]:
    """Returns the codes of all reasons in a source file."""
    calls = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Call)]
    reasons = [call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Reason"]
    return {
        node.value
        for reason in reasons
        for node in ast.walk(reason)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def reasons_of(spec: GameSpec) -> set[str]:
    files = [*(GAMES / spec.key).rglob("*.py")]
    builds = any("from polyopolis.games.placement import" in file.read_text("utf-8") for file in files)
    shared = codes_in(GAMES / "placement.py") if builds else set()
    return shared.union(*map(codes_in, files)) - OF_THE_TABLE


def test_codes_are_found_where_reasons_are_given() -> None:
    assert codes_in(GAMES / "placement.py") == {
        "off-board", "not-the-shape", "flipped", "not-meadow", "built-over", "both-banks", "not-touching",
    }  # fmt: skip


@every_spec
def test_every_reason_has_a_rule(spec: GameSpec) -> None:
    assert set(rule_ids(spec).reasons) == reasons_of(spec)


@every_spec
def test_reasons_and_lines_name_existing_rules(spec: GameSpec) -> None:
    ids = rule_ids(spec)
    assert {*ids.reasons.values(), *ids.lines.values()} <= set(rules_of(spec.key))


def lines_of(spec: GameSpec) -> set[str]:
    """Returns the lines of the first sheets of matches, of races, and of tokens."""
    assert spec.outline
    modes: tuple[Mode, ...] = spec.outline(spec.versions[-1]).modes  # type: ignore[attr-defined]
    found = set(getattr(spec.content(spec.versions[-1]), "tokens", ()))
    for mode in modes:
        setup = spec.rules.Setup(**{"seats": 2 if mode.seats is UNSET else mode.seats[0], **mode.setup})
        state = spec.rules.start(setup)
        found |= {line.line for sheet in spec.rules.scores(state).sheets for line in sheet}
        found |= {race.race for race in getattr(state, "open_races", ())}
    return found


@every_spec
def test_every_line_of_a_sheet_has_a_rule(spec: GameSpec) -> None:
    assert lines_of(spec)
    assert not lines_of(spec) - set(rule_ids(spec).lines)


@every_spec
def test_examples_agree_with_the_rules(spec: GameSpec) -> None:
    found = trials(spec.key, spec.versions[-1]).trials
    assert found
    for trial, example in zip(found, spec.examples(spec.versions[-1]), strict=True):
        legal = [*spec.rules.legal(example.state, example.seat)]
        tried = [answer.action for answer in trial.tries if answer.reason is None]
        assert {repr(action) for action in tried} == {
            repr(action) for action in legal if type(action) in {type(one) for one in example.actions}
        }
        refused = {answer.reason.code for answer in trial.tries if answer.reason}
        assert refused <= set(rule_ids(spec).reasons)
        assert len(refused) >= 3, "an example shows more than one way to be wrong"


@every_spec
def test_an_example_shows_the_result_of_a_move(spec: GameSpec) -> None:
    (first, *_) = trials(spec.key, spec.versions[-1]).trials
    assert any(answer.changes for answer in first.tries)
