"""A person at the terminal against bots."""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from polyopolis.bots import Bot, choose
from polyopolis.bots.bot_protocol import tag_of
from polyopolis.cli.output_files import CannotKeep, keep
from polyopolis.cli.phrases import count, say
from polyopolis.cli.terminal.box_drawing import NO_MARKS, Marks
from polyopolis.cli.terminal.campaign_file import SavedCampaign
from polyopolis.cli.terminal.score_tables import change_table, side_by_side
from polyopolis.cli.terminal.screen import Screen
from polyopolis.engine import Dealer, Match, derive_seed, seed_of
from polyopolis.records import Record, record_of

ME = 0
PAGE = 10
"""How many places a list shows at once."""
LOG = 16
YES = ("", "y", "yes")
_CELL = re.compile(r"[a-z][0-9]{1,2}")
PARTIAL = ("not-the-shape", "not-neighbours")
"""Reasons that may only mean that more cells are to be named."""


class PlayerQuit(Exception):
    """The player goes."""


@dataclass
class Choosing:
    """The places, or other choices with a name, that are left while a player names cells."""

    places: list[Any]
    cells: tuple[str, ...] = ()
    shown: int = 0
    listed: bool = False


@dataclass
class TerminalGame:
    """The match, who plays it, and the terminal in between."""

    console: Console
    screen: Screen
    match: Match
    names: tuple[str, ...]
    bots: dict[int, Bot]
    seed: str
    file: Path | None = None
    journey: SavedCampaign | None = None
    """The campaign that the match belongs to."""
    _shown: int = field(default=0, init=False)
    _greeted: bool = field(default=False, init=False)
    _left_before: bool = field(default=False, init=False)
    """The match was begun in another sitting, with luck that follows from another seed."""

    def __post_init__(self) -> None:
        self._shown, self._left_before = len(self.match.events), bool(self.match.moves)

    def play(self) -> None:
        """The whole game, or one episode after the other; leaving early keeps what was played."""
        try:
            self._play_out()
            while self._goes_on():
                self._play_out()
            self._say("play", "seed", seed=self.seed)
            self._say_saved()
        except (PlayerQuit, EOFError, KeyboardInterrupt) as leaving:
            self._save()
            self.console.print()
            self._say("play", "leave")
            self._say_saved()
            if isinstance(leaving, KeyboardInterrupt):
                raise

    def _play_out(self) -> None:
        while not self.match.over:
            self._save()
            self._round()
        self._save()
        self._show()
        self._say("play", "episode-over" if self.journey else "over")
        self._sheet()

    def _goes_on(self) -> bool:
        """Between two episodes: how it stands, and the next one if there is one and the player wants it."""
        if not self.journey:
            return False
        self.journey = self.journey.add(self.match, self._record)
        campaign = self.journey.campaign
        self.console.print(side_by_side(campaign.standings(), self.names, self.screen.words))
        if self.journey.over:
            self._say("play", "campaign-over")
            return False
        self._say("play", "between", played=len(campaign.matches), episodes=len(campaign.plan))
        self.match, self._shown, self._left_before = self.journey.next_match(), 0, False
        while (typed := self._ask("next").lower()) not in YES:
            if typed in ("q", "quit"):
                self._quit()
        return True

    def _round(self) -> None:
        self.match = self.match.deal(self._dealer)
        for seat in sorted(self.match.due - {ME}):
            self.match = self.match.decide(seat, choose(self.bots[seat], self.match, seat, self._bot_seed))
        if ME in self.match.due:
            self.match = self.match.decide(ME, self._choice())

    @property
    def _luck(self) -> bytes:
        seed = seed_of(self.seed)
        return self.journey.seed_of_next(seed) if self.journey else seed

    @property
    def _dealer(self) -> Dealer:
        return Dealer(self._luck)

    @property
    def _bot_seed(self) -> bytes:
        seed = derive_seed(seed_of(self.seed), "bots", 0)
        return self.journey.seed_of_next(seed) if self.journey else seed

    @property
    def _record(self) -> Record:
        return record_of(self.match, self.names, None if self._left_before else self._luck)

    def _save(self) -> None:
        if self.file:
            keep(self.journey.file(self._record, self.names) if self.journey else self._record, self.file)

    def _say_saved(self) -> None:
        if self.file:
            self._say("play", "saved", file=self.file)

    # What is on the screen.

    def _say(self, topic: str, code: str, **about: Any) -> None:
        self._print(self.screen.words(topic, code, **about))

    def _print(self, *lines: str | Text) -> None:
        for line in lines:
            self.console.print(line, soft_wrap=True)

    @property
    def _view(self) -> Any:
        return self.match.game.view(self.match.state, ME)

    def _show(self, marks: Marks = NO_MARKS) -> None:
        """The table, with what happened since it was last complete."""
        if self.console.is_terminal:
            self.console.clear()
        else:
            self.console.print()
        self._print(*self.screen.page(self._view, ME, self.names, marks, self.console.width))
        self._print("", *self._news())

    def _news(self) -> list[str]:
        """What happened since this player last decided."""
        news = [self.screen.words.event(event, self.names) for event in self.match.events[self._shown :]]
        return news[-LOG:]

    # How a player chooses.

    def _choice(self) -> Any:
        self._show()
        if not self._greeted:
            self._greeted = True
            self._print(self.screen.words("game", "credit"), self.screen.words("play", "greeting"))
        choosing = self._fresh()
        if not choosing.places:
            self._say("play", "no-place")
        while True:
            action = self._answer(choosing, self._ask("ask").lower())
            if action is not None and self._confirmed(action):
                self._shown = len(self.match.events)
                return action

    def _fresh(self) -> Choosing:
        legal = self.match.game.legal(self.match.state, ME)
        return Choosing(sorted((action for action in legal if _named(action)), key=_reading_order))

    def _ask(self, question: str) -> str:
        self.console.print(self.screen.words("play", question), end="", soft_wrap=True)
        typed = input().strip()
        if not sys.stdin.isatty():
            self._print(typed)  # a terminal shows what is typed, a pipe does not
        return typed

    def _answer(self, choosing: Choosing, typed: str) -> Any | None:
        """The action that the player means, if it is clear now."""
        words = typed.replace(",", " ").split()
        if len(words) == 1 and words[0].isdecimal():
            return self._picked(choosing, int(words[0]))
        known = {word for place in choosing.places for word in _named(place)}
        if words and all(word in known or _CELL.fullmatch(word) for word in words):
            return self._narrowed(choosing, tuple(dict.fromkeys(words)))
        if typed in self.screen.verbs:
            return self._said(self.screen.verbs[typed])
        if not words:
            self._anew(choosing)
        elif words[0] in self._commands:
            self._commands[words[0]](choosing, words[1:])
        else:
            self._say("play", "unknown", word=typed)
        return None

    def _anew(self, choosing: Choosing) -> None:
        fresh = self._fresh()
        choosing.places, choosing.cells, choosing.listed = fresh.places, (), False
        self._show()
        self._say("play", "anew")

    def _picked(self, choosing: Choosing, number: int) -> Any | None:
        if not choosing.listed:
            self._say("play", "no-list")
        elif not 1 <= number <= len(choosing.places):
            self._say("play", "no-number", n=len(choosing.places))
        else:
            return choosing.places[number - 1]
        return None

    def _narrowed(self, choosing: Choosing, cells: tuple[str, ...]) -> Any | None:
        """Only the places that cover all the cells named so far."""
        wanted = {*choosing.cells, *cells}
        left = [place for place in choosing.places if wanted <= {*_named(place)}]
        if not left:
            self._print(self._why_none(choosing, cells))
            return None
        if len(left) == 1:
            return left[0]
        choosing.places, choosing.cells, choosing.shown, choosing.listed = left, (*choosing.cells, *cells), 0, True
        self._say("play", "narrowed", places=count("place", len(left)), cells=" ".join(choosing.cells))
        self._list(choosing)
        return None

    def _why_none(self, choosing: Choosing, cells: tuple[str, ...]) -> str:
        """The rule that forbids it if the cells are a whole place or are not on the board; else what is not covered."""
        places = self._fresh().places
        everywhere = {cell for place in places for cell in _named(place)}
        named = (*choosing.cells, *cells)
        reason = self.match.why_not(ME, self.screen.place(named))
        if reason and (reason.code not in PARTIAL or (places and len(named) >= len(_named(places[0])))):
            return self.screen.words.reason(reason)
        if lost := [cell for cell in cells if cell not in everywhere]:
            return self.screen.words("play", "none-covers", cells=" ".join(lost))
        return self.screen.words("play", "none-covers-all", cells=" ".join(named))

    def _list(self, choosing: Choosing) -> None:
        """The next page of the places that are left, each with the points it would bring."""
        score = self.match.result.scores[ME]
        until = min(choosing.shown + PAGE, len(choosing.places))
        for number in range(choosing.shown, until):
            place = choosing.places[number]
            gain = self._after(place).result.scores[ME] - score
            self._print(f"{number + 1:>4}  {' '.join(_named(place)):<20} {gain:+}")
        choosing.shown = until
        if until < len(choosing.places):
            self._say("play", "more")

    def _said(self, action: Any) -> Any | None:
        if reason := self.match.why_not(ME, action):
            self._print(self.screen.words.reason(reason))
            return None
        return action

    def _after(self, action: Any) -> Match:
        """The match once this is done. Others have staged theirs; of what it gives only the own sheet is shown."""
        return self.match.decide(ME, action)

    def _confirmed(self, action: Any) -> bool:
        """The action on the board, with what it changes; then yes or back."""
        if marks := self.screen.preview(self._view, ME, action):
            self._show(marks)
        before, after = self.match.result.sheets[ME], self._after(action).result.sheets[ME]
        table = change_table(before, after, self.screen.words)
        self.console.print(table or say("play", "no-change"))
        verb = tag_of(action)
        answer = self._ask(f"confirm-{verb}").lower()
        if answer == "quit":
            self._quit(None, [])
        if answer in (YES[1:] if verb == "stop" else YES):
            return True
        if marks:
            self._show()
        self._say("play", "back")
        return False

    # The other words a player may say.

    @property
    def _commands(self) -> dict[str, Callable[[Choosing, Sequence[str]], None]]:
        return {
            "more": self._more,
            "back": lambda choosing, _: self._anew(choosing),
            "places": self._places,
            "list": self._list_all,
            "sheet": lambda *_: self._sheet(),
            "deck": lambda *_: self._print(*self.screen.deck(self._view)),
            "board": self._board,
            "help": lambda *_: self._print(self.screen.words("help", "text").strip("\n")),
            "quit": self._quit,
        }

    def _more(self, choosing: Choosing, _: Sequence[str]) -> None:
        if choosing.listed and choosing.shown < len(choosing.places):
            self._list(choosing)
        else:
            self._say("play", "no-more" if choosing.listed else "no-list")

    def _list_all(self, choosing: Choosing, _: Sequence[str]) -> None:
        choosing.shown, choosing.listed = 0, bool(choosing.places)
        if choosing.places:
            self._list(choosing)
        else:
            self._say("play", "no-place")

    def _places(self, choosing: Choosing, _: Sequence[str]) -> None:
        if not choosing.places:
            self._say("play", "no-place")
            return
        self._show(self.screen.counts(Counter(cell for place in choosing.places for cell in _named(place))))
        self._say("play", "places", places=count("place", len(choosing.places)))

    def _sheet(self) -> None:
        self.console.print(side_by_side(self.match.result, self.names, self.screen.words))

    def _board(self, _: Choosing, number: Sequence[str]) -> None:
        seats = {str(seat): seat for seat in range(len(self.names))}
        if len(number) == 1 and number[0] in seats:
            seat = seats[number[0]]
            self._print(self.names[seat], *self.screen.board(self._view, seat))
        else:
            known = ", ".join(f"{seat} {name}" for seat, name in enumerate(self.names))
            self._say("play", "which-board", known=known)

    def _quit(self, *_: Any) -> None:
        """Leaves, but offers to keep the game first."""
        while not self.file and (typed := self._ask("quit")):
            self.file = Path(typed)
            try:
                self._save()
            except CannotKeep as error:
                self._print(f"{error}.")
                self.file = None
        raise PlayerQuit


def _named(action: Any) -> tuple[str, ...]:
    """The words that name an action: its cells, or else its type and what it is about; none if its type says it all."""
    if hasattr(action, "cells"):
        return tuple(action.cells)
    about = [getattr(action, field) for field in action.__struct_fields__]
    words = [word for value in about for word in (value if isinstance(value, tuple) else [value])]
    return (tag_of(action), *words) if about else ()


def _reading_order(action: Any) -> tuple[bool, list[tuple[int, str]]]:
    """Cells row by row; what has none comes after them, as it came."""
    cells = getattr(action, "cells", ())
    return not cells, [(int(cell[1:]), cell[0]) for cell in cells]


def names_of(name: str, bots: Sequence[str], players: int) -> Iterator[str]:
    """The players; bots of one name are told apart by their seats, and who has no seat is the Automa."""
    yield name
    for seat, bot in enumerate(bots, start=1):
        yield f"{bot} {seat}" if bots.count(bot) > 1 or bot == name else bot
    yield from [say("play", "automa")] * (players - 1 - len(bots))
