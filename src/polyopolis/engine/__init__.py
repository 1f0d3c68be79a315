"""Public API of the engine: matches, campaigns and dealers as immutable values.

The engine knows no specific game and does no input or output.
"""

from typing import TYPE_CHECKING

from polyopolis.engine.campaign import BadCampaign, Campaign
from polyopolis.engine.core import (
    CHANCE,
    AnyGame,
    BadSetup,
    Game,
    GameOver,
    IllegalAction,
    Line,
    NotDue,
    NothingStaged,
    PolyopolisError,
    Reason,
    Result,
    Sheet,
    Step,
    Tagged,
    describe_action,
    ranks,
    seat_name,
    shorten,
    why_not_due,
)
from polyopolis.engine.dealer import Dealer, Rng, below, derive_seed, seed_of
from polyopolis.engine.former_names import former_names
from polyopolis.engine.identity_cache import IdentityCache
from polyopolis.engine.json_text import check_json, decode_json
from polyopolis.engine.match import Match, Move

__all__ = [
    "CHANCE",
    "AnyGame",
    "BadCampaign",
    "BadSetup",
    "Campaign",
    "Dealer",
    "Game",
    "GameOver",
    "IdentityCache",
    "IllegalAction",
    "Line",
    "Match",
    "Move",
    "NotDue",
    "NothingStaged",
    "PolyopolisError",
    "Reason",
    "Result",
    "Rng",
    "Sheet",
    "Step",
    "Tagged",
    "below",
    "check_json",
    "decode_json",
    "derive_seed",
    "describe_action",
    "ranks",
    "seat_name",
    "seed_of",
    "shorten",
    "why_not_due",
]

if not TYPE_CHECKING:
    __getattr__ = former_names(
        __name__,
        {
            "Lately": "IdentityCache",
            "derived": "derive_seed",
            "name_of": "seat_name",
            "shortened": "shorten",
            "worded": "describe_action",
        },
    )  # names in version 0.2, until version 0.4
