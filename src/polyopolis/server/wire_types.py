"""The types on the wire, written for the client: `python -m polyopolis.server.wire_types client/src/wire`."""

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

import msgspec

from polyopolis.analysis.exercises import Answer
from polyopolis.analysis.hindsight_report import LookBack
from polyopolis.analysis.review import Review
from polyopolis.games import BUILTIN_SPECS
from polyopolis.games.game_spec import GameSpec
from polyopolis.play.history import rule_trials
from polyopolis.play.match import messages
from polyopolis.play.timing import pace
from polyopolis.play.wire import requests, responses
from polyopolis.server.auth import account_types, bot_account_types
from polyopolis.server.notifications.quiet_hours import Manners
from polyopolis.server.routes import notification_routes
from polyopolis.server.stats import profile_types

HEADING = "// Written by `make wire` from the server's types. Do not edit.\n"

SERVER = {
    "FromScreen": messages.FromScreen,
    "ToScreen": messages.ToScreen,
    "SeatChange": requests.SeatChange,
    "Pace": pace.Pace,
}
REQUESTS = (
    notification_routes.NewPush,
    notification_routes.NewMail,
    notification_routes.NewHook,
    Manners,
    requests.CreateTable,
    requests.UseCode,
    requests.Branch,
    requests.Fork,
    requests.Import,
    requests.Listing,
    requests.Solution,
    requests.PlayDay,
    requests.Arrange,
    requests.Say,
    requests.React,
    requests.Ignore,
)
ANSWERS = (
    responses.Hello,
    responses.TableCreated,
    responses.TableInfo,
    responses.SeatCode,
    responses.Seated,
    responses.Beginning,
    responses.Replay,
    responses.Frames,
    responses.Heard,
    responses.Course,
    responses.Best,
    responses.CampaignInfo,
    responses.Reviewed,
    responses.Solved,
    responses.DayInfo,
    responses.MyDays,
    responses.OpenTables,
    responses.Conversation,
    responses.OwnVacation,
    rule_trials.Trials,
    notification_routes.Notices,
    notification_routes.Tried,
)

ACCOUNTS = (
    account_types.CallMe,
    account_types.AskLetter,
    account_types.ForgetMail,
    account_types.ShowPasskey,
    account_types.ShowWord,
    account_types.Enter,
    account_types.Me,
    account_types.PasskeyAsked,
    account_types.LetterSent,
    account_types.OwnCode,
    account_types.Proved,
    account_types.Belonging,
    bot_account_types.MakeBot,
    bot_account_types.MakeToken,
    bot_account_types.OwnBots,
    bot_account_types.TokenMade,
    profile_types.ShareWho,
    profile_types.Who,
    profile_types.TableRatings,
)
"""What a page without a server has not."""


REVIEWS = (Review, LookBack, Answer)
"""What there is to learn from a match."""


def files(signs: Iterable[GameSpec] = BUILTIN_SPECS) -> dict[str, str]:
    """The text of each file by its name: what all games share, and a file for each game."""
    own = {
        f"{sign.key}.ts": written({"Action": sign.rules.Action, "Event": sign.Event}, sign.screen_types)
        for sign in signs
    }
    return {
        "server.ts": written(SERVER, (*REQUESTS, *ANSWERS)),
        "accounts.ts": written({}, ACCOUNTS),
        "review.ts": written({}, REVIEWS),
        **own,
    }


def written(unions: dict[str, Any], structs: tuple[type, ...]) -> str:
    """An exported type for each struct and each union."""
    kinds = [kind for union in unions.values() for kind in get_args(union)]
    _, components = msgspec.json.schema_components([*kinds, *structs], ref_template="{name}")
    parts = [f"export type {name} = {typed(schema)};" for name, schema in sorted(components.items())]
    parts += [
        f"export type {name} = {' | '.join(kind.__name__ for kind in get_args(union))};"
        for name, union in unions.items()
    ]
    return HEADING + "\n" + "\n\n".join(parts) + "\n"


def typed(schema: dict[str, Any]) -> str:
    """A JSON schema as a TypeScript type."""
    match schema:
        case {"$ref": name}:
            return str(name)
        case {"const": value}:
            return repr_json(value)
        case {"enum": values}:
            return " | ".join(map(repr_json, values))
        case {"anyOf": options}:
            return " | ".join(dict.fromkeys(map(typed, options)))
        case {"type": "object", "properties": fields}:
            return _struct(fields, schema.get("required", []))
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"Record<string, {typed(values)}>"
        case {"type": "object"}:
            return "Record<string, unknown>"
        case {"type": "array", "prefixItems": items}:
            return f"[{', '.join(map(typed, items))}]"
        case {"type": "array"}:
            return f"readonly ({typed(schema.get('items') or {})})[]"
        case {"type": kind}:
            return "number" if kind == "integer" else str(kind)
    return "unknown"


def _struct(fields: dict[str, Any], required: list[str]) -> str:
    lines = [f"  readonly {name}{'' if name in required else '?'}: {typed(field)};" for name, field in fields.items()]
    return "{\n" + "\n".join(lines) + "\n}"


def repr_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the files go")
    main(parser.parse_args().folder)
