"""Games, matches, campaigns and luck as values. It knows no game and touches nothing outside."""

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
    name_of,
    ranks,
    shortened,
    why_not_due,
    worded,
)
from polyopolis.engine.dealer import Dealer, Rng, below, derived, seed_of
from polyopolis.engine.identity_cache import Lately
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
    "IllegalAction",
    "Lately",
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
    "derived",
    "name_of",
    "ranks",
    "seed_of",
    "shortened",
    "why_not_due",
    "worded",
]
