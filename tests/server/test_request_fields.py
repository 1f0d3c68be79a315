"""Every field of every request: a value that cannot be meant is refused with 4xx, whatever the field is called."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from litestar import Litestar
from litestar.di import NamedDependency, Provide
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.testing import TestClient
from msgspec import inspect
from websockets.exceptions import InvalidStatus

from polyopolis.play.bounds import LARGEST_INT32
from polyopolis.play.messages import FromScreen
from polyopolis.server import app as apps
from polyopolis.server.app import create_app
from polyopolis.server.doors import doors
from polyopolis.server.options import Options
from polyopolis.server.providing import PROVIDED
from polyopolis.server.visitors import Visit
from tests.server.house import NO_LIMITS, ORIGIN, OWN_PAGE, Visitor
from tests.server.threads import ThreadHouse, served

Body = dict[str, Any]
TOO_LARGE = (2**63, -(2**63) - 1, 10**30)
"""Integers that no column of a database holds."""


class Route(NamedTuple):
    method: str
    path: str
    handler: HTTPRouteHandler

    @property
    def parameters(self) -> Mapping[str, Any]:
        return self.handler.parsed_fn_signature.parameters

    @property
    def body(self) -> Any:
        return self.parameters["data"].annotation

    @property
    def bodies(self) -> tuple[inspect.StructType, ...]:
        return structs_of(self.body) if "data" in self.parameters else ()


def routes() -> list[Route]:
    app = create_app(Options(Path("unused")))
    return [
        Route(method, route.path_format, handler)
        for route in app.routes
        if isinstance(route, HTTPRoute) and route.path.startswith("/api")
        for handler in route.route_handlers
        for method in sorted(handler.http_methods - {"OPTIONS"})
    ]


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


class Site(NamedTuple):
    client: TestClient[Litestar]
    table: str

    def path(self, route: Route, number: int = 0) -> str:
        """The address of a route in which all integers are `number`."""
        path = route.path.replace("{table}", self.table)
        integers = {name for name, value in route.parameters.items() if value.annotation is int}
        return re.sub(r"\{(\w+)\}", lambda found: str(number) if found[1] in integers else "mycity", path)

    def status(self, route: Route, path: str, **request: Any) -> int:
        return int(self.client.request(route.method, path, **request).status_code)


@contextmanager
def opened(options: Options) -> Iterator[Site]:
    with TestClient(create_app(options), base_url=ORIGIN, raise_server_exceptions=False) as client:
        client.headers.update(OWN_PAGE)
        seats = [{"type": "me", "name": "Ada"}, {"type": "open"}]
        table = client.post("/api/tables", json={"game": "mycity", "setup": {}, "seats": seats}).json()["table"]
        yield Site(client, table)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """Everybody may use what outside bots use, and for each field of a body there is a dependency with its name."""
    used = {name for route in routes() for name in route.parameters}
    fields = {field.name for route in routes() for body in route.bodies for field in body.fields}
    dependencies = PROVIDED | {"program": Provide(visiting)} | {name: unused() for name in fields - used}
    monkeypatch.setattr(apps, "PROVIDED", dependencies)
    with opened(Options(tmp_path, bot_processes=1, limits=NO_LIMITS)) as found:
        yield found


async def visiting(visit: NamedDependency[Visit]) -> Visit:
    return visit


def unused() -> Provide:
    """A dependency that no handler uses; litestar takes no function for two of them."""

    async def nothing() -> None:
        pass

    return Provide(nothing)


def test_a_field_of_a_body_is_not_taken_for_a_dependency(site: Site) -> None:
    failed, tried = [], 0
    for route in routes():
        for body in route.bodies:
            for field in body.fields:
                sent = filled(body, **{field.encode_name: [{"no": "such"}]})
                tried += 1
                if site.status(route, site.path(route), json=sent) >= 500:
                    failed.append((route.path, field.name))
    assert not failed
    assert tried > 50


def test_the_field_is_named_in_the_answer(site: Site) -> None:
    answer = site.client.post(f"/api/tables/{site.table}/seats/0", json={"type": "go-away", "days": 22})
    assert (answer.status_code, answer.json()) == (400, {"error": "days: Expected `int` <= 21"})


@pytest.mark.parametrize("number", TOO_LARGE)
def test_an_integer_that_is_too_large_is_refused(site: Site, number: int) -> None:
    failed, tried = [], 0
    for route in routes():
        requests: list[tuple[str, Body]] = [(site.path(route, number), {})]
        if route.bodies:
            requests[0][1]["json"] = filled(route.bodies[0])
            bodies = [sent for body in route.bodies for sent in with_integer(body, number)]
            requests += [(site.path(route), {"json": sent}) for sent in bodies]
        for name, value in route.parameters.items():
            if value.annotation in (int, int | None) and f"{{{name}}}" not in route.path:
                requests.append((f"{site.path(route)}?{name}={number}", {}))
        for path, request in requests:
            if str(number) in f"{path} {request}":
                tried += 1
                if not 400 <= site.status(route, path, **request) < 500:
                    failed.append((path, request))
    assert not failed
    assert tried > 30


@pytest.mark.slow
@pytest.mark.parametrize("number", [LARGEST_INT32, LARGEST_INT32 + 1, *TOO_LARGE])
def test_postgresql_is_asked_for_no_integer_that_it_cannot_hold(
    tmp_path: Path, new_site: Callable[[], str], number: int
) -> None:
    options = Options(tmp_path, bot_processes=1, limits=NO_LIMITS, database=new_site())
    with opened(options) as site:
        paths = {route: site.path(route, number) for route in routes() if route.method == "GET"}
        found = {path: site.status(route, path) for route, path in paths.items() if str(number) in path}
    assert len(found) > 5
    assert {status for status in found.values() if not 400 <= status < 500} == set(), found


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
