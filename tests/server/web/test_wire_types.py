"""The generated types of the client match those of the server."""

from pathlib import Path

import pytest

from polyopolis.server.wire_types import typescript_type, wire_files

WIRE = Path(__file__).parents[3] / "client" / "src" / "wire"


@pytest.mark.parametrize("name", sorted(wire_files()))
def test_the_types_of_the_client_are_up_to_date(name: str) -> None:
    assert (WIRE / name).read_text() == wire_files()[name], "run `make wire`"


def test_schemas_become_typescript_types() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "integer"},
            "b": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "c": {"type": "array", "items": {"$ref": "Line"}},
            "d": {"type": "object", "additionalProperties": {"type": "boolean"}},
            "e": {"enum": ["x", "y"]},
            "f": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": False},
            "g": {},
        },
        "required": ["a", "b"],
    }
    assert typescript_type(schema).split("\n") == [
        "{",
        "  readonly a: number;",
        "  readonly b: string | null;",
        "  readonly c?: readonly (Line)[];",
        "  readonly d?: Record<string, boolean>;",
        '  readonly e?: "x" | "y";',
        "  readonly f?: [number, string];",
        "  readonly g?: unknown;",
        "}",
    ]
