"""A game of one person against bots in the terminal."""

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
from polyopolis.cli.output_files import CannotWrite, write_record
from polyopolis.cli.phrases import phrase, quantity
from polyopolis.cli.terminal.box_drawing import NO_MARKS, Marks
from polyopolis.cli.terminal.campaign_file import SavedCampaign
from polyopolis.cli.terminal.score_tables import change_table, sheet_table
from polyopolis.cli.terminal.screen import Screen
from polyopolis.engine import Dealer, Match, derive_seed, seed_of
from polyopolis.records import Record, record_of

PLAYER_SEAT = 0
LIST_PAGE_SIZE = 10
MAX_EVENT_LINES = 16
YES = ("", "y", "yes")
_CELL = re.compile(r"[a-z][0-9]{1,2}")
INCOMPLETE_REASONS = ("not-the-shape", "not-neighbours")
"""Reasons that can mean that the player has not named all cells yet."""


class PlayerQuit(Exception):
    """The player leaves the game."""


@dataclass
class ChoiceList:
    """The choices that match the cells named so far. Most choices are places for a building."""

    places: list[Any]
    cells: tuple[str, ...] = ()
    shown: int = 0
    listed: bool = False


@dataclass
class TerminalGame:
    """Plays a match, or a campaign, at the terminal. The person has seat `PLAYER_SEAT`."""

    console: Console
    screen: Screen
    match: Match
    names: tuple[str, ...]
    bots: dict[int, Bot]
    seed: str
    file: Path | None = None
    campaign: SavedCampaign | None = None
    """Campaign to which the match belongs."""
    _shown_events: int = field(default=0, init=False)
    _greeted: bool = field(default=False, init=False)
    _resumed: bool = field(default=False, init=False)
    """The match was started by an earlier command, so its seed is not the one of this command."""

    def __post_init__(self) -> None:
        self._shown_events, self._resumed = len(self.match.events), bool(self.match.moves)

    def play(self) -> None:
        """Plays until the game or the campaign is over. A player who leaves early keeps the record."""
        try:
            self._play_out()
            while self._start_next_episode():
                self._play_out()
            self._print_phrase("play", "seed", seed=self.seed)
            self._print_saved()
        except (PlayerQuit, EOFError, KeyboardInterrupt) as leaving:
            self._save()
            self.console.print()
            self._print_phrase("play", "leave")
            self._print_saved()
            if isinstance(leaving, KeyboardInterrupt):
                raise

    def _play_out(self) -> None:
        while not self.match.over:
            self._save()
            self._play_round()
        self._save()
        self._show()
        self._print_phrase("play", "episode-over" if self.campaign else "over")
        self._print_sheets()

    def _start_next_episode(self) -> bool:
        """Shows the standings and asks for the next episode. Returns whether it starts; leaving raises `PlayerQuit`."""
        if not self.campaign:
            return False
        self.campaign = self.campaign.add(self.match, self._record)
        campaign = self.campaign.campaign
        self.console.print(sheet_table(campaign.standings(), self.names, self.screen.words))
        if self.campaign.over:
            self._print_phrase("play", "campaign-over")
            return False
        self._print_phrase("play", "between", played=len(campaign.matches), episodes=len(campaign.plan))
        self.match, self._shown_events, self._resumed = self.campaign.next_match(), 0, False
        while (typed := self._ask("next").lower()) not in YES:
            if typed in ("q", "quit"):
                self._quit()
        return True

    def _play_round(self) -> None:
        self.match = self.match.deal(self._dealer)
        for seat in sorted(self.match.due - {PLAYER_SEAT}):
            self.match = self.match.decide(seat, choose(self.bots[seat], self.match, seat, self._bot_seed))
        if PLAYER_SEAT in self.match.due:
            self.match = self.match.decide(PLAYER_SEAT, self._choose())

    @property
    def _match_seed(self) -> bytes:
        seed = seed_of(self.seed)
        return self.campaign.seed_of_next(seed) if self.campaign else seed

    @property
    def _dealer(self) -> Dealer:
        return Dealer(self._match_seed)

    @property
    def _bot_seed(self) -> bytes:
        seed = derive_seed(seed_of(self.seed), "bots", 0)
        return self.campaign.seed_of_next(seed) if self.campaign else seed

    @property
    def _record(self) -> Record:
        return record_of(self.match, self.names, None if self._resumed else self._match_seed)

    def _save(self) -> None:
        if self.file:
            write_record(self.campaign.file(self._record, self.names) if self.campaign else self._record, self.file)

    def _print_saved(self) -> None:
        if self.file:
            self._print_phrase("play", "saved", file=self.file)

    # Output

    def _print_phrase(self, topic: str, code: str, **about: Any) -> None:
        self._print(self.screen.words(topic, code, **about))

    def _print(self, *lines: str | Text) -> None:
        for line in lines:
            self.console.print(line, soft_wrap=True)

    @property
    def _view(self) -> Any:
        return self.match.game.view(self.match.state, PLAYER_SEAT)

    def _show(self, marks: Marks = NO_MARKS) -> None:
        """Prints the table and the events since the last decision of the player."""
        if self.console.is_terminal:
            self.console.clear()
        else:
            self.console.print()
        self._print(*self.screen.page(self._view, PLAYER_SEAT, self.names, marks, self.console.width))
        self._print("", *self._new_events())

    def _new_events(self) -> list[str]:
        events = [self.screen.words.event(event, self.names) for event in self.match.events[self._shown_events :]]
        return events[-MAX_EVENT_LINES:]

    # Choosing an action

    def _choose(self) -> Any:
        self._show()
        if not self._greeted:
            self._greeted = True
            self._print(self.screen.words("game", "credit"), self.screen.words("play", "greeting"))
        choices = self._all_choices()
        if not choices.places:
            self._print_phrase("play", "no-place")
        while True:
            action = self._answer(choices, self._ask("ask").lower())
            if action is not None and self._confirm(action):
                self._shown_events = len(self.match.events)
                return action

    def _all_choices(self) -> ChoiceList:
        legal = self.match.game.legal(self.match.state, PLAYER_SEAT)
        return ChoiceList(sorted((action for action in legal if _words_of(action)), key=_reading_order))

    def _ask(self, question: str) -> str:
        self.console.print(self.screen.words("play", question), end="", soft_wrap=True)
        typed = input().strip()
        if not sys.stdin.isatty():
            self._print(typed)  # a terminal echoes the input, a pipe does not
        return typed

    def _answer(self, choices: ChoiceList, typed: str) -> Any | None:
        """Handles a line of input. Returns the action if it determines one."""
        words = typed.replace(",", " ").split()
        if len(words) == 1 and words[0].isdecimal():
            return self._pick(choices, int(words[0]))
        known = {word for place in choices.places for word in _words_of(place)}
        if words and all(word in known or _CELL.fullmatch(word) for word in words):
            return self._narrow(choices, tuple(dict.fromkeys(words)))
        if typed in self.screen.verbs:
            return self._checked(self.screen.verbs[typed])
        if not words:
            self._start_over(choices)
        elif words[0] in self._commands:
            self._commands[words[0]](choices, words[1:])
        else:
            self._print_phrase("play", "unknown", word=typed)
        return None

    def _start_over(self, choices: ChoiceList) -> None:
        fresh = self._all_choices()
        choices.places, choices.cells, choices.listed = fresh.places, (), False
        self._show()
        self._print_phrase("play", "anew")

    def _pick(self, choices: ChoiceList, number: int) -> Any | None:
        if not choices.listed:
            self._print_phrase("play", "no-list")
        elif not 1 <= number <= len(choices.places):
            self._print_phrase("play", "no-number", n=len(choices.places))
        else:
            return choices.places[number - 1]
        return None

    def _narrow(self, choices: ChoiceList, cells: tuple[str, ...]) -> Any | None:
        """Keeps the choices that cover all cells named so far. Returns the choice if only one is left."""
        wanted = {*choices.cells, *cells}
        left = [place for place in choices.places if wanted <= {*_words_of(place)}]
        if not left:
            self._print(self._why_none(choices, cells))
            return None
        if len(left) == 1:
            return left[0]
        choices.places, choices.cells, choices.shown, choices.listed = left, (*choices.cells, *cells), 0, True
        self._print_phrase("play", "narrowed", places=quantity("place", len(left)), cells=" ".join(choices.cells))
        self._list(choices)
        return None

    def _why_none(self, choices: ChoiceList, cells: tuple[str, ...]) -> str:
        """Returns why no choice covers the cells: the violated rule if they are complete or off the board, otherwise
        the cells that no choice covers."""
        places = self._all_choices().places
        everywhere = {cell for place in places for cell in _words_of(place)}
        named = (*choices.cells, *cells)
        reason = self.match.why_not(PLAYER_SEAT, self.screen.place(named))
        if reason and (reason.code not in INCOMPLETE_REASONS or (places and len(named) >= len(_words_of(places[0])))):
            return self.screen.words.reason(reason)
        if lost := [cell for cell in cells if cell not in everywhere]:
            return self.screen.words("play", "none-covers", cells=" ".join(lost))
        return self.screen.words("play", "none-covers-all", cells=" ".join(named))

    def _list(self, choices: ChoiceList) -> None:
        """Prints the next page of choices, with the points that each gains."""
        score = self.match.result.scores[PLAYER_SEAT]
        until = min(choices.shown + LIST_PAGE_SIZE, len(choices.places))
        for number in range(choices.shown, until):
            place = choices.places[number]
            gain = self._after(place).result.scores[PLAYER_SEAT] - score
            self._print(f"{number + 1:>4}  {' '.join(_words_of(place)):<20} {gain:+}")
        choices.shown = until
        if until < len(choices.places):
            self._print_phrase("play", "more")

    def _checked(self, action: Any) -> Any | None:
        if reason := self.match.why_not(PLAYER_SEAT, action):
            self._print(self.screen.words.reason(reason))
            return None
        return action

    def _after(self, action: Any) -> Match:
        """Returns the match after an action. It includes the staged decisions of other seats, so callers must show only
        the sheet of the player."""
        return self.match.decide(PLAYER_SEAT, action)

    def _confirm(self, action: Any) -> bool:
        """Shows the effect of an action on board and sheet, and asks for confirmation."""
        if marks := self.screen.preview(self._view, PLAYER_SEAT, action):
            self._show(marks)
        before, after = self.match.result.sheets[PLAYER_SEAT], self._after(action).result.sheets[PLAYER_SEAT]
        table = change_table(before, after, self.screen.words)
        self.console.print(table or phrase("play", "no-change"))
        verb = tag_of(action)
        answer = self._ask(f"confirm-{verb}").lower()
        if answer == "quit":
            self._quit(None, [])
        if answer in (YES[1:] if verb == "stop" else YES):
            return True
        if marks:
            self._show()
        self._print_phrase("play", "back")
        return False

    # Other commands

    @property
    def _commands(self) -> dict[str, Callable[[ChoiceList, Sequence[str]], None]]:
        return {
            "more": self._list_more,
            "back": lambda choices, _: self._start_over(choices),
            "places": self._show_places,
            "list": self._list_all,
            "sheet": lambda *_: self._print_sheets(),
            "deck": lambda *_: self._print(*self.screen.deck(self._view)),
            "board": self._print_board,
            "help": lambda *_: self._print(self.screen.words("help", "text").strip("\n")),
            "quit": self._quit,
        }

    def _list_more(self, choices: ChoiceList, _: Sequence[str]) -> None:
        if choices.listed and choices.shown < len(choices.places):
            self._list(choices)
        else:
            self._print_phrase("play", "no-more" if choices.listed else "no-list")

    def _list_all(self, choices: ChoiceList, _: Sequence[str]) -> None:
        choices.shown, choices.listed = 0, bool(choices.places)
        if choices.places:
            self._list(choices)
        else:
            self._print_phrase("play", "no-place")

    def _show_places(self, choices: ChoiceList, _: Sequence[str]) -> None:
        if not choices.places:
            self._print_phrase("play", "no-place")
            return
        self._show(self.screen.counts(Counter(cell for place in choices.places for cell in _words_of(place))))
        self._print_phrase("play", "places", places=quantity("place", len(choices.places)))

    def _print_sheets(self) -> None:
        self.console.print(sheet_table(self.match.result, self.names, self.screen.words))

    def _print_board(self, _: ChoiceList, number: Sequence[str]) -> None:
        seats = {str(seat): seat for seat in range(len(self.names))}
        if len(number) == 1 and number[0] in seats:
            seat = seats[number[0]]
            self._print(self.names[seat], *self.screen.board(self._view, seat))
        else:
            known = ", ".join(f"{seat} {name}" for seat, name in enumerate(self.names))
            self._print_phrase("play", "which-board", known=known)

    def _quit(self, *_: Any) -> None:
        """Offers to save the game and raises `PlayerQuit`."""
        while not self.file and (typed := self._ask("quit")):
            self.file = Path(typed)
            try:
                self._save()
            except CannotWrite as error:
                self._print(f"{error}.")
                self.file = None
        raise PlayerQuit


def _words_of(action: Any) -> tuple[str, ...]:
    """Returns the words that name an action: its cells, or its type and fields. Actions without fields have none; they
    are verbs of the screen."""
    if hasattr(action, "cells"):
        return tuple(action.cells)
    about = [getattr(action, field) for field in action.__struct_fields__]
    words = [word for value in about for word in (value if isinstance(value, tuple) else [value])]
    return (tag_of(action), *words) if about else ()


def _reading_order(action: Any) -> tuple[bool, list[tuple[int, str]]]:
    """Sort key: cells row by row; actions without cells come last, in their order."""
    cells = getattr(action, "cells", ())
    return not cells, [(int(cell[1:]), cell[0]) for cell in cells]


def player_names(name: str, bots: Sequence[str], players: int) -> Iterator[str]:
    """Yields the names of all players. Bots of the same name get their seat as a suffix; a player without a seat is the
    Automa."""
    yield name
    for seat, bot in enumerate(bots, start=1):
        yield f"{bot} {seat}" if bots.count(bot) > 1 or bot == name else bot
    yield from [phrase("play", "automa")] * (players - 1 - len(bots))
