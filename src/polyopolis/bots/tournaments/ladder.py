"""All levels against each other, with paired luck, kept deck by deck so that a ladder can go on.

In all games of a deck a level thinks with the same luck about what it sees, and so thinks only once about it: where
seats hardly meet, as in My City, a deck with all pairs of levels takes the time of one game of each.

Outside bots may climb, too: then those tables are played where one of them sits, and levels begin where their ladder
has put them.
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
from polyopolis.bots.levels import LEVELS, Level
from polyopolis.bots.tournaments.arena import Contest, IntervalEstimate, Share, play_out
from polyopolis.bots.tournaments.executors import Executor
from polyopolis.bots.tournaments.ladder_ratings import CONFIDENCE, LadderRating, rungs
from polyopolis.engine import AnyGame, PolyopolisError, Rng
from polyopolis.games import game, spec_of
from polyopolis.kernels.positions import position_of

DECKS, QUICK = 500, 10
"""For each table of levels; every deck is played once for each way round the table."""

Levels = tuple[str, ...]


def climbers() -> dict[str, Level]:
    """All that can climb, the weakest first."""
    return {**LEVELS, "master": MASTER}


class BadLadder(PolyopolisError):
    """A ladder that cannot be climbed."""


class Game(msgspec.Struct, frozen=True):
    """One game between levels, or one campaign: all that a ladder keeps of it."""

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
        """1 if one finishes ahead of the other, one half if they share a rank."""
        own, theirs = (self.ranks[self.players.index(player)] for player in (name, other))
        return 0.5 if own == theirs else float(own < theirs)


class Ladder(msgspec.Struct, frozen=True):
    """What is played: every choice of so many different levels sits down together, all with the same luck."""

    game: str
    seats: int = 2
    decks: int = DECKS
    seed: str = "ladder"
    chosen: Levels = ()
    """Which levels climb; none: the five that play all games."""
    outside: tuple[HttpBot, ...] = ()

    def __post_init__(self) -> None:
        if unknown := [name for name in self.chosen if name not in climbers()]:
            raise BadLadder(f"there is no level {unknown[0]!r}; there are {', '.join(climbers())}")
        strangers = [each.name for each in self.outside]
        if len({*climbers(), *strangers}) < len(climbers()) + len(strangers):
            raise BadLadder(f"no two bots are called alike: {', '.join([*climbers(), *strangers])}")
        if len(self.names) < 2:
            raise BadLadder(f"a ladder is of two bots at least; there is {', '.join(self.names)}")
        most = min(game(self.game).seats[-1], len(self.names))
        if not 2 <= self.seats <= most:
            raise BadLadder(f"a ladder of {self.game} is for 2 to {most} seats, not {self.seats}")

    @property
    def levels(self) -> Levels:
        """The weakest first."""
        return tuple(name for name in climbers() if name in (self.chosen or LEVELS))

    @property
    def names(self) -> Levels:
        """Who climbs."""
        return (*self.levels, *(each.name for each in self.outside))

    @property
    def setups(self) -> list[Any]:
        """What the decks are played with, in turn: all episodes of a game that is played in episodes alone."""
        sign = spec_of(self.game)
        setup: Any = sign.rules.Setup(seats=self.seats)
        if getattr(setup, "episode", UNSET) is UNSET:
            return [setup]
        longest = max(sign.plans(setup.content).values(), key=len)
        return [replace(setup, episode=episode) for episode in longest]

    @property
    def tasks(self) -> list[tuple[Levels, int]]:
        """Who plays which game, deck by deck."""
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
        """Where its games are kept: more decks are more of the same."""
        return f"{self.game}-{self.seats}-{self.seed}.jsonl"


def kept(path: Path) -> list[Game]:
    """The games that were played before. A line that was cut off is left out."""
    if not path.exists():
        return []
    found = []
    for line in path.read_bytes().splitlines():
        try:
            found.append(msgspec.json.decode(line, type=Game))
        except msgspec.DecodeError:
            continue
    return found


class LadderPlayer:
    """A level in the games of one deck: a bot that remembers what it decided on what it saw."""

    def __init__(self, level: Level, seed: bytes) -> None:
        self._level, self._seed = level, seed
        self._known: dict[Hashable, Any] = {}

    def __call__(self, game: AnyGame, state: Any, seat: int, rng: Rng) -> Any:
        sight = position_of(game.key, state, seat).sight
        if sight not in self._known:
            rng = Rng(blake2b(repr(sight).encode(), key=self._seed).digest())
            self._known[sight] = self._level(game, state, seat, rng)
        return self._known[sight]


def climb(ladder: Ladder, hands: Executor, path: Path) -> Generator[Game]:
    """Every game of the ladder: first those that are kept, then the others, deck by deck, as they are finished. Where a
    program from outside plays nothing is kept: it may be another one tomorrow, under the same name."""
    if ladder.outside:
        for games in hands.each(_play_deck, _decks(ladder, ladder.tasks)):
            yield from games
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    known = {(found.levels, found.number): found for found in kept(path)}
    yield from (known[task] for task in ladder.tasks if task in known)
    path.write_bytes(b"".join(msgspec.json.encode(found) + b"\n" for found in known.values()))
    missing = [task for task in ladder.tasks if task not in known]
    decks = _decks(ladder, missing)
    with path.open("ab") as file:
        for games in hands.each(_play_deck, decks):
            file.write(b"".join(msgspec.json.encode(found) + b"\n" for found in games))
            file.flush()
            yield from games


def _decks(ladder: Ladder, tasks: Iterable[tuple[Levels, int]]) -> list[tuple[Ladder, list[tuple[Levels, int]]]]:
    return [(ladder, list(games)) for _, games in groupby(tasks, lambda task: task[1] // ladder.seats)]


def _play_deck(task: tuple[Ladder, list[tuple[Levels, int]]]) -> list[Game]:
    """Games of one deck."""
    ladder, games = task
    contest = ladder.contest(*games[0])
    seed, bot_seed = contest.seeds(games[0][1] // ladder.seats * ladder.seats)
    minds: dict[str, Bot] = {name: LadderPlayer(level, bot_seed) for name, level in climbers().items()}
    minds |= {each.name: each for each in ladder.outside}
    return [_play(ladder, levels, number, minds, seed) for levels, number in games]


def _play(ladder: Ladder, levels: Levels, number: int, minds: Mapping[str, Bot], seed: bytes) -> Game:
    contest = ladder.contest(levels, number)
    players = contest.players(number)
    result = play_out(game(ladder.game), contest.setup, [minds[name] for name in players], seed, b"").result
    return Game(levels, number, players, result.scores, result.ranks)


def in_order(games: Iterable[Game], order: Levels) -> list[Game]:
    """The order in which a ladder is played, whenever its games were."""
    return sorted(games, key=lambda found: (found.number, [order.index(level) for level in found.levels]))


def ratings(
    games: Iterable[Game], names: Levels = (), known: Mapping[str, LadderRating] = {}
) -> dict[str, IntervalEstimate]:
    """Plackett-Luce ratings (openskill): everybody begins at 25, or where they are known to be, and every game in its
    order moves those who played.

    Levels do not change as they play, so the model allows for no drift.
    """
    model, names = PlackettLuce(tau=0.0), names or tuple(climbers())
    found = {name: model.rating(name=name) for name in names}
    found |= {name: model.rating(rung.rating, rung.sigma, name) for name, rung in known.items() if name in found}
    for played in in_order(games, names):
        rated = model.rate([[found[name]] for name in played.players], ranks=[float(rank) for rank in played.ranks])
        found |= {name: team[0] for name, team in zip(played.players, rated, strict=True)}
    return {name: IntervalEstimate(rating.mu, CONFIDENCE * rating.sigma) for name, rating in found.items()}


def table(ladder: Ladder, games: Sequence[Game]) -> str:
    """The ladder as a table: rating and mean score of each level, and how often it is ahead of each other one."""
    head = ["level", "rating", "score", *(f"ahead of {name}" for name in ladder.names)]
    rated = ratings(games, ladder.names, rungs(ladder.game, ladder.seats) if ladder.outside else {})
    lines = [
        f"Made by `{ladder.command}`: {_what(ladder)} for {ladder.seats}, {len(games)} games.",
        f"Every choice of {ladder.seats} {_whom(ladder)} played {ladder.decks} decks, "
        "each once for every way round the table.",
        "Intervals are 95 %: Student's t over decks for scores, Wilson's over decks for shares; a shared rank is half",
        "ahead. Ratings and their intervals are openskill's.",
        "",
        "| " + " | ".join(head) + " |",
        "|" + "---|" * len(head),
    ]
    for name in reversed(ladder.names):
        ahead = [_share(games, name, other) if other != name else "" for other in ladder.names]
        lines.append("| " + " | ".join([name, _worded(rated[name]), _mean(games, name), *ahead]) + " |")
    return "\n".join(lines)


def _whom(ladder: Ladder) -> str:
    return "bots with one from outside" if ladder.outside else "levels"


def _what(ladder: Ladder) -> str:
    if len(ladder.setups) > 1:
        return f"its {len(ladder.setups)} episodes in turn"
    return f"the {mode} game" if (mode := getattr(ladder.setups[0], "mode", "")) else "the game"


def _mean(games: Sequence[Game], name: str) -> str:
    """Over all its games; games with the same deck are one observation, whoever the others were."""
    own = _by_deck(games, {name}, lambda found: float(found.score(name)))
    return _worded(IntervalEstimate.of([fmean(scores) for scores in own])) if own else ""


def _share(games: Sequence[Game], name: str, other: str) -> str:
    """How often `name` finishes ahead of `other`."""
    own = _by_deck(games, {name, other}, lambda found: found.ahead(name, other))
    return Share.of(own).percent() if own else ""


def _by_deck(games: Sequence[Game], names: set[str], value: Callable[[Game], float]) -> list[list[float]]:
    """By deck, the values of the games in which all of `names` play."""
    decks: dict[int, list[float]] = {}
    for found in games:
        if names <= set(found.levels):
            decks.setdefault(found.deck, []).append(value(found))
    return list(decks.values())


def _worded(estimate: IntervalEstimate) -> str:
    margin = "" if estimate.margin is None else f" ± {estimate.margin:.1f}"
    return f"{estimate.mean:.1f}{margin}"


def put(document: str, ladder: Ladder, table: str) -> str:
    """The document with this ladder between the marks of its seats and levels; at its end if it has none yet."""
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
