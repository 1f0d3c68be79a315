"""Reviews as text: the account of luck and skill, the strength of each player, and the moments that mattered most."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET
from rich import box
from rich.console import RenderableType
from rich.progress import BarColumn, TaskProgressColumn, TextColumn
from rich.table import Table

from polyopolis.analysis import Choice, Decision, MatchReview, ResultBreakdown, Review, Strength, review_record
from polyopolis.cli.console import progress_bar
from polyopolis.cli.output_files import os_error_reason
from polyopolis.cli.phrases import phrase, quantity, shared_phrases
from polyopolis.cli.terminal.screen import screen_of
from polyopolis.engine import PolyopolisError, describe_action
from polyopolis.records import CampaignRecord, Record, RecordError, read


class ReviewedFile(msgspec.Struct, frozen=True):
    """A record with its review."""

    file: str
    record: Record | CampaignRecord
    review: Review

    def names(self, match: MatchReview) -> list[str]:
        given = () if self.record.players is UNSET else self.record.players
        return [
            given[seat] if seat < len(given) else phrase("review", "seat", n=seat + 1)
            for seat in range(len(match.accounts))
        ]


def review_files(paths: Sequence[Path]) -> Iterator[ReviewedFile]:
    """Reviews one file after the other, with a progress bar. Raises `RecordError` with the path."""
    with progress_bar(TextColumn("{task.description}"), BarColumn(), TaskProgressColumn()) as bar:
        for path in paths:
            task = bar.add_task(path.name, total=1.0)
            record, review = _read(path), None
            try:
                for progress in review_record(record):
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
        raise RecordError(f"{path}: {os_error_reason(error)}") from error


def reviews_json(found: Sequence[ReviewedFile]) -> str:
    values = [{"file": each.file, "review": msgspec.to_builtins(each.review)} for each in found]
    return msgspec.json.format(msgspec.json.encode(values), indent=1).decode()


def report_lines(found: ReviewedFile) -> Iterator[RenderableType]:
    """Yields the review of a file as tables and sentences."""
    review = found.review
    for number, match in enumerate(review.matches, 1):
        about = phrase("review", "episode", n=number, of=len(review.matches)) if len(review.matches) > 1 else ""
        yield phrase("review", "about", file=found.file, game=review.game, futures=review.futures) + about
        yield _account_table(match, found.names(match))
        yield from strength_sentences(review.game, match, found.names(match))
        yield from moment_sentences(match, found.names(match))
        yield ""


def _account_table(match: MatchReview, names: Sequence[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for heading in COLUMNS:
        table.add_column(phrase("review", heading), justify="right", no_wrap=True)
    for account in match.accounts:
        table.add_row(names[account.seat], *account_cells(account))
        if account.start.chance:
            table.add_row(phrase("review", "chance"), *_chance_cells(account))
    return table


COLUMNS = ("start", "luck", "skill", "others", "result")


def account_cells(account: ResultBreakdown) -> list[str]:
    """Returns the points of an account, by column."""
    changes = [amount.points for amount in (account.luck, account.skill, account.others)]
    cells = [f"{points.mean:+.1f} ± {points.error:.1f}" for points in changes]
    return [f"{account.start.points.mean:.1f}", *cells, f"{account.result.points.mean:g}"]


def _chance_cells(account: ResultBreakdown) -> list[str]:
    """Returns the win probabilities of an account, by column."""
    amounts = account.start, account.luck, account.skill, account.others, account.result
    first, *others = [amount.chance.mean if amount.chance else 0.0 for amount in amounts]
    *changes, last = others
    return [f"{first:.0%}", *(f"{change:+.0%}" for change in changes), f"{last:.0%}"]


def strength_sentences(key: str, match: MatchReview, names: Sequence[str]) -> Iterator[str]:
    """Yields a sentence for each player: mistakes, mean loss and the level of similar strength."""
    strengths = {strength.seat: strength for strength in match.strengths}
    for account in match.accounts:
        loss = account.loss.points.mean / max(account.decisions, 1)
        about = {"name": names[account.seat], "loss": f"{loss:.2f}", "mistakes": account.mistakes}
        sentence = phrase("review", "decided", decisions=quantity("decision", account.decisions), **about)
        if strength := strengths.get(account.seat):
            sentence += _level_comparison(strength)
            if strength.topics:
                sentence += phrase("review", "best-with", what=_topic_name(key, strength.topics[0].topic))
        yield sentence + "."


def _level_comparison(strength: Strength) -> str:
    first, last = strength.alike
    if first < last:
        return phrase("review", "like-some", first=first, last=last)
    return phrase("review", "like", **{name: f"{getattr(strength, name):.1f}" for name in ("level", "low", "high")})


def _topic_name(key: str, topic: str) -> str:
    """Returns the name of a topic of decisions: a kind of the game, or a shared phrase."""
    words = screen_of(key).words
    return words("kind", topic) if words.has("kind", topic) else phrase("topic", topic)


def moment_sentences(match: MatchReview, names: Sequence[str]) -> Iterator[str]:
    """Yields a sentence for each moment that mattered."""
    decisions = {(decision.move, decision.seat): decision for decision in match.decisions}
    chances = {chance.move: chance for chance in match.chances}
    for moment in match.moments:
        decision = decisions.get((moment.move, moment.seat))
        about = {"n": moment.move + 1, "name": names[moment.seat], "points": f"{abs(moment.amount.points.mean):.1f}"}
        if moment.kind in ("luck", "misfortune"):
            yield phrase("moment", moment.kind, what=describe_action(chances[moment.move].action), **about)
        elif decision:
            yield decision_sentence(moment.kind, decision, about)


def decision_sentence(kind: str, decision: Decision, about: dict[str, Any]) -> str:
    """Returns the sentence for a decision that lost points (`loss`) or gained some (`find`), with the reasons."""
    played, best = describe_action(decision.played.action), describe_action(decision.best.action)
    sentence = phrase("moment", kind, what=played, better=best, **about)
    return sentence + _reasons(decision.best if kind == "loss" else decision.played)


def _reasons(choice: Choice) -> str:
    """Returns a sentence with the features that favour a choice, as in hints."""
    known = shared_phrases()["feature"]
    reasons = [known.get(saying.feature, saying.feature.replace("-", " ")) for saying in choice.pro]
    return phrase("review", "why", what=", ".join(reasons)) if reasons else ""
