"""Which bots a house offers, and who plays where one fails."""

from polyopolis import bots

FALLBACK, LAST = "greedy", "random"
"""Who plays where a bot fails, and where even that fails."""


class Roster:
    """The part of a `Thinker` that needs no thinking."""

    stand_in = FALLBACK

    def opponents(self, game: str) -> tuple[str, ...]:
        return bots.opponents(game)

    def usual(self, game: str) -> str:
        return bots.usual(game)

    def beatable(self, game: str) -> str:
        return bots.beatable(game)

    def check(self, bot: str) -> None:
        bots.bot(bot)
