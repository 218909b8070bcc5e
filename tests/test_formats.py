"""No format changes under its old number: what is sent and kept is compared with docs/formats."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.formats import FOLDER, FORMATS, Format


@pytest.mark.parametrize("format", FORMATS, ids=lambda each: each.name)
def test_each_format_is_the_one_that_its_number_stands_for(format: Format) -> None:
    advice = format.advice()
    assert advice is None, advice


def test_every_schema_there_is_that_of_a_format() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {each.path.name for each in FORMATS}


def with_another_field(format: Format, raised: int = 0) -> Format:
    """As the format would be with one field more in one of its structs, and its numbers raised by so much."""
    schema = json.loads(json.dumps(format.schema()))
    inside: Any = schema
    while (
        isinstance(inside, dict)
        and "properties" not in inside
        and any(isinstance(v, dict) for v in inside.values())
    ):
        inside = next(value for value in reversed(inside.values()) if isinstance(value, dict))
    inside["properties"] = inside.get("properties", {}) | {"another": {"type": "integer"}}
    numbers = tuple(number._replace(value=number.value + raised) for number in format.numbers)
    return format._replace(schema=lambda: schema, numbers=numbers)


@pytest.mark.parametrize("format", FORMATS, ids=lambda each: each.name)
def test_a_field_that_is_added_is_told_with_the_number_that_must_rise(format: Format) -> None:
    advice = with_another_field(format).advice()
    assert advice is not None
    assert f"the schema of {format.name} is another" in advice
    for number in format.numbers:
        assert f"{number.name} (now {number.value})" in advice
    assert ("must rise" in advice) == bool(format.numbers)
    risen = with_another_field(format, raised=1).advice()
    assert risen is not None
    assert ("must rise" in risen) is False


def test_a_number_that_rises_alone_is_written_down_too() -> None:
    for format in FORMATS:
        raised = format._replace(numbers=tuple(n._replace(value=n.value + 1) for n in format.numbers))
        assert (raised.advice() is None) == (not format.numbers)
