"""Every rule of docs/games has a test that names it, and tests name existing rules only."""

import ast
import re
from pathlib import Path

import pytest

from polyopolis.games import BUILTIN_SPECS

KEYS = [sign.key for sign in BUILTIN_SPECS]
TESTS = Path(__file__).parent
DOCS = TESTS.parent / "docs" / "games"
RULE = re.compile(r"^\s*(?:[-*]\s+)?\*\*([A-Z]+-[A-Z]?\d+)\*\*", re.MULTILINE)


def rules_of(key: str) -> list[str]:
    """Returns the rule ids on the rules pages of a game: each rule starts its line with its id in bold."""
    return [rule for page in sorted(DOCS.glob(f"{key}*.md")) for rule in RULE.findall(page.read_text("utf-8"))]


def marks_of(key: str) -> set[str]:
    """Returns the rule ids named by the marks of a game's tests."""
    files = (TESTS / "games" / key).rglob("test_*.py")
    return {mark for file in files for mark in marks_in(file.read_text("utf-8"))}


def marks_in(source: str) -> list[str]:
    """Returns the ids of `@pytest.mark.rule("...")` on the test functions of a source text."""
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


def test_marks_are_found_on_test_functions_only() -> None:
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


def test_rule_ids_are_found_at_the_start_of_a_line_only() -> None:
    page = "- **MC-1** Buildings, see **MC-9**.\n**MC-E2** Wells.\nText of **MC-3**.\n"
    assert RULE.findall(page) == ["MC-1", "MC-E2"]


@pytest.mark.parametrize("key", KEYS)
def test_rule_ids_are_unique(key: str) -> None:
    rules = rules_of(key)
    assert rules
    assert len(set(rules)) == len(rules)


@pytest.mark.parametrize("key", KEYS)
def test_every_rule_has_a_test(key: str) -> None:
    assert sorted(set(rules_of(key)) - marks_of(key)) == []


@pytest.mark.parametrize("key", KEYS)
def test_every_mark_names_a_rule(key: str) -> None:
    assert sorted(marks_of(key) - set(rules_of(key))) == []
