"""A campaign in a file: its finished episodes, and the seeds of those to come."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from polyopolis.cli.output_files import os_error_reason
from polyopolis.engine import AnyGame, Campaign, Match, derive_seed
from polyopolis.records import CampaignRecord, Record, RecordError, campaign_record_of, read, verify_campaign


@dataclass(frozen=True)
class SavedCampaign:
    """A campaign with the records of its finished episodes."""

    campaign: Campaign
    records: tuple[Record, ...] = ()

    @property
    def over(self) -> bool:
        return self.campaign.over

    def next_match(self) -> Match:
        return Match.start(self.campaign.game, self.campaign.next_setup())

    def seed_of_next(self, seed: bytes) -> bytes:
        """Derives the seed of the next episode from that of the campaign; for chance events or for bots."""
        return derive_seed(seed, "match", len(self.records))

    def add(self, match: Match, record: Record) -> Self:
        return replace(self, campaign=self.campaign.add(match), records=(*self.records, record))

    def file(self, last: Record, names: Sequence[str]) -> CampaignRecord:
        """Returns the record of the campaign; `last` is the current episode."""
        return campaign_record_of(self.campaign, (*self.records, last), names)


def resume_campaign(path: Path, rules: AnyGame) -> tuple[SavedCampaign, Match]:
    """Returns the campaign of a file and the episode to continue. Raises `RecordError` if there is none."""
    try:
        found = read(path)
    except OSError as error:
        raise RecordError(f"{path}: {os_error_reason(error)}") from error
    if not isinstance(found, CampaignRecord) or found.game != rules.key:
        raise RecordError(f"{path}: it is not the record of a campaign of {rules.key}")
    campaign, playing = verify_campaign(found)
    if campaign.over:
        raise RecordError(f"{path}: all episodes of this campaign are played")
    saved = SavedCampaign(campaign, found.records[: len(campaign.matches)])
    return saved, playing or saved.next_match()
