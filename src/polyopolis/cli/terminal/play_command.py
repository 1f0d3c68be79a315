"""`play`: a game or a campaign against bots in the terminal."""

# ruff: noqa: PLR0913, PLR0917 - the options of a command are the parameters of its function

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from polyopolis.bots import bot
from polyopolis.cli.arguments import BotNames, GameKey, Seed, SetupFields, bots_for_seats, parse_campaign, parse_names
from polyopolis.cli.console import stdout_console, warn_if_slow
from polyopolis.cli.terminal.campaign_file import SavedCampaign, resume_campaign
from polyopolis.cli.terminal.game_loop import TerminalGame, player_names
from polyopolis.cli.terminal.screen import screen_of
from polyopolis.engine import AnyGame, Campaign, Match
from polyopolis.games import game


def play(
    key: GameKey,
    fields: SetupFields = None,
    bots: BotNames = "greedy",
    seed: Seed = "",
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the record here after each round.")] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Continue the campaign of this file.")] = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="Your name.")] = "You",
) -> None:
    """Play in the terminal against bots or, in some games, alone.

    You have seat 0. --set mode=campaign plays all episodes.
    """
    rules, opponents = game(key), parse_names(bots)
    warn_if_slow(opponents)
    seats = max(rules.seats[0], len(opponents) + 1)
    campaign, match = resume_campaign(resume, rules) if resume else _new_match(rules, fields or [], seats)
    others = bots_for_seats(opponents, match.setup.seats - 1) if match.setup.seats > 1 else []
    TerminalGame(
        console=stdout_console(),
        screen=screen_of(key),
        match=match,
        names=tuple(player_names(name, others, len(match.result.scores))),
        bots={seat: bot(other) for seat, other in enumerate(others, start=1)},
        seed=seed or secrets.token_hex(4),
        file=save or resume,
        campaign=campaign,
    ).play()


def _new_match(rules: AnyGame, fields: Sequence[str], seats: int) -> tuple[SavedCampaign | None, Match]:
    """Returns the match to play, and its campaign if the setup names one."""
    setup, plan = parse_campaign(rules, fields, seats)
    campaign = SavedCampaign(Campaign(rules, plan, setup)) if plan else None
    return campaign, campaign.next_match() if campaign else Match.start(rules, setup)
