"""For pytest: the fixture `touchstone`, a client for the tests of a run. Loaded by itself where the package is installed."""

from __future__ import annotations

from typing import Iterator

import pytest

from .client import Touchstone, init


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("touchstone_project", "project of the service that tests write to", default="tests")


@pytest.fixture(scope="session")
def touchstone(request: pytest.FixtureRequest) -> Iterator[Touchstone]:
    """Of the service that SERVICE_URL and SERVICE_API_KEY name; skips the test where there is no key."""
    try:
        client = init(request.config.getini("touchstone_project"))
    except ValueError as missing:
        pytest.skip(str(missing))
    yield client
    client.shutdown(60)
