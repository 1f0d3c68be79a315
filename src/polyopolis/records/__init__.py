"""Public API of records: matches and campaigns as JSON files."""

from typing import TYPE_CHECKING

from polyopolis.engine.former_names import former_names
from polyopolis.records.record import (
    CampaignRecord,
    PlayedMatch,
    Record,
    RecordError,
    cache_key,
    campaign_record_of,
    digest_of,
    parse,
    read,
    record_of,
    record_text,
    write,
)
from polyopolis.records.verification import unseeded_moves, verify, verify_campaign

__all__ = [
    "CampaignRecord",
    "PlayedMatch",
    "Record",
    "RecordError",
    "cache_key",
    "campaign_record_of",
    "digest_of",
    "parse",
    "read",
    "record_of",
    "record_text",
    "unseeded_moves",
    "verify",
    "verify_campaign",
    "write",
]

if not TYPE_CHECKING:
    __getattr__ = former_names(
        __name__,
        {"Played": "PlayedMatch", "key_of": "cache_key", "text_of": "record_text", "undealt": "unseeded_moves"},
    )  # names in version 0.2, until version 0.4
