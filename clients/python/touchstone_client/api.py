"""Every operation of the service, by its name. Types are in api.pyi."""

from __future__ import annotations

import urllib.parse
from typing import Any, Callable

from .http import Http
from .operations import OPERATIONS


class Api:
    """Parts of the path and of the query are arguments by their names (`from_` for a word of Python), the body is `body`: `api.get_project(project_id="…")`."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *OPERATIONS]

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in OPERATIONS:
            raise AttributeError(f"the service has no operation {name}")
        method, path = OPERATIONS[name]

        def call(*, body: Any = None, **given: Any) -> Any:
            used = {part: urllib.parse.quote(str(given.pop(part)), safe="") for part in _parts_of(path)}
            query = urllib.parse.urlencode({field.rstrip("_"): _to_query(value) for field, value in given.items() if value is not None}, doseq=True)
            return self._http.call(method, path.format(**used) + (f"?{query}" if query else ""), body)

        call.__name__ = name
        return call


def _parts_of(path: str) -> list[str]:
    return [part.split("}")[0] for part in path.split("{")[1:]]


def _to_query(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value
