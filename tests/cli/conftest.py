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


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def call(*args: object, typed: Iterable[str] = ()) -> Said:
        pipe = TextIOWrapper(BytesIO("".join(f"{line}\n" for line in typed).encode()))
        monkeypatch.setattr(sys, "stdin", pipe)
        code = main([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return call
