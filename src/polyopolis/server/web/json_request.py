"""Decodes request bodies into the types that handlers declare."""

import re
from typing import Any

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.exceptions import ValidationException
from litestar.openapi.spec import OpenAPIType, Schema
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition

from polyopolis.engine import check_json

_FIELD = re.compile(r"`\$\.(?P<field>.+)`$")


class JSONRequest(Request[Any, Any, State]):
    """Decodes JSON in one step; Litestar would decode it to builtins and then convert these."""

    async def json(self) -> Any:
        body, field = await self.body(), self.route_handler.parsed_data_field
        try:
            check_json(body)
            return msgspec.json.decode(body, type=field.annotation if field else Any, strict=False)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ValidationException(extra=[_field_error(str(error))]) from error


class RawObjectSchema(OpenAPISchemaPlugin):
    """Describes `msgspec.Raw`, whose contents a handler decodes itself, as a JSON object."""

    @staticmethod
    def is_plugin_supported_type(value: Any) -> bool:
        return value is msgspec.Raw

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        return Schema(type=OpenAPIType.OBJECT)


def _field_error(sentence: str) -> dict[str, str]:
    """Returns the error in the format of Litestar: the field and the message."""
    place = _FIELD.search(sentence)
    return {"key": place["field"] if place else "body", "message": sentence.split(" - at `$", maxsplit=1)[0]}
