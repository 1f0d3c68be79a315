"""Arguments and options that several commands share, and the parsing of their values."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
import typer

from polyopolis.bots.tournaments.executors import Executor, local_executor
from polyopolis.bots.tournaments.ray_executor import RayExecutor
from polyopolis.cli.phrases import quantity
from polyopolis.engine import AnyGame, PolyopolisError
from polyopolis.games import spec_of

GameKey = Annotated[str, typer.Argument(metavar="GAME", help="Key of a game, such as mycity.", show_default=False)]
SetupFields = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Field of the setup, such as seats=3; repeatable."),
]
BotNames = Annotated[str, typer.Option(metavar="NAMES", help="Comma-separated bots; a short list repeats.")]
Seed = Annotated[str, typer.Option(metavar="TEXT", help="Any text; the same seed gives the same chance events.")]
Jobs = Annotated[int, typer.Option(min=1, help="Number of processes.")]
Ray = Annotated[
    str,
    typer.Option(metavar="ADDRESS", help="Ray cluster to use instead of processes; local starts a temporary one."),
]
JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON.")]


class BadOption(PolyopolisError):
    """An argument or option of a command is invalid."""


def parse_setup(game: AnyGame, given: Sequence[str], seats: int) -> Any:
    """Returns the setup that `--set KEY=VALUE` options describe; `seats` is the default number of seats."""
    fields: dict[str, Any] = {"seats": seats}
    for text in given:
        key, equals, value = text.partition("=")
        if not (key and equals):
            raise BadOption(f"--set takes key=value, not {text!r}")
        fields[key] = value
    if unknown := sorted(fields.keys() - set(game.Setup.__struct_fields__)):
        known = ", ".join(game.Setup.__struct_fields__)
        raise BadOption(f"--set has no key {unknown[0]!r}; the keys are {known}")
    return _convert(game, fields)


def parse_campaign(game: AnyGame, given: Sequence[str], seats: int) -> tuple[Any, tuple[int, ...]]:
    """Like `parse_setup`, but also accepts the campaigns of a game as `mode=NAME` or `plan=NAME`.

    Returns the setup and the episodes of the campaign, which are empty if none is named.
    """
    spec = spec_of(game.key)
    asked = [text for text in given if text.startswith(("mode=", "plan="))]
    others = [text for text in given if text not in asked]
    plans = spec.plans(parse_setup(game, others, seats).content) if asked else {}
    if not plans:
        return parse_setup(game, given, seats), ()
    key, _, name = asked[-1].partition("=")
    if name in plans:
        plan = plans[name]
        fields = {**spec.planned, "episode": plan[0]}
        return parse_setup(game, [*(f"{field}={value}" for field, value in fields.items()), *others], seats), plan
    if key not in game.Setup.__struct_fields__:
        raise BadOption(f"--set {asked[-1]}: {game.key} has no such {key}; choose from {', '.join(plans)}")
    return parse_setup(game, given, seats), ()


def _convert(game: AnyGame, fields: dict[str, Any]) -> Any:
    try:
        return msgspec.convert(fields, game.Setup, strict=False)
    except msgspec.ValidationError as error:
        reason, _, where = str(error).partition(" - at `$.")
        key = where.rstrip("`")
        raise BadOption(f"--set {key}={fields.get(key)}: {reason[0].lower()}{reason[1:]}") from error


def parse_names(text: str) -> list[str]:
    """Splits a comma-separated list."""
    return [name.strip() for name in text.split(",") if name.strip()]


def bots_for_seats(names: Sequence[str], seats: int) -> list[str]:
    """Returns a bot for each seat; a short list repeats."""
    if len(names) > seats:
        raise BadOption(f"{len(names)} bots do not fit on {quantity('seat', seats)}")
    if seats and not names:
        raise BadOption("--bots needs at least one name")
    return [names[seat % len(names)] for seat in range(seats)]


def executor_for(jobs: int, ray: str) -> Executor:
    """Returns local processes, or a Ray cluster if an address is given."""
    if ray and jobs > 1:
        raise BadOption("--jobs and --ray cannot be combined")
    return RayExecutor(ray) if ray else local_executor(jobs)
