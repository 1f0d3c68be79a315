"""The types on the wire, written for the client: `python -m polyopolis.server.wire client/src/wire`."""

import sys
from pathlib import Path
from typing import Any, get_args

import msgspec

from polyopolis.games.mycity import actions as mycity_actions
from polyopolis.games.mycity import outline as mycity_outline
from polyopolis.games.mycity import view as mycity_view
from polyopolis.games.pointcity import actions as pointcity_actions
from polyopolis.games.pointcity import outline as pointcity_outline
from polyopolis.games.pointcity import view as pointcity_view
from polyopolis.games.rollwrite import actions as rollwrite_actions
from polyopolis.games.rollwrite import outline as rollwrite_outline
from polyopolis.games.rollwrite import view as rollwrite_view
from polyopolis.server import messages

HEADING = "// Written by `make wire` from the server's types. Do not edit.\n"

SERVER = {
    "FromScreen": messages.FromScreen,
    "ToScreen": messages.ToScreen,
    "SeatChange": messages.SeatChange,
}
REQUESTS = (messages.CreateTable, messages.UseCode, messages.Branch, messages.Fork)
ANSWERS = (
    messages.Hello,
    messages.TableCreated,
    messages.TableInfo,
    messages.SeatCode,
    messages.Seated,
    messages.Beginning,
    messages.Replay,
    messages.CampaignInfo,
)
MYCITY = {"Action": mycity_actions.Action, "Event": mycity_actions.Event}
POINTCITY = {"Action": pointcity_actions.Action, "Event": pointcity_actions.Event}
ROLLWRITE = {"Action": rollwrite_actions.Action, "Event": rollwrite_actions.Event}


def files() -> dict[str, str]:
    """The text of each file by its name."""
    return {
        "server.ts": written(SERVER, (*REQUESTS, *ANSWERS)),
        "mycity.ts": written(MYCITY, (mycity_view.View, mycity_outline.Outline)),
        "pointcity.ts": written(POINTCITY, (pointcity_view.View, pointcity_outline.Outline)),
        "rollwrite.ts": written(ROLLWRITE, (rollwrite_view.View, rollwrite_outline.Outline)),
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
    main(Path(sys.argv[1]))
