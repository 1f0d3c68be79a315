"""Whether all that a server keeps can be played on with what is installed."""

import asyncio
from pathlib import Path

import typer

from polyopolis.cli.options import BadOption
from polyopolis.cli.words import say
from polyopolis.server.auditing import NAME, audited


def verified(data: Path) -> bool:
    """Prints what would break, and how many matches were re-played; whether nothing would."""
    if not (data / NAME).exists():
        raise BadOption(f"there is no {NAME} in {data}")
    return asyncio.run(_verified(data))


async def _verified(data: Path) -> bool:
    matches = broken = 0
    async for table, number, differences in audited(data):
        matches += number is not None
        broken += bool(differences)
        for difference in differences:
            typer.echo(say("store", "broken", table=table, match=_name(number), difference=difference))
    typer.echo(say("store", "verified", matches=matches, broken=broken))
    return not broken


def _name(number: int | None) -> str:
    return "-" if number is None else str(number)
