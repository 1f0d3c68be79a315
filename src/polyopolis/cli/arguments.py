"""What people type on the command line, turned into values or into one sentence that says what is wrong."""

from collections.abc import Sequence
from typing import Any

import msgspec

from polyopolis.bots.tournaments.executors import Executor, local_executor
from polyopolis.bots.tournaments.ray_executor import RayExecutor
from polyopolis.cli.phrases import count
from polyopolis.engine import AnyGame, PolyopolisError
from polyopolis.games import spec_of


class BadOption(PolyopolisError):
    """Something on the command line cannot be meant."""


def setup_of(game: AnyGame, given: Sequence[str], seats: int) -> Any:
    """The setup that `--set key=value` options describe; so many seats unless they say otherwise."""
    fields: dict[str, Any] = {"seats": seats}
    for text in given:
        key, equals, value = text.partition("=")
        if not (key and equals):
            raise BadOption(f"--set takes key=value, not {text!r}")
        fields[key] = value
    if unknown := sorted(fields.keys() - set(game.Setup.__struct_fields__)):
        known = ", ".join(game.Setup.__struct_fields__)
        raise BadOption(f"--set knows no key {unknown[0]!r}; the keys are {known}")
    return _converted(game, fields)


def campaign_of(game: AnyGame, given: Sequence[str], seats: int) -> tuple[Any, tuple[int, ...]]:
    """The setup, and the episodes in a row that `--set mode=...` or `plan=...` names in a game with such plans."""
    sign = spec_of(game.key)
    asked = [text for text in given if text.startswith(("mode=", "plan="))]
    others = [text for text in given if text not in asked]
    plans = sign.plans(setup_of(game, others, seats).content) if asked else {}
    if not plans:
        return setup_of(game, given, seats), ()
    key, _, name = asked[-1].partition("=")
    if name in plans:
        plan = plans[name]
        said = {**sign.planned, "episode": plan[0]}
        return setup_of(game, [*(f"{field}={value}" for field, value in said.items()), *others], seats), plan
    if key not in game.Setup.__struct_fields__:
        raise BadOption(f"--set {asked[-1]}: {game.key} has no such {key}; there is {', '.join(plans)}")
    return setup_of(game, given, seats), ()


def _converted(game: AnyGame, fields: dict[str, Any]) -> Any:
    try:
        return msgspec.convert(fields, game.Setup, strict=False)
    except msgspec.ValidationError as error:
        reason, _, where = str(error).partition(" - at `$.")
        key = where.rstrip("`")
        raise BadOption(f"--set {key}={fields.get(key)}: {reason[0].lower()}{reason[1:]}") from error


def names_in(text: str) -> list[str]:
    """The names of a list with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def filled(names: Sequence[str], seats: int) -> list[str]:
    """A name for each seat; a short list begins again."""
    if len(names) > seats:
        raise BadOption(f"{len(names)} bots do not fit on {count('seat', seats)}")
    if seats and not names:
        raise BadOption("--bots names at least one bot")
    return [names[seat % len(names)] for seat in range(seats)]


def hands_of(jobs: int, ray: str) -> Executor:
    """Processes here, or those of a cluster."""
    if ray and jobs > 1:
        raise BadOption("--jobs and --ray do not go together")
    return RayExecutor(ray) if ray else local_executor(jobs)
