"""Ladders: round robin between levels with common random numbers, stored deck by deck so that they can be resumed.

In all games of a deck a level uses the same random numbers for the same observation, so its decision is computed once.
In games with little interaction, such as My City, a deck with all pairs of levels takes the time of one game per level.

External bots can take part. Then only tables with at least one of them are played, and levels start with their measured
ratings.
"""

from collections.abc import Callable, Generator, Hashable, Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import combinations, groupby
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace
from openskill.models import PlackettLuce

from polyopolis.bots.bot_protocol import Bot
from polyopolis.bots.http_bot import HttpBot
from polyopolis.bots.learned_level import MASTER
from polyopolis.bots.levels import LEVELS, BotLevel
from polyopolis.bots.tournaments.arena import Contest, IntervalEstimate, ShareEstimate, play_out
from polyopolis.bots.tournaments.executors import Executor
from polyopolis.bots.tournaments.ladder_ratings import Z_95, LadderRating, ratings_for
from polyopolis.engine import AnyGame, PolyopolisError, Rng
from polyopolis.games import game, spec_of
from polyopolis.kernels.positions import position_of

DECKS, QUICK_DECKS = 500, 10
"""Decks per combination of levels (in full and with `--quick`). Each deck is played once in every seating order."""

Levels = tuple[str, ...]


def ladder_levels() -> dict[str, BotLevel]:
    """All levels that can take part, weakest first."""
    return {**LEVELS, "master": MASTER}


class BadLadder(PolyopolisError):
    """Invalid settings of a ladder."""


class LadderGame(msgspec.Struct, frozen=True):
    """Stored result of one game of a ladder."""

    levels: Levels
    number: int
    players: tuple[str, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]

    @property
    def deck(self) -> int:
        return self.number // len(self.levels)

    def score(self, name: str) -> int:
        return self.scores[self.players.index(name)]

    def ahead(self, name: str, other: str) -> float:
        """1 if `name` finishes ahead of `other`, 0.5 if they share a rank, else 0."""
        own, theirs = (self.ranks[self.players.index(player)] for player in (name, other))
        return 0.5 if own == theirs else float(own < theirs)


class Ladder(msgspec.Struct, frozen=True):
    """Settings of a ladder: every combination of `seats` different levels plays the same decks."""

    game: str
    seats: int = 2
    decks: int = DECKS
    seed: str = "ladder"
    chosen: Levels = ()
    """Levels that take part; by default levels 1 to 5, which play all games."""
    outside: tuple[HttpBot, ...] = ()

    def __post_init__(self) -> None:
        if unknown := [name for name in self.chosen if name not in ladder_levels()]:
            raise BadLadder(f"there is no level {unknown[0]!r}; there are {', '.join(ladder_levels())}")
        strangers = [each.name for each in self.outside]
        if len({*ladder_levels(), *strangers}) < len(ladder_levels()) + len(strangers):
            raise BadLadder(f"bots need different names: {', '.join([*ladder_levels(), *strangers])}")
        if len(self.names) < 2:
            raise BadLadder(f"a ladder needs at least two bots, not only {', '.join(self.names)}")
        most = min(game(self.game).seats[-1], len(self.names))
        if not 2 <= self.seats <= most:
            raise BadLadder(f"a ladder of {self.game} is for 2 to {most} seats, not {self.seats}")

    @property
    def levels(self) -> Levels:
        """Levels that take part, weakest first."""
        return tuple(name for name in ladder_levels() if name in (self.chosen or LEVELS))

    @property
    def names(self) -> Levels:
        """Names of all bots that take part."""
        return (*self.levels, *(each.name for each in self.outside))

    @property
    def setups(self) -> list[Any]:
        """Setups that the decks use in turn: all episodes if the game is played in single episodes, else one."""
        sign = spec_of(self.game)
        setup: Any = sign.rules.Setup(seats=self.seats)
        if getattr(setup, "episode", UNSET) is UNSET:
            return [setup]
        longest = max(sign.plans(setup.content).values(), key=len)
        return [replace(setup, episode=episode) for episode in longest]

    @property
    def tasks(self) -> list[tuple[Levels, int]]:
        """Levels and number of each game, deck by deck."""
        strangers = {each.name for each in self.outside}
        tables = [
            levels
            for levels in combinations(self.names, self.seats)
            if not strangers or not strangers.isdisjoint(levels)
        ]
        return [(levels, number) for number in range(self.seats * self.decks) for levels in tables]

    def contest(self, levels: Levels, number: int) -> Contest:
        setups, deck = self.setups, number // self.seats
        return Contest(self.game, setups[deck % len(setups)], levels, self.seats * self.decks, self.seed)

    @property
    def command(self) -> str:
        chosen = f" --levels {','.join(self.levels)}" if self.chosen else ""
        strangers = "".join(f" --bots-from {each.name}={each.url}" for each in self.outside)
        played = f"--seats {self.seats} --decks {self.decks} --seed {self.seed}"
        return f"polyopolis ladder {self.game} {played}{chosen}{strangers}"

    @property
    def file(self) -> str:
        """Name of the file with its games. It does not contain the number of decks, so more decks extend the file."""
        return f"{self.game}-{self.seats}-{self.seed}.jsonl"


def read_games(path: Path) -> list[LadderGame]:
    """Reads the stored games; empty if there is no file. Skips incomplete lines."""
    if not path.exists():
        return []
    found = []
    for line in path.read_bytes().splitlines():
        try:
            found.append(msgspec.json.decode(line, type=LadderGame))
        except msgspec.DecodeError:
            continue
    return found


class LadderPlayer:
    """A level in the games of one deck: caches its decision for each observation."""

    def __init__(self, level: BotLevel, seed: bytes) -> None:
        self._level, self._seed = level, seed
        self._known: dict[Hashable, Any] = {}

    def __call__(self, game: AnyGame, state: Any, seat: int, rng: Rng) -> Any:
        sight = position_of(game.key, state, seat).information_key
        if sight not in self._known:
            rng = Rng(blake2b(repr(sight).encode(), key=self._seed).digest())
            self._known[sight] = self._level(game, state, seat, rng)
        return self._known[sight]


def play_ladder(ladder: Ladder, executor: Executor, path: Path) -> Generator[LadderGame]:
    """Yields every game of the ladder: the stored ones, then new ones, deck by deck.

    Games with external bots are not stored, because another program may use the same name later.
    """
    if ladder.outside:
        for games in executor.map(_play_deck, _decks(ladder, ladder.tasks)):
            yield from games
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    known = {(found.levels, found.number): found for found in read_games(path)}
    yield from (known[task] for task in ladder.tasks if task in known)
    path.write_bytes(b"".join(msgspec.json.encode(found) + b"\n" for found in known.values()))
    missing = [task for task in ladder.tasks if task not in known]
    decks = _decks(ladder, missing)
    with path.open("ab") as file:
        for games in executor.map(_play_deck, decks):
            file.write(b"".join(msgspec.json.encode(found) + b"\n" for found in games))
            file.flush()
            yield from games


def _decks(ladder: Ladder, tasks: Iterable[tuple[Levels, int]]) -> list[tuple[Ladder, list[tuple[Levels, int]]]]:
    return [(ladder, list(games)) for _, games in groupby(tasks, lambda task: task[1] // ladder.seats)]


def _play_deck(task: tuple[Ladder, list[tuple[Levels, int]]]) -> list[LadderGame]:
    """Plays games of one deck."""
    ladder, games = task
    contest = ladder.contest(*games[0])
    seed, bot_seed = contest.seeds(games[0][1] // ladder.seats * ladder.seats)
    bots: dict[str, Bot] = {name: LadderPlayer(level, bot_seed) for name, level in ladder_levels().items()}
    bots |= {each.name: each for each in ladder.outside}
    return [_play(ladder, levels, number, bots, seed) for levels, number in games]


def _play(ladder: Ladder, levels: Levels, number: int, bots: Mapping[str, Bot], seed: bytes) -> LadderGame:
    contest = ladder.contest(levels, number)
    players = contest.players(number)
    result = play_out(game(ladder.game), contest.setup, [bots[name] for name in players], seed, b"").result
    return LadderGame(levels, number, players, result.scores, result.ranks)


def sorted_games(games: Iterable[LadderGame], order: Levels) -> list[LadderGame]:
    """The games in the order in which a ladder plays them."""
    return sorted(games, key=lambda found: (found.number, [order.index(level) for level in found.levels]))


def ratings(
    games: Iterable[LadderGame], names: Levels = (), known: Mapping[str, LadderRating] = {}
) -> dict[str, IntervalEstimate]:
    """Plackett-Luce ratings (openskill). Bots start at 25 or at their known rating, and are updated game by game.

    Levels do not change, so the model has no drift (`tau=0`).
    """
    model, names = PlackettLuce(tau=0.0), names or tuple(ladder_levels())
    found = {name: model.rating(name=name) for name in names}
    found |= {name: model.rating(rung.rating, rung.sigma, name) for name, rung in known.items() if name in found}
    for played in sorted_games(games, names):
        rated = model.rate([[found[name]] for name in played.players], ranks=[float(rank) for rank in played.ranks])
        found |= {name: team[0] for name, team in zip(played.players, rated, strict=True)}
    return {name: IntervalEstimate(rating.mu, Z_95 * rating.sigma) for name, rating in found.items()}


def ladder_table(ladder: Ladder, games: Sequence[LadderGame]) -> str:
    """Markdown table of a ladder: rating, mean score, and share of games ahead of each other bot."""
    head = ["level", "rating", "score", *(f"ahead of {name}" for name in ladder.names)]
    rated = ratings(games, ladder.names, ratings_for(ladder.game, ladder.seats) if ladder.outside else {})
    lines = [
        f"Made by `{ladder.command}`: {_game_noun(ladder)} for {ladder.seats}, {len(games)} games.",
        f"Every combination of {ladder.seats} {_players_noun(ladder)} played {ladder.decks} decks, "
        "each once in every seating order.",
        "95 % confidence intervals over decks: Student's t for scores, Wilson for shares; a shared rank counts half.",
        "Ratings and their intervals are computed by openskill.",
        "",
        "| " + " | ".join(head) + " |",
        "|" + "---|" * len(head),
    ]
    for name in reversed(ladder.names):
        ahead = [_share(games, name, other) if other != name else "" for other in ladder.names]
        lines.append("| " + " | ".join([name, _with_margin(rated[name]), _mean(games, name), *ahead]) + " |")
    return "\n".join(lines)


def _players_noun(ladder: Ladder) -> str:
    return "bots, at least one of them external," if ladder.outside else "levels"


def _game_noun(ladder: Ladder) -> str:
    if len(ladder.setups) > 1:
        return f"its {len(ladder.setups)} episodes in turn"
    return f"the {mode} game" if (mode := getattr(ladder.setups[0], "mode", "")) else "the game"


def _mean(games: Sequence[LadderGame], name: str) -> str:
    """Mean score over all games of a bot. Games with the same deck are one observation."""
    own = _by_deck(games, {name}, lambda found: float(found.score(name)))
    return _with_margin(IntervalEstimate.of([fmean(scores) for scores in own])) if own else ""


def _share(games: Sequence[LadderGame], name: str, other: str) -> str:
    """Share of games in which `name` finishes ahead of `other`."""
    own = _by_deck(games, {name, other}, lambda found: found.ahead(name, other))
    return ShareEstimate.of(own).percent() if own else ""


def _by_deck(games: Sequence[LadderGame], names: set[str], value: Callable[[LadderGame], float]) -> list[list[float]]:
    """Values by deck of the games in which all of `names` play."""
    decks: dict[int, list[float]] = {}
    for found in games:
        if names <= set(found.levels):
            decks.setdefault(found.deck, []).append(value(found))
    return list(decks.values())


def _with_margin(estimate: IntervalEstimate) -> str:
    margin = "" if estimate.margin is None else f" ± {estimate.margin:.1f}"
    return f"{estimate.mean:.1f}{margin}"


def insert_table(document: str, ladder: Ladder, table: str) -> str:
    """Returns the document with this table between the marks of the ladder; appends them if they are missing."""
    chosen = f" of {' '.join(ladder.levels)}" if ladder.chosen else ""
    first = f"<!-- ladder for {ladder.seats}{chosen}, written by `polyopolis ladder` -->"
    last = "<!-- end of the ladder -->"
    block = f"{first}\n{table}\n{last}"
    if first in document:
        before, _, rest = document.partition(first)
        return before + block + rest.partition(last)[2]
    title = "" if TITLE in document else f"{TITLE}\n\n"
    return f"{document.rstrip()}\n\n{title}{block}\n"


TITLE = "## How strong the levels are"
