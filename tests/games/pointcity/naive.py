"""Independent naive implementation of Point City for differential tests, written from the rules page alone.

The whole game is one generator that asks for every choice. Cards are names, stocks and pools are lists of words, and
ways to pay are found by trying all sets of cards. It shares no code with the program, and is slow and plain on purpose.
"""

from collections.abc import Generator
from itertools import combinations, product
from typing import Any

Choice = tuple[Any, ...]
"""An action: its type and its fields."""
Asking = Generator[tuple[int, list[Choice]], Choice, None]

RESOURCES = ["community", "industry", "economy", "ecology", "energy"]
"""The resources in the order of the rotation."""
FAMILIES = """
a1 resource 0 1@1 1@2/a2 resource 0 1@1 1@3/a3 resource 0 1@2 1@3/a4 resource 0 1@2 1@4/a5 resource 0 1@3 1@4
a5 resource 0 1@3 1@4/a6 resource 1 2@1/a7 resource 1 2@2/a8 resource 2 2@1 1@2/a9 resource 2 1@1 2@4
a10 points 4 1@2 1@4/a11 civic 0 3@1/a12 civic 0 3@3
b1 resource 0 2@1 1@4/b2 resource 0 1@3 2@4/b3 resource 1 2@1 2@4/b4 resource 1 2@2 2@4/b5 resource 2 2@1 3@2
b6 resource 2 3@1 2@3/b7 points 4 2@0 1@1/b8 points 5 2@0 2@1/b9 civic 0 4@0/b9 civic 0 4@0
c1 resource 1 2@1 2@4/c2 resource 2 3@3 2@4/c3 resource 2 2@2 3@4/c4 resource 3 3@1 3@3/c5 points 4 2@3 2@4
c6 points 5 3@0 2@2/c7 points 7 4@0 3@1/c8 civic 0 5@0/c8 civic 0 5@0
"""
JOKERS = ("b7", "b8", "b9", "c6", "c7", "c8")
"""The families with Ingenuity on their faces."""
COLUMNS = "abcd"
CELLS = [f"{column}{row}" for row in "1234" for column in COLUMNS]


class Building:
    def __init__(self, line: str, resource: str) -> None:
        family, self.kind, points, *costs = line.split()
        self.name = f"{family}-{resource}"
        self.tier = "abc".index(family[0]) + 1
        self.resource = resource
        self.points = int(points)
        double = resource if self.tier == 1 else f"{resource}-2"
        self.face = "ingenuity" if family in JOKERS else double
        self.cost: list[str] = []
        for cost in costs:
            symbols, _, steps = cost.partition("@")
            self.cost += [RESOURCES[(RESOURCES.index(resource) + int(steps)) % 5]] * int(symbols)


CARDS = [
    Building(line, resource)
    for line in FAMILIES.strip().replace("\n", "/").split("/")
    for resource in sorted(RESOURCES)
]  # fmt: skip
BY_NAME = {card.name: card for card in CARDS}
PAIRS = list(combinations(sorted(RESOURCES), 2))
TOKENS = [
    *("flat-5", "flat-7", "two-plus", "three-plus", "missing", "full-set", "ingenuity"),
    *RESOURCES,
    *(f"{first}-{other}" for first, other in PAIRS),
]
REMOVED = {1: (25, 26, 27), 2: (25, 26, 27), 3: (13, 14, 17), 4: (1, 2, 7)}
LAID_OUT = {1: 10, 2: 10, 3: 12, 4: 14}


class Player:
    def __init__(self, stock: list[str]) -> None:
        self.stock = stock
        self.city: list[Building] = []
        self.tokens: list[str] = []

    def permanents(self) -> list[str]:
        return [card.resource for card in self.city if card.kind == "resource"]


def owed(player: Player, buildings: list[Building]) -> list[str]:
    """PC-10, PC-11: the joint cost less the permanents, each used once."""
    left = sorted(symbol for card in buildings for symbol in card.cost)
    for permanent in player.permanents():
        if permanent in left:
            left.remove(permanent)
    return left


def pays(cards: tuple[str, ...], bill: list[str]) -> bool:
    """PC-11, PC-12: symbols first, then Ingenuity cards for missing ones."""
    left = list(bill)
    for card in cards:
        for _ in range(2 if card.endswith("-2") else 1):
            if card.removesuffix("-2") in left:
                left.remove(card.removesuffix("-2"))
    return len(left) <= cards.count("ingenuity")


def ways(player: Player, buildings: list[Building]) -> set[tuple[str, ...]]:
    """PC-11: all sets of cards that pay without a superfluous card."""
    bill = owed(player, buildings)
    useful = [face for face in sorted(set(player.stock)) if face == "ingenuity" or face.removesuffix("-2") in bill]
    most = [min(player.stock.count(face), _most(face, bill)) for face in useful]
    found = set()
    for counts in product(*(range(n + 1) for n in most)):
        handful = tuple(face for face, n in zip(useful, counts, strict=True) for _ in range(n))
        if len(handful) <= len(bill) and pays(handful, bill):
            rests = [handful[:at] + handful[at + 1 :] for at in range(len(handful))]
            if not any(pays(rest, bill) for rest in rests):
                found.add(handful)
    return found


def _most(face: str, bill: list[str]) -> int:
    """Returns the largest number of cards of a face that may be needed."""
    needed = len(bill) if face == "ingenuity" else bill.count(face.removesuffix("-2"))
    return (needed + 1) // 2 if face.endswith("-2") else needed


def neighbours() -> list[tuple[str, str]]:
    """PC-7."""
    return [
        (first, other)
        for first, other in combinations(CELLS, 2)
        if abs(ord(first[0]) - ord(other[0])) + abs(int(first[1]) - int(other[1])) == 1
    ]


class Game:
    """A game in progress: `who` and `choices` return the next decision, `play` makes it."""

    def __init__(self, seats: int, automa: str | None = None, own_tokens: bool = False) -> None:
        self.seats, self.automa, self.own_tokens = seats, automa, own_tokens
        self.players = [Player(["ingenuity"]) for _ in range(seats)]
        if automa:
            self.players.append(Player([]))
        self.unseen = [[card.face for card in CARDS if card.tier == tier] for tier in (1, 2, 3)]
        self.unshown = [card.name for card in CARDS]
        self.left = [len(faces) - gone for faces, gone in zip(self.unseen, REMOVED[seats], strict=True)]
        self.market: dict[str, tuple[int, str]] = {}
        self.tokens: list[str] = []
        self.top: tuple[int, str] | None = None
        self.moves: list[tuple[int, Choice]] = []
        self._script = self._whole_game()
        self._asked: tuple[int, list[Choice]] | None = next(self._script)

    def copy(self) -> "Game":
        other = Game(self.seats, self.automa)
        for seat, choice in self.moves:
            other.play(seat, choice)
        return other

    def who(self) -> set[int]:
        return {self._asked[0]} if self._asked else set()

    def choices(self) -> list[Choice]:
        """Returns the possible choices; those of chance are repeated according to their weights."""
        assert self._asked
        return self._asked[1]

    def luck(self) -> set[Choice]:
        return set(self.choices())

    def legal(self, seat: int) -> set[Choice]:
        return set(self.choices())

    def play(self, seat: int, choice: Choice) -> "Game":
        assert self.who() == {seat}
        assert choice in self.choices()
        self.moves.append((seat, choice))
        try:
            self._asked = self._script.send(choice)
        except StopIteration:
            self._asked = None
        return self

    def _whole_game(self) -> Asking:
        while len(self.tokens) < LAID_OUT[self.seats] and not self.own_tokens:  # PC-4
            picked = yield -1, [("token", token) for token in TOKENS if token not in self.tokens]
            self.tokens.append(picked[1])
        seat = 0
        if self.seats > 1:  # PC-5
            seat = (yield -1, [("first", seat) for seat in range(self.seats)])[1]
        for cell in CELLS:  # PC-3
            self.market[cell] = yield from self._next_face()
        self.top = yield from self._next_face()
        if self.automa:
            yield from self._line()
        turn = 0
        while True:
            if seat < self.seats:
                yield from self._turn(seat)
            else:
                self._automa_takes(turn // 2)
            if (yield from self._cannot_refill()):
                return
            seat, turn = (seat + 1) % len(self.players), turn + 1

    def _next_face(self) -> Any:
        tier = next(tier for tier in range(3) if self.left[tier])
        face = (yield -1, [("face", face) for face in self.unseen[tier]])[1]
        self.unseen[tier].remove(face)
        self.left[tier] -= 1
        return tier + 1, face

    def _turn_up(self, cell: str, tier: int, face: str) -> Any:
        """PC-16: any unseen building of this tier and face."""
        behind = [name for name in self.unshown if BY_NAME[name].tier == tier and BY_NAME[name].face == face]
        name = (yield -1, [("building", cell, name) for name in behind])[2]
        self.unshown.remove(name)
        self.market[cell] = (tier, name)

    def _line(self) -> Any:
        """PC-21."""
        line: list[str] = []
        while len(line) < 10:
            there = TOKENS if self.own_tokens else self.tokens
            options: list[Choice] = [("line", token) for token in there if token not in line]
            choice = yield 0, options if line or self.own_tokens else [*options, ("line-as-drawn",)]
            if choice[0] == "line-as-drawn":
                return
            line.append(choice[1])
        self.tokens = line

    def _is_building(self, cell: str) -> bool:
        return self.market[cell][1] in BY_NAME

    def _flips(self) -> list[Choice]:
        """PC-6."""
        lines = [[cell for cell in CELLS if cell[0] == column] for column in COLUMNS]
        lines += [[cell for cell in CELLS if cell[1] == row] for row in "1234"]
        plain = [line for line in lines if not any(map(self._is_building, line))]
        return [("flip", cell) for cell in CELLS if any(cell in line for line in plain)]

    def _payable(self, seat: int, cells: tuple[str, str]) -> bool:
        player = self.players[seat]
        found = [self.market[cell][1] for cell in cells]
        richer = Player(player.stock + [card for card in found if card not in BY_NAME])
        richer.city = player.city
        return pays(tuple(richer.stock), owed(richer, [BY_NAME[card] for card in found if card in BY_NAME]))

    def _takes(self, seat: int) -> list[Choice]:
        takes: list[Choice] = [("take", pair) for pair in neighbours() if self._payable(seat, pair)]
        return [*takes, ("draw",)] if self.top else takes

    def _turn(self, seat: int) -> Any:
        choice = yield seat, [*self._flips(), *self._takes(seat)] or [("skip",)]
        if choice[0] == "flip":
            yield from self._turn_up(choice[1], *self.market[choice[1]])
            choice = yield seat, self._takes(seat)
        self.emptied: list[tuple[str, bool]] = []
        self.skipped = choice[0] == "skip"
        if choice[0] == "draw":
            yield from self._draw(seat)
        elif choice[0] == "take":
            yield from self._take(seat, choice[1])

    def _draw(self, seat: int) -> Any:
        """PC-13."""
        assert self.top
        self.players[seat].stock.append(self.top[1])
        self.players[seat].stock.append((yield from self._next_face())[1])
        self.top = (yield from self._next_face()) if any(self.left) else None

    def _out_of_market(self, seat: int, cells: tuple[str, ...]) -> list[Building]:
        self.emptied = [(cell, not self._is_building(cell)) for cell in cells]
        found = [self.market.pop(cell)[1] for cell in cells]
        self.players[seat].stock += [card for card in found if card not in BY_NAME]
        return [BY_NAME[card] for card in found if card in BY_NAME]

    def _take(self, seat: int, cells: tuple[str, ...]) -> Any:
        player = self.players[seat]
        buildings = self._out_of_market(seat, cells)
        possible = sorted(ways(player, buildings))
        way = possible[0]
        if len(possible) > 1:
            way = (yield seat, [("pay", way) for way in possible])[1]
        for card in way:
            player.stock.remove(card)
        player.city += buildings
        for _ in [card for card in buildings if card.kind == "civic"]:  # PC-14
            if self.tokens:
                token = (yield seat, [("token", token) for token in self.tokens])[1]
                self.tokens.remove(token)
                player.tokens.append(token)

    def _automa_takes(self, number: int) -> None:
        """PC-22, PC-23."""
        column, row = COLUMNS[number % 4], (number + 1) % 4
        cells = tuple(sorted((f"{column}{row + 1}", f"{column}{(row + 1) % 4 + 1}"), key=CELLS.index))
        buildings = self._out_of_market(self.seats, cells)
        self.players[-1].city += buildings
        for _ in [card for card in buildings if card.kind == "civic"]:
            self.players[-1].tokens += self.tokens[:1]
            del self.tokens[:1]

    def _cannot_refill(self) -> Any:
        """PC-15, PC-17: true when the game is over."""
        if self.skipped:
            return True
        for cell, building in self.emptied:
            if not self.top:
                return True
            self.market[cell] = self.top
            if building:
                yield from self._turn_up(cell, *self.top)
            self.top = (yield from self._next_face()) if any(self.left) else None
        return False

    def sheet(self, seat: int) -> list[tuple[str, int, int]]:
        player = self.players[seat]
        points = sum(card.points for card in player.city)
        lines = [("buildings", len(player.city), points)]
        if seat == self.seats:
            return lines + self._automa_lines(player)
        lines += [(token, *worth(token, player)) for token in player.tokens]
        return [*lines, ("unspent", len(player.stock), 0)]

    def _automa_lines(self, player: Player) -> list[tuple[str, int, int]]:
        """PC-24."""
        counts = [player.permanents().count(resource) for resource in RESOURCES]
        steps = {"easy": range(99), "medium": [0, 1, 2, 3], "hard": [0, 1, 3, 6]}[str(self.automa)]
        permanents = sum(steps[count if self.automa == "easy" else min(count, 3)] for count in counts)
        each = {"easy": 3, "medium": 5, "hard": 7}[str(self.automa)]
        jokers = player.stock.count("ingenuity")
        return [
            ("permanents", sum(counts), permanents),
            ("tokens", len(player.tokens), each * len(player.tokens)),
            ("ingenuity", jokers, jokers if self.automa == "hard" else 0),
        ]

    def scores(self) -> list[int]:
        return [sum(points for *_, points in self.sheet(seat)) for seat in range(len(self.players))]

    def ranks(self) -> list[int]:
        """PC-19, PC-24."""
        standing = [
            (score, len(player.stock), self.automa is not None and seat == self.seats)
            for seat, (score, player) in enumerate(zip(self.scores(), self.players, strict=True))
        ]
        return [1 + sum(other > own for other in standing) for own in standing]


def worth(token: str, player: Player) -> tuple[int, int]:
    """Returns the count and the points of a token."""
    counts = {resource: player.permanents().count(resource) for resource in RESOURCES}
    if token.startswith("flat"):
        return 1, int(token[-1])
    if token == "ingenuity":
        return player.stock.count(token), 2 * player.stock.count(token)
    plain = {
        "two-plus": (2, sum(count >= 2 for count in counts.values())),
        "three-plus": (3, sum(count >= 3 for count in counts.values())),
        "missing": (4, sum(count == 0 for count in counts.values())),
        "full-set": (6, min(counts.values())),
    }
    if token in plain:
        each, count = plain[token]
        return count, each * count
    if token in counts:
        return counts[token], 2 * counts[token]
    first, other = token.split("-")
    pairs = min(counts[first], counts[other])
    return pairs, 3 * pairs
