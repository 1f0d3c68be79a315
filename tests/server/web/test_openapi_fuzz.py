"""Fuzzes the API with valid and invalid requests from its OpenAPI schema."""

from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance

from polyopolis.server.app import create_app
from polyopolis.server.options import Options
from tests.server.support.server_process import ServerProcess

schema = schemathesis.openapi.from_dict(create_app(Options(Path("unused"))).openapi_schema.to_schema())


@schema.parametrize()
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_request_conforms_to_the_schema(house: ServerProcess, case: Any) -> None:
    answer = case.call(base_url=house.url, headers={"origin": house.url, "x-polyopolis": "test"})
    case.validate_response(answer, checks=[not_a_server_error, response_schema_conformance])
