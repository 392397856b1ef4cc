"""The table of operations, and how it stands in the OpenAPI document."""

import re

import pytest
from pydantic import ValidationError

from contract.operations import BASE, IMAGE_TYPES, OPERATIONS, AskQuery, Operation
from contract.upgrades import CURRENT
from tests.contract.schemas import COMPONENTS, OPENAPI

every_operation = pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)


def test_the_document_holds_the_table_and_nothing_else():
    held = {(method.upper(), path) for path, item in OPENAPI["paths"].items() for method in item}
    assert held == {(operation.method, operation.path) for operation in OPERATIONS}
    assert len({operation.name for operation in OPERATIONS}) == len(OPERATIONS) == 8
    assert OPENAPI["servers"][0]["url"] == BASE
    assert OPENAPI["info"]["version"] == CURRENT


@every_operation
def test_the_parameters_of_a_path_are_those_it_names(operation: Operation):
    assert tuple(re.findall(r"\{(\w+)\}", operation.path)) == operation.params


@every_operation
def test_an_operation_answers_what_it_says_and_each_answer_names_the_code_that_gave_it(operation: Operation):
    answers = OPENAPI["paths"][operation.path][operation.method.lower()]["responses"]
    assert set(answers) == {str(status) for status in (operation.status, *operation.refuses)}
    for status, answer in answers.items():
        assert set(answer["headers"]) == {"Loopback-Revision", "Loopback-Build"}
        if status != str(operation.status):
            assert answer["content"] == {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}


@every_operation
def test_only_an_upload_needs_no_credential(operation: Operation):
    described = OPENAPI["paths"][operation.path][operation.method.lower()]
    assert operation.open == (operation.name == "storeUpload")
    assert described["security"] == ([{}] if operation.open else [{"BearerAuth": []}])
    assert operation.open == (401 not in operation.refuses)


def test_a_page_has_between_one_and_a_hundred_asks():
    parameters = {each["name"]: each for each in OPENAPI["paths"]["/asks"]["get"]["parameters"]}
    assert parameters["limit"]["schema"] == {"type": "integer", "format": "int32", "minimum": 1, "maximum": 100}
    assert not parameters["limit"]["required"]
    for limit in (1, 100):
        assert AskQuery.model_validate({"limit": str(limit)}).limit == limit
    for limit in ("0", "101", "-1", "ten", "", "1.5"):
        with pytest.raises(ValidationError):
            AskQuery.model_validate({"limit": limit})


def test_a_file_is_one_of_the_images_an_agent_may_upload():
    answer = OPENAPI["paths"]["/files/{uploadId}"]["get"]["responses"]["200"]
    assert list(answer["content"]) == list(IMAGE_TYPES) == COMPONENTS["ImageType"]["enum"]
