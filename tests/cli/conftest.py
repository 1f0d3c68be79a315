"""Runs commands in this process, with captured input and output."""

import sys
from collections.abc import Iterable
from io import BytesIO, TextIOWrapper
from typing import NamedTuple, Protocol

import pytest

from polyopolis.cli import main


class CommandResult(NamedTuple):
    code: int
    out: str
    err: str


class Run(Protocol):
    def __call__(self, *args: object, typed: Iterable[str] = ()) -> CommandResult: ...


TERMINAL = ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE", "PORT")


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Removes environment variables that change the output or the options."""
    for name in TERMINAL:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "dumb")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def call(*args: object, typed: Iterable[str] = ()) -> CommandResult:
        pipe = TextIOWrapper(BytesIO("".join(f"{line}\n" for line in typed).encode()))
        monkeypatch.setattr(sys, "stdin", pipe)
        code = main([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return CommandResult(code, out, err)

    return call
