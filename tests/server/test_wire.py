"""The types of the client are those of the server."""

from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance

from polyopolis.server.app import create_app
from polyopolis.server.options import Options
from polyopolis.server.wire import files, typed
from tests.server.house import House

WIRE = Path(__file__).parent.parent.parent / "client" / "src" / "wire"


@pytest.mark.parametrize("name", sorted(files()))
def test_the_types_of_the_client_are_not_stale(name: str) -> None:
    assert (WIRE / name).read_text() == files()[name], "run `make wire`"


def test_a_schema_is_written_as_a_type() -> None:
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
    assert typed(schema).split("\n") == [
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


schema = schemathesis.openapi.from_dict(create_app(Options(Path("unused"))).openapi_schema.to_schema())


@schema.parametrize()
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_api_answers_anything_without_an_error_of_its_own(house: House, case: Any) -> None:
    """Whatever is asked, the answer is none of 500 and is of the kind that the schema names."""
    answer = case.call(base_url=house.url, headers={"origin": house.url, "x-polyopolis": "test"})
    case.validate_response(answer, checks=[not_a_server_error, response_schema_conformance])
