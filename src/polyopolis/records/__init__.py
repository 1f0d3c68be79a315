"""Matches and campaigns on disk."""

from polyopolis.records.record import (
    CampaignRecord,
    Played,
    Record,
    RecordError,
    campaign_record_of,
    digest_of,
    key_of,
    parse,
    read,
    record_of,
    text_of,
    undealt,
    verify,
    verify_campaign,
    write,
)

__all__ = [
    "CampaignRecord",
    "Played",
    "Record",
    "RecordError",
    "campaign_record_of",
    "digest_of",
    "key_of",
    "parse",
    "read",
    "record_of",
    "text_of",
    "undealt",
    "verify",
    "verify_campaign",
    "write",
]
