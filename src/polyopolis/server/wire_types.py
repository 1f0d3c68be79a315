"""Generates types and constants of the client: `python -m polyopolis.server.wire_types client/src/wire`."""

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

import msgspec

from polyopolis.analysis.exercises import ExerciseGrade
from polyopolis.analysis.hindsight_report import HindsightReport
from polyopolis.analysis.review import Review
from polyopolis.games import BUILTIN_SPECS
from polyopolis.games.game_spec import GameSpec
from polyopolis.play import close_codes
from polyopolis.play.history import rule_trials
from polyopolis.play.match import messages
from polyopolis.play.timing import pace
from polyopolis.play.wire import requests, responses
from polyopolis.server.auth import account_types, bot_account_types
from polyopolis.server.notifications.quiet_hours import NotificationPreferences
from polyopolis.server.routes import notification_routes
from polyopolis.server.stats import profile_types

HEADING = "// Written by `make wire` from the server's types. Do not edit.\n"

UNIONS = {
    "FromScreen": messages.FromScreen,
    "ToScreen": messages.ToScreen,
    "SeatChange": requests.SeatChange,
    "Pace": pace.Pace,
}
REQUESTS = (
    notification_routes.NewPush,
    notification_routes.NewMail,
    notification_routes.NewHook,
    NotificationPreferences,
    requests.CreateTable,
    requests.UseSeatCode,
    requests.Branch,
    requests.Fork,
    requests.Import,
    requests.SetListed,
    requests.Solution,
    requests.PlayDaily,
    requests.Arrange,
    requests.SendChatMessage,
    requests.SendReaction,
    requests.Ignore,
)
RESPONSES = (
    responses.SiteInfo,
    responses.TableCreated,
    responses.TableInfo,
    responses.SeatCode,
    responses.SeatTaken,
    responses.MatchStart,
    responses.Replay,
    responses.ReplayFrameList,
    responses.PastEvents,
    responses.ScoreHistory,
    responses.PersonalBest,
    responses.CampaignInfo,
    responses.ReviewState,
    responses.SolutionGrade,
    responses.DailyInfo,
    responses.DailyCalendar,
    responses.OpenTables,
    responses.ChatHistory,
    responses.OwnVacation,
    rule_trials.Trials,
    notification_routes.NotificationSettings,
    notification_routes.TestDelivery,
)

ACCOUNTS = (
    account_types.ChangeName,
    account_types.RequestMail,
    account_types.RemoveMail,
    account_types.PasskeyProof,
    account_types.CodeProof,
    account_types.SignIn,
    account_types.OwnAccount,
    account_types.PasskeyOptions,
    account_types.MailSent,
    account_types.SignInCode,
    account_types.ProofResult,
    account_types.PersonalData,
    bot_account_types.CreateBot,
    bot_account_types.CreateToken,
    bot_account_types.OwnBots,
    bot_account_types.CreatedToken,
    profile_types.ShareProfile,
    profile_types.Profile,
    profile_types.TableRatings,
)
"""Types of features that the browser backend does not have."""


REVIEWS = (Review, HindsightReport, ExerciseGrade)


def wire_files(specs: Iterable[GameSpec] = BUILTIN_SPECS) -> dict[str, str]:
    """Returns the content of every generated file by name: shared types, and a file for each game."""
    own = {
        f"{spec.key}.ts": typescript_module({"Action": spec.rules.Action, "Event": spec.Event}, spec.screen_types)
        for spec in specs
    }
    return {
        "server.ts": typescript_module(UNIONS, (*REQUESTS, *RESPONSES)),
        "accounts.ts": typescript_module({}, ACCOUNTS),
        "review.ts": typescript_module({}, REVIEWS),
        "closeCodes.ts": typescript_constants(vars(close_codes)),
        **own,
    }


def typescript_module(unions: dict[str, Any], structs: tuple[type, ...]) -> str:
    """Returns a module that exports a type for each struct and each union."""
    kinds = [kind for union in unions.values() for kind in get_args(union)]
    _, components = msgspec.json.schema_components([*kinds, *structs], ref_template="{name}")
    parts = [f"export type {name} = {typescript_type(schema)};" for name, schema in sorted(components.items())]
    parts += [
        f"export type {name} = {' | '.join(kind.__name__ for kind in get_args(union))};"
        for name, union in unions.items()
    ]
    return HEADING + "\n" + "\n\n".join(parts) + "\n"


def typescript_constants(names: Mapping[str, Any]) -> str:
    """Returns a module that exports the names in capitals."""
    return (
        HEADING
        + "\n"
        + "".join(f"export const {name} = {repr_json(value)};\n" for name, value in names.items() if name.isupper())
    )


def typescript_type(schema: dict[str, Any]) -> str:
    """Returns the TypeScript type of a JSON schema."""
    match schema:
        case {"$ref": name}:
            return str(name)
        case {"const": value}:
            return repr_json(value)
        case {"enum": values}:
            return " | ".join(map(repr_json, values))
        case {"anyOf": options}:
            return " | ".join(dict.fromkeys(map(typescript_type, options)))
        case {"type": "object", "properties": fields}:
            return _struct(fields, schema.get("required", []))
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"Record<string, {typescript_type(values)}>"
        case {"type": "object"}:
            return "Record<string, unknown>"
        case {"type": "array", "prefixItems": items}:
            return f"[{', '.join(map(typescript_type, items))}]"
        case {"type": "array"}:
            return f"readonly ({typescript_type(schema.get('items') or {})})[]"
        case {"type": kind}:
            return "number" if kind == "integer" else str(kind)
    return "unknown"


def _struct(fields: dict[str, Any], required: list[str]) -> str:
    lines = [
        f"  readonly {name}{'' if name in required else '?'}: {typescript_type(field)};"
        for name, field in fields.items()
    ]
    return "{\n" + "\n".join(lines) + "\n}"


def repr_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in wire_files().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="output folder")
    main(parser.parse_args().folder)
