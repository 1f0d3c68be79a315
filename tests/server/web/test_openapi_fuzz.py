"""Whatever is asked of the API, as its description allows it and as it does not."""

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
def test_the_api_answers_anything_without_an_error_of_its_own(house: ServerProcess, case: Any) -> None:
    """Whatever is asked, the answer is none of 500 and is of the kind that the schema names."""
    answer = case.call(base_url=house.url, headers={"origin": house.url, "x-polyopolis": "test"})
    case.validate_response(answer, checks=[not_a_server_error, response_schema_conformance])
