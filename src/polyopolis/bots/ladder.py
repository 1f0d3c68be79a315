"""All levels against each other, each pair with paired luck, kept game by game so that a ladder can go on."""

from collections.abc import Generator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from polyopolis.bots.arena import Contest, Estimate, Played, run
from polyopolis.bots.levels import LEVELS
from polyopolis.games import PLANS, game

DECKS, QUICK = 500, 10
"""For each pair of levels; every deck is played twice, with the seats exchanged."""
MARKS = "<!-- ladder: written by `polyopolis ladder` -->", "<!-- end of the ladder -->"
PLAN = "mini"
"""Where a game has campaigns, a ladder plays the short one."""


WHOLE = {"mycity": "the eternal game"}
"""What is played where it is no campaign."""


class Game(msgspec.Struct, frozen=True):
    """One game between two levels, or one campaign: all that a ladder keeps of it."""

    pair: tuple[str, str]
    number: int
    players: tuple[str, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]

    @property
    def deck(self) -> int:
        return self.number // 2

    def score(self, name: str) -> int:
        return self.scores[self.players.index(name)]

    def win(self, name: str) -> float:
        """1 for a win, one half for a shared first rank."""
        winners = [player for player, rank in zip(self.players, self.ranks, strict=True) if rank == 1]
        return winners.count(name) / len(winners)


def contests(key: str, decks: int, seed: str) -> dict[tuple[str, str], Contest]:
    """A contest for each pair of levels; all have the same luck."""
    rules = game(key)
    setup: Any = rules.Setup(seats=2)
    plan = PLANS[key](setup.content).get(PLAN, ()) if key in PLANS else ()
    return {pair: Contest(key, setup, pair, 2 * decks, seed, plan) for pair in combinations(LEVELS, 2)}


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


def climb(key: str, decks: int, seed: str, jobs: int, path: Path) -> Generator[Game]:
    """Every game of the ladder: first those that are kept, then the others as they are finished."""
    path.parent.mkdir(parents=True, exist_ok=True)
    known = {(found.pair, found.number): found for found in kept(path)}
    wanted = contests(key, decks, seed)
    done = [found for (pair, number), found in known.items() if number < wanted[pair].games]
    yield from done
    path.write_bytes(b"".join(msgspec.json.encode(found) + b"\n" for found in known.values()))
    with path.open("ab") as file:
        for pair, contest in wanted.items():
            missing = [number for number in range(contest.games) if (pair, number) not in known]
            for played in run(contest, jobs, missing):
                found = _game(pair, played)
                file.write(msgspec.json.encode(found) + b"\n")
                file.flush()
                yield found


def _game(pair: tuple[str, str], played: Played) -> Game:
    return Game(pair, played.number, played.players, played.scores, played.ranks)


def total(decks: int) -> int:
    """How many games a ladder has."""
    return 2 * decks * len(list(combinations(LEVELS, 2)))


def table(key: str, games: Sequence[Game], decks: int, command: str) -> str:
    """The ladder as a table: the mean score of each level, and how often it wins against each other one."""
    what = f"the {PLAN} campaign" if PLAN in (PLANS[key](1) if key in PLANS else {}) else WHOLE.get(key, "the game")
    head = ["level", "score", *(f"beats {name}" for name in LEVELS)]
    lines = [
        f"Made by `{command}`: {what} for two, {decks} decks for each pair of levels, each played twice with the seats",
        "exchanged. Intervals are 95 % over decks; a shared first rank is half a win.",
        "",
        "| " + " | ".join(head) + " |",
        "|" + "---|" * len(head),
    ]
    for name in reversed(LEVELS):
        wins = [_share(games, name, other) if other != name else "" for other in LEVELS]
        lines.append("| " + " | ".join([name, _mean(games, name), *wins]) + " |")
    return "\n".join(lines)


def _by_deck(games: Sequence[Game]) -> list[list[Game]]:
    decks: dict[tuple[tuple[str, str], int], list[Game]] = {}
    for found in games:
        decks.setdefault((found.pair, found.deck), []).append(found)
    return list(decks.values())


def _mean(games: Sequence[Game], name: str) -> str:
    """Over all its games; games with the same deck are one observation, whoever the other one was."""
    by_deck: dict[int, list[int]] = {}
    for found in games:
        if name in found.players:
            by_deck.setdefault(found.deck, []).append(found.score(name))
    return _told(Estimate.of([sum(scores) / len(scores) for scores in by_deck.values()]), 1) if by_deck else ""


def _share(games: Sequence[Game], name: str, other: str) -> str:
    own = [found for found in games if set(found.pair) == {name, other}]
    shares = [100 * sum(found.win(name) for found in deck) / len(deck) for deck in _by_deck(own)]
    return _told(Estimate.of(shares), 0) + " %" if shares else ""


def _told(estimate: Estimate, digits: int) -> str:
    margin = "" if estimate.margin is None else f" ± {estimate.margin:.{digits}f}"
    return f"{estimate.mean:.{digits}f}{margin}"


def put(document: str, ladder: str) -> str:
    """The document with this ladder between its marks; at its end if it has none yet."""
    first, last = MARKS
    block = f"{first}\n{ladder}\n{last}"
    if first not in document:
        return f"{document.rstrip()}\n\n## How strong the levels are\n\n{block}\n"
    before, _, rest = document.partition(first)
    return before + block + rest.partition(last)[2]
