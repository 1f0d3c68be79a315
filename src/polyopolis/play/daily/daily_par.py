"""Par of a daily deck: the mean score of the best bot in the seat of the player.

The games are played in the background at the lowest priority. The bots never get the seed of the deck.
"""

from statistics import fmean

import msgspec

from polyopolis.engine import CHANCE, Dealer, Match, PolyopolisError, derive_seed
from polyopolis.games import game
from polyopolis.play.daily.try_verification import OWN
from polyopolis.play.entities import DailyDeck
from polyopolis.play.protocols import BotRequest, BotService, DailyRepository
from polyopolis.play.version import VERSION

BOT = "level-5"
GAMES = 20
"""In each game the bot breaks ties differently."""
PAR_VERSION = f"{BOT} {VERSION}"


class NoPar(PolyopolisError):
    """Another bot decided because the bot of the par was not available."""


async def par_of(daily_repository: DailyRepository, day: DailyDeck) -> float | None:
    """The mean score once all games have been played, preferably by this version."""
    played = await daily_repository.pars(day.day, day.game)
    whole = {version: scores for version, scores in played.items() if len(scores) >= GAMES}
    if not whole:
        return None
    return fmean(whole.get(PAR_VERSION, next(iter(whole.values()))).values())


async def play_par_games(
    bot_service: BotService, daily_repository: DailyRepository, day: DailyDeck, numbers: list[int]
) -> None:
    """Plays those of the games, in this order, that have not been played yet."""
    for number in numbers:
        played = (await daily_repository.pars(day.day, day.game)).get(PAR_VERSION, {})
        if number not in played:
            score = await _played(bot_service, day, number)
            await daily_repository.add_par(day.day, day.game, PAR_VERSION, number, score)


async def _played(bot_service: BotService, day: DailyDeck, number: int) -> int:
    rules, dealer = game(day.game), Dealer(day.seed)
    players = (BOT, *msgspec.json.decode(day.bots, type=tuple[str, ...]))
    seed = derive_seed(day.seed, "par", number)
    match = Match.start(rules, msgspec.json.decode(day.setup, type=rules.Setup)).deal(dealer)
    place = f"par/{day.day}/{day.game}/{number}"
    while not match.over:
        before = match
        for seat in sorted(match.due - {CHANCE}):
            question = BotRequest(place, before, seat, seed, watched=lambda: False, idle=True)
            choice = await bot_service.choose(players[seat], question)
            if choice.bot != players[seat]:
                raise NoPar(f"{choice.bot} played instead of {players[seat]} in {place}")
            match = match.decide(seat, choice.action)
        match = match.deal(dealer)
    return match.result.scores[OWN]
