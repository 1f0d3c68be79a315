"""A campaign at the terminal: what is played of it, the luck of its episodes, and the file it makes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from polyopolis.cli.output_files import reason
from polyopolis.engine import AnyGame, Campaign, Match, derive_seed
from polyopolis.records import CampaignRecord, Record, RecordError, campaign_record_of, read, verify_campaign


@dataclass(frozen=True)
class SavedCampaign:
    """A campaign, and the records of the episodes that are over."""

    campaign: Campaign
    records: tuple[Record, ...] = ()

    @property
    def over(self) -> bool:
        return self.campaign.over

    def next_match(self) -> Match:
        return Match.start(self.campaign.game, self.campaign.next_setup())

    def seed_of_next(self, seed: bytes) -> bytes:
        """For the luck, or for the bots, of the next episode."""
        return derive_seed(seed, "match", len(self.records))

    def add(self, match: Match, record: Record) -> Self:
        return replace(self, campaign=self.campaign.add(match), records=(*self.records, record))

    def file(self, last: Record, names: Sequence[str]) -> CampaignRecord:
        """All that is played, with the episode that is on the table."""
        return campaign_record_of(self.campaign, (*self.records, last), names)


def resumed(path: Path, rules: AnyGame) -> tuple[SavedCampaign, Match]:
    """The campaign that a file holds, and the episode to go on with; RecordError says why one cannot."""
    try:
        found = read(path)
    except OSError as error:
        raise RecordError(f"{path}: {reason(error)}") from error
    if not isinstance(found, CampaignRecord) or found.game != rules.key:
        raise RecordError(f"{path}: it holds no campaign of {rules.key}")
    campaign, playing = verify_campaign(found)
    if campaign.over:
        raise RecordError(f"{path}: all episodes of this campaign are played")
    journey = SavedCampaign(campaign, found.records[: len(campaign.matches)])
    return journey, playing or journey.next_match()
