"""Reviews in the terminal: what luck and skill made of a game, and the moments that mattered."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET
from rich import box
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
from rich.table import Table

from polyopolis.analysis import Account, Choice, Decision, MatchReview, Review, Strength, reviewed
from polyopolis.cli.output_files import reason
from polyopolis.cli.phrases import catalogue, count, say
from polyopolis.cli.terminal.screen import screen_of
from polyopolis.engine import PolyopolisError, describe_action
from polyopolis.records import CampaignRecord, Record, RecordError, read


class ReviewedFile(msgspec.Struct, frozen=True):
    """A file and what is to be said of it."""

    file: str
    record: Record | CampaignRecord
    review: Review

    @property
    def records(self) -> tuple[Record, ...]:
        return self.record.records if isinstance(self.record, CampaignRecord) else (self.record,)

    def names(self, match: MatchReview) -> list[str]:
        given = () if self.record.players is UNSET else self.record.players
        return [
            given[seat] if seat < len(given) else say("review", "seat", n=seat + 1)
            for seat in range(len(match.accounts))
        ]


def of_files(paths: Sequence[Path]) -> Iterator[ReviewedFile]:
    """One file after the other, with a bar on a terminal."""
    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        for path in paths:
            task = bar.add_task(path.name, total=1.0)
            record, review = _read(path), None
            try:
                for progress in reviewed(record):
                    bar.update(task, completed=progress.done)
                    review = progress.review or review
            except PolyopolisError as error:
                raise RecordError(f"{path}: {error}") from error
            assert review
            bar.remove_task(task)
            yield ReviewedFile(str(path), record, review)


def _read(path: Path) -> Record | CampaignRecord:
    try:
        return read(path)
    except OSError as error:
        raise RecordError(f"{path}: {reason(error)}") from error


def as_json(found: Sequence[ReviewedFile]) -> str:
    values = [{"file": each.file, "review": msgspec.to_builtins(each.review)} for each in found]
    return msgspec.json.format(msgspec.json.encode(values), indent=1).decode()


def page(found: ReviewedFile) -> Iterator[RenderableType]:
    """What is said of a file."""
    review = found.review
    for number, match in enumerate(review.matches, 1):
        about = say("review", "episode", n=number, of=len(review.matches)) if len(review.matches) > 1 else ""
        yield say("review", "about", file=found.file, game=review.game, futures=review.futures) + about
        yield _accounts(match, found.names(match))
        yield from strengths(review.game, match, found.names(match))
        yield from sentences(match, found.names(match))
        yield ""


def _accounts(match: MatchReview, names: Sequence[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for heading in COLUMNS:
        table.add_column(say("review", heading), justify="right", no_wrap=True)
    for account in match.accounts:
        table.add_row(names[account.seat], *cells(account))
        if account.start.chance:
            table.add_row(say("review", "chance"), *_chances(account))
    return table


COLUMNS = ("start", "luck", "skill", "others", "result")


def cells(account: Account) -> list[str]:
    changes = [amount.points for amount in (account.luck, account.skill, account.others)]
    told = [f"{points.mean:+.1f} ± {points.error:.1f}" for points in changes]
    return [f"{account.start.points.mean:.1f}", *told, f"{account.result.points.mean:g}"]


def _chances(account: Account) -> list[str]:
    """The same for the chance to win."""
    amounts = account.start, account.luck, account.skill, account.others, account.result
    first, *others = [amount.chance.mean if amount.chance else 0.0 for amount in amounts]
    *changes, last = others
    return [f"{first:.0%}", *(f"{change:+.0%}" for change in changes), f"{last:.0%}"]


def strengths(key: str, match: MatchReview, names: Sequence[str]) -> Iterator[str]:
    """How well everybody decided, and like whom."""
    rated = {strength.seat: strength for strength in match.strengths}
    for account in match.accounts:
        each = account.loss.points.mean / max(account.decisions, 1)
        about = {"name": names[account.seat], "loss": f"{each:.2f}", "mistakes": account.mistakes}
        told = say("review", "decided", decisions=count("decision", account.decisions), **about)
        if strength := rated.get(account.seat):
            told += like(strength)
            if strength.topics:
                told += say("review", "best-with", what=kind_of(key, strength.topics[0].topic))
        yield told + "."


def like(strength: Strength) -> str:
    """Like which level, or between which ones that cannot be told apart."""
    first, last = strength.alike
    if first < last:
        return say("review", "like-some", first=first, last=last)
    return say("review", "like", **{name: f"{getattr(strength, name):.1f}" for name in ("level", "low", "high")})


def kind_of(key: str, topic: str) -> str:
    """What was decided on, in the words of the game."""
    words = screen_of(key).words
    return words("kind", topic) if words.has("kind", topic) else say("topic", topic)


def sentences(match: MatchReview, names: Sequence[str]) -> Iterator[str]:
    """The moments that mattered."""
    decisions = {(decision.move, decision.seat): decision for decision in match.decisions}
    chances = {chance.move: chance for chance in match.chances}
    for moment in match.moments:
        decision = decisions.get((moment.move, moment.seat))
        about = {"n": moment.move + 1, "name": names[moment.seat], "points": f"{abs(moment.amount.points.mean):.1f}"}
        if moment.kind in ("luck", "misfortune"):
            yield say("moment", moment.kind, what=describe_action(chances[moment.move].action), **about)
        elif decision:
            yield lost_or_found(moment.kind, decision, about)


def lost_or_found(kind: str, decision: Decision, about: dict[str, Any]) -> str:
    told = say(
        "moment",
        kind,
        what=describe_action(decision.played.action),
        better=describe_action(decision.best.action),
        **about,
    )
    return told + (why(decision.best) if kind == "loss" else why(decision.played))


def why(choice: Choice) -> str:
    """What speaks for it, as hints weigh it."""
    known = catalogue()["feature"]
    said = [known.get(saying.feature, saying.feature.replace("-", " ")) for saying in choice.pro]
    return say("review", "why", what=", ".join(said)) if said else ""
