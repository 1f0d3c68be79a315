"""Fields of requests and messages that are refused, beside all those of tests/hostile."""

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient
from msgspec import inspect
from websockets.exceptions import InvalidStatus

from polyopolis.play.messages import FromScreen
from polyopolis.server.app import create_app
from polyopolis.server.doors import doors
from polyopolis.server.options import Options
from tests.server.house import NO_LIMITS, ORIGIN, OWN_PAGE, Visitor
from tests.server.threads import ThreadHouse, served

Body = dict[str, Any]
TOO_LARGE = (2**63, -(2**63) - 1, 10**30)
"""Integers that no column of a database holds."""


def structs_of(kind: Any) -> tuple[inspect.StructType, ...]:
    found = inspect.type_info(kind)
    each = found.types if isinstance(found, inspect.UnionType) else (found,)
    return tuple(struct for struct in each if isinstance(struct, inspect.StructType))


def example(kind: inspect.Type) -> Any:
    """A value of a type."""
    match kind:
        case inspect.StructType():
            return filled(kind)
        case inspect.IntType():
            return max(0, kind.ge or 0)
        case inspect.BoolType():
            return True
        case inspect.StrType():
            return "en" if kind.pattern else "Ada"
        case inspect.LiteralType():
            return kind.values[0]
        case inspect.EnumType():
            return next(iter(kind.cls)).value
        case inspect.VarTupleType() | inspect.ListType():
            return [example(kind.item_type)] if kind.min_length else []
        case inspect.UnionType():
            return None if any(isinstance(each, inspect.NoneType) for each in kind.types) else example(kind.types[0])
        case inspect.DictType():
            return {}
    return None


def filled(struct: inspect.StructType, **fields: Any) -> Body:
    """A value of a struct in which some fields are as given."""
    tag = {struct.tag_field: struct.tag} if struct.tag_field else {}
    return tag | {field.encode_name: example(field.type) for field in struct.fields if field.required} | fields


def with_integer(kind: inspect.Type, value: int) -> Iterator[Any]:
    """Values of a type in which one integer is `value`."""
    match kind:
        case inspect.IntType():
            yield value
        case inspect.UnionType():
            for each in kind.types:
                yield from with_integer(each, value)
        case inspect.VarTupleType() | inspect.ListType():
            for item in with_integer(kind.item_type, value):
                yield [item]
        case inspect.StructType():
            for field in kind.fields:
                for item in with_integer(field.type, value):
                    yield filled(kind, **{field.encode_name: item})


def test_the_field_is_named_in_the_answer(tmp_path: Path) -> None:
    table = {"game": "mycity", "setup": {}, "seats": [{"type": "me", "name": "Ada"}, {"type": "open"}]}
    app = create_app(Options(tmp_path, bot_processes=1, limits=NO_LIMITS))
    with TestClient(app, base_url=ORIGIN) as client:
        client.headers.update(OWN_PAGE)
        made = client.post("/api/tables", json=table).json()["table"]
        answer = client.post(f"/api/tables/{made}/seats/0", json={"type": "go-away", "days": 22})
    assert (answer.status_code, answer.json()) == (400, {"error": "days: Expected `int` <= 21"})


@pytest.mark.parametrize("number", TOO_LARGE)
def test_an_integer_of_a_message_that_is_too_large_is_refused(number: int) -> None:
    messages = [said for struct in structs_of(FromScreen) for said in with_integer(struct, number)]
    assert len(messages) > 20
    for message in messages:
        with pytest.raises(msgspec.ValidationError, match="Expected `int`"):
            msgspec.json.decode(json.dumps(message), type=FromScreen)


@pytest.mark.anyio
async def test_an_integer_in_the_address_of_a_socket_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with served(create_app(Options(tmp_path, bot_processes=1)), **doors(NO_LIMITS)) as port:
        house = ThreadHouse(tmp_path, port)
        ada = Visitor(house)
        table = await ada.table("Ada", "open")
        for name, number in product(("since", "match"), (*TOO_LARGE, "x")):
            with pytest.raises(InvalidStatus) as refused:
                async with ada.at(table, f"{name}={number}"):
                    raise AssertionError("it was let in")
            assert refused.value.response.status_code == 403
        async with ada.at(table, "since=0&match=0"):
            pass
        await ada.close()
