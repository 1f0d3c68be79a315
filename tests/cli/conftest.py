"""The command line called as the shell calls it, with what it is told and what it says."""

import sys
from collections.abc import Iterable
from io import BytesIO, TextIOWrapper
from typing import NamedTuple, Protocol

import pytest

from polyopolis.cli import main


class Said(NamedTuple):
    code: int
    out: str
    err: str


class Run(Protocol):
    def __call__(self, *args: object, typed: Iterable[str] = ()) -> Said: ...


TERMINAL = ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE", "PORT")


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Removes what changes the output or the options, however the tests are started."""
    for name in TERMINAL:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "dumb")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def call(*args: object, typed: Iterable[str] = ()) -> Said:
        pipe = TextIOWrapper(BytesIO("".join(f"{line}\n" for line in typed).encode()))
        monkeypatch.setattr(sys, "stdin", pipe)
        code = main([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return call
