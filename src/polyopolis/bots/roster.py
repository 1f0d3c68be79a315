"""Bots that a site offers, and the ones that replace a failing bot."""

from polyopolis import bots

FALLBACK_BOT, LAST_RESORT_BOT = "greedy", "random"
"""Bot that replaces a failing one, and the bot that replaces the fallback if it fails too."""


class Roster:
    """The part of `BotService` that makes no decisions."""

    stand_in = FALLBACK_BOT

    def opponents(self, game: str) -> tuple[str, ...]:
        return bots.opponents(game)

    def usual(self, game: str) -> str:
        return bots.default_opponent(game)

    def beatable(self, game: str) -> str:
        return bots.beginner_opponent(game)

    def check(self, bot: str) -> None:
        bots.bot(bot)
