"""A browser and a server for the tests of one file.

The browser ends with the file: as long as it is driven, no other test of this process could run an event loop.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser

from e2e.clients import Server
from e2e.pages import Screen, chromium, window

Window = Callable[..., Screen]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Deals are the same each time, for tables that are made in the same order."""
    with Server(tmp_path_factory.mktemp("data"), seed=42) as server:
        yield server


@pytest.fixture
def screens(browser: Browser, server: Server) -> Iterator[Window]:
    """Opens windows of people who do not know each other."""
    with ExitStack() as stack:

        def one(*arguments: Any, **more: Any) -> Screen:
            opened: AbstractContextManager[Screen] = window(browser, server.address, *arguments, **more)
            return stack.enter_context(opened)

        yield one


@pytest.fixture
def screen(screens: Window) -> Screen:
    return screens()
