"""Every rule of the rules pages has a test that tells it, and no test tells a rule that is not there."""

import ast
import re
from pathlib import Path

import pytest

from polyopolis.games import HOUSE

KEYS = [sign.key for sign in HOUSE]
TESTS = Path(__file__).parent
DOCS = TESTS.parent / "docs" / "games"
RULE = re.compile(r"^\s*(?:[-*]\s+)?\*\*([A-Z]+-[A-Z]?\d+)\*\*", re.MULTILINE)


def rules_of(key: str) -> list[str]:
    """The ids of the rules pages of a game: each rule begins its line with its id in bold."""
    return [rule for page in sorted(DOCS.glob(f"{key}*.md")) for rule in RULE.findall(page.read_text("utf-8"))]


def marks_of(key: str) -> set[str]:
    """The ids that the tests of a game are marked with."""
    files = (TESTS / "games" / key).rglob("test_*.py")
    return {mark for file in files for mark in marks_in(file.read_text("utf-8"))}


def marks_in(source: str) -> list[str]:
    """The ids of `@pytest.mark.rule("...")` on the tests of a file."""
    functions = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    return [
        str(mark.args[0].value)
        for function in functions
        for mark in function.decorator_list
        if isinstance(mark, ast.Call)
        and ast.unparse(mark.func) == "pytest.mark.rule"
        and isinstance(mark.args[0], ast.Constant)
    ]


def test_a_mark_is_found_where_it_stands() -> None:
    source = """
@pytest.mark.rule("MC-1")
@pytest.mark.rule("MC-2")
def test_one(): ...

@pytest.mark.rule("MC-3")
def not_a_test(): ...

@pytest.mark.slow
def test_other(): ...
"""
    assert marks_in(source) == ["MC-1", "MC-2"]


def test_a_rule_is_found_where_it_begins_its_line() -> None:
    page = "- **MC-1** Buildings, see **MC-9**.\n**MC-E2** Wells.\nText of **MC-3**.\n"
    assert RULE.findall(page) == ["MC-1", "MC-E2"]


@pytest.mark.parametrize("key", KEYS)
def test_every_rule_has_an_id_of_its_own(key: str) -> None:
    rules = rules_of(key)
    assert rules
    assert len(set(rules)) == len(rules)


@pytest.mark.parametrize("key", KEYS)
def test_every_rule_is_told_by_a_test(key: str) -> None:
    assert sorted(set(rules_of(key)) - marks_of(key)) == []


@pytest.mark.parametrize("key", KEYS)
def test_every_mark_names_a_rule(key: str) -> None:
    assert sorted(marks_of(key) - set(rules_of(key))) == []
