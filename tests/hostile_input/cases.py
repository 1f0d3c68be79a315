"""Extreme values for every field of every request and WebSocket message, derived from the types of the application."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from msgspec import NODEFAULT, inspect

from polyopolis.play.match.messages import FromScreen
from polyopolis.server.realtime.connection_guard import MAX_MESSAGE_BYTES

UNKNOWN = "unknown"
VALID_VALUES = {
    "game": "mycity",
    "setup": {"mode": "eternal"},
    "seats": [{"type": "me", "name": "Ada"}],
    "plan": [],
    "pace": None,
    "name": "Ada",
    "bot": "random",
    "seat": 0,
    "to": 0,
    "turn": 1,
    "zone": "Europe/Berlin",
    "address": "ada@example.com",
    "scopes": ["watch"],
}
"""Valid values by field name, for fields whose type alone does not determine one."""
EXTREME_VALUES: Mapping[str, str] = {
    "NUL": r'"a\u0000b"',
    "raw NUL": '"a\0b"',
    "lone surrogate": r'"\ud800"',
    "2^63": str(2**63),
    "-2^63-1": str(-(2**63) - 1),
    "2^31": str(2**31),
    "-1": "-1",
    "1e308": "1e308",
    "many 1e308": f"[{','.join(['1e308'] * 2500)}]",
    "300 digits": "9" * 300,
    "fraction": "0.5",
    "nested lists": "[" * 5000 + "]" * 5000,
    "nested objects": '{"a":' * 2500 + "1" + "}" * 2500,
    "many lists": f"[{','.join(['[]'] * 5000)}]",
    "long text": json.dumps("x" * 15_000),
    "combining marks": json.dumps("a" + "\u0301" * 400),
    "blank": json.dumps("\u2800"),
    "empty text": '""',
    "list": "[1]",
    "object": '{"a":1}',
    "null": "null",
    "true": "true",
}
"""Extreme values as JSON by name; each fits into a WebSocket message."""
LARGE_BODIES = {"1 MB": json.dumps("x" * 1024 * 1024), "1 MB of 1e308": f"[{','.join(['1e308'] * 175_000)}]"}
"""Whole bodies, larger than any request except an import."""
ALWAYS_INVALID = frozenset(
    ["NUL", "lone surrogate", "no UTF-8", "2^63", "-2^63-1", "1e308", "many 1e308", "300 digits"]
)
"""Kinds that no field or parameter accepts."""
SHORT_RUN_KINDS = frozenset(["NUL", "2^63", "many 1e308", "nested lists", "long text"])
"""Kinds of the short run."""
SHORT_RUN_POSTGRES_KINDS = frozenset(["NUL", "2^63", "2^31"])
"""Kinds of the short run on PostgreSQL: the others never reach a database."""
EXTREME_PARAMETERS = {
    "NUL": "%00",
    "lone surrogate": "%ED%A0%80",
    "no UTF-8": "%FF",
    "2^63": str(2**63),
    "-1": "-1",
    "2^31": str(2**31),
    "exponent": "1e308",
    "300 digits": "9" * 300,
    "dots": "..%2f..%2f",
    "long text": "x" * 4000,
    "text": "x",
    "empty": "%20",
}


@dataclass(frozen=True)
class Case:
    """A request, or a WebSocket message if `method` is empty."""

    about: str
    """The field or parameter."""
    kind: str
    """The name of the value."""
    method: str
    path: str
    body: str = ""

    @property
    def is_acceptable(self) -> bool:
        """Whether the server may accept it. Unknown parameters are ignored."""
        return self.kind not in ALWAYS_INVALID or self.about == UNKNOWN

    def __str__(self) -> str:
        return f"{self.method} {self.path[:80]} {self.about}: {self.kind}"


@dataclass(frozen=True)
class Route:
    method: str
    path: str
    """The path with parameters as `{name:type}`."""
    body: Any
    """The type of the body, or None."""
    query: tuple[str, ...]

    @property
    def names(self) -> Sequence[str]:
        """The names of the path parameters."""
        return re.findall(r"\{(\w+):", self.path)

    def filled(self, known: Mapping[str, str], **one: str) -> str:
        """Returns the path with valid values, except for one parameter."""
        return re.sub(r"\{(\w+):\w+\}", lambda found: one.get(found[1]) or known.get(found[1], "1"), self.path)


def routes_of(app: Litestar) -> list[Route]:
    found = []
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            if isinstance(handler, HTTPRouteHandler) and route.path.startswith("/api/"):
                parameters, data = handler.parsed_fn_signature.parameters, handler.parsed_data_field
                query = [name for name, kind in parameters.items() if isinstance(kind.kwarg_definition, QueryParameter)]
                body = data.annotation if data else None
                methods = sorted(set(handler.http_methods) & {"GET", "POST"})
                found += [Route(method, route.path, body, (*query, UNKNOWN)) for method in methods]
    return found


def cases_of(route: Route, known: Mapping[str, str]) -> Iterator[Case]:
    """Yields each parameter and each field with each extreme value, and valid values for the others."""
    valid = next(_bodies(route.body), "")
    for name in route.names:
        for kind, value in EXTREME_PARAMETERS.items():
            yield Case(name, kind, route.method, route.filled(known, **{name: value}), valid)
    for name in route.query:
        for kind, value in EXTREME_PARAMETERS.items():
            yield Case(name, kind, route.method, f"{route.filled(known)}?{name}={value}", valid)
    for about, kind, body in _extreme_bodies(route.body):
        yield Case(about, kind, route.method, route.filled(known), body)


def messages() -> Iterator[Case]:
    """Yields hostile messages of a page to its table."""
    for about, kind, body in _extreme_bodies(FromScreen):
        if len(body) < MAX_MESSAGE_BYTES:
            yield Case(about, kind, "", "", body)


def _extreme_bodies(union: Any) -> Iterator[tuple[str, str, str]]:
    if union is None:
        return
    for kind, value in {**EXTREME_VALUES, **LARGE_BODIES}.items():
        yield "body", kind, value
    for struct in _structs(union):
        valid = _valid_fields(struct)
        for name in valid:
            for kind, value in EXTREME_VALUES.items():
                yield f"{struct.__name__}.{name}", kind, _object({**valid, name: value})
        yield struct.__name__, "unknown field", _object({**valid, "other": "1"})


def _bodies(union: Any) -> Iterator[str]:
    return (_object(_valid_fields(struct)) for struct in _structs(union) if union is not None)


def _structs(union: Any) -> Sequence[Any]:
    return get_args(union) or (union,)


def _object(fields: Mapping[str, str]) -> str:
    return "{" + ",".join(f"{json.dumps(name)}:{value}" for name, value in fields.items()) + "}"


def _valid_fields(struct: Any) -> dict[str, str]:
    """Returns valid JSON values by field name."""
    found = inspect.type_info(struct)
    assert isinstance(found, inspect.StructType)
    tag = {found.tag_field: json.dumps(found.tag)} if found.tag_field else {}
    return {**tag, **{each.encode_name: json.dumps(_valid_value(each)) for each in found.fields}}


def _valid_value(field: inspect.Field) -> Any:
    return VALID_VALUES.get(field.name, _example(field.type) if field.default is NODEFAULT else field.default)


def _example(kind: inspect.Type) -> Any:
    match kind:
        case inspect.Metadata():
            return _example(kind.type)
        case inspect.UnionType():
            return _example(kind.types[0])
        case inspect.LiteralType():
            return kind.values[0]
        case inspect.IntType() | inspect.FloatType():
            return kind.ge or 0
        case inspect.BoolType():
            return True
        case inspect.StrType():
            return "aa"
        case inspect.StructType():
            return {name: json.loads(value) for name, value in _valid_fields(kind.cls).items()}
        case inspect.VarTupleType() | inspect.ListType() | inspect.CollectionType() | inspect.FrozenSetType():
            return []
        case inspect.NoneType():
            return None
    return {}
