"""Games, matches, campaigns and dealers as immutable values. Knows no specific game and does no input or output."""

from typing import Any
from warnings import warn

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
    name_of,
    ranks,
    shortened,
    why_not_due,
)
from polyopolis.engine.dealer import Dealer, Rng, below, derive_seed, seed_of
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
    "name_of",
    "ranks",
    "seed_of",
    "shortened",
    "why_not_due",
]

_FORMER_NAMES = {"Lately": "IdentityCache", "derived": "derive_seed", "worded": "describe_action"}
"""Names in version 0.2, still importable with a `DeprecationWarning` until version 0.4."""


def __getattr__(name: str) -> Any:
    if name not in _FORMER_NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warn(f"polyopolis.engine.{name} is now {_FORMER_NAMES[name]}", DeprecationWarning, stacklevel=2)
    return globals()[_FORMER_NAMES[name]]
