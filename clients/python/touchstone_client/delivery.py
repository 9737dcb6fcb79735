"""Spans that have ended, sent in the background by OTLP over HTTP as JSON."""

from __future__ import annotations

import json
import threading
import time
import urllib.parse
from collections import deque
from dataclasses import dataclass
from typing import Any, Callable, Mapping

from .http import Http, TouchstoneError

BATCH = 512
INTERVAL_S = 1.0
LONGEST_WAIT_S = 10.0
LATER = (None, 408, 429, 502, 503, 504)


def to_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)


@dataclass(frozen=True)
class EndedSpan:
    """A span in the form of OTLP as JSON, with the name of what made it and the attributes of its resource, if there is one."""

    otlp: Mapping[str, Any]
    scope: str = "touchstone-client"
    resource: Mapping[str, Any] | None = None


def to_otlp_attributes(attributes: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _to_otlp_value(value)} for key, value in attributes.items()]


def _to_otlp_value(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)} if -(2**63) <= value < 2**63 else {"stringValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value if value - value == 0 else str(value).replace("inf", "Infinity").replace("nan", "NaN")}
    if isinstance(value, (list, tuple)):
        return {"arrayValue": {"values": [_to_otlp_value(item) for item in value]}}
    return {"stringValue": str(value)}


def _to_request(batch: list[EndedSpan]) -> bytes:
    """One request; spans of one resource and scope stand together."""
    groups: dict[tuple[int, str], list[EndedSpan]] = {}
    for span in batch:
        groups.setdefault((id(span.resource), span.scope), []).append(span)
    resource_spans = [
        {
            "resource": {"attributes": to_otlp_attributes(spans[0].resource or {})},
            "scopeSpans": [{"scope": {"name": scope}, "spans": [span.otlp for span in spans]}],
        }
        for (_, scope), spans in groups.items()
    ]
    return json.dumps({"resourceSpans": resource_spans}).encode()


class SpanQueue:
    """Bounded: spans that come to a full queue are lost and told. A batch is offered until the service takes it or its time is over."""

    def __init__(self, http: Http, project: str, log_stream: str, size: int, give_up_after_s: float, on_lost: Callable[[int, str], None]) -> None:
        self._http = http
        self._headers = {"content-type": "application/json", "project": urllib.parse.quote(project), "logstream": urllib.parse.quote(log_stream)}
        self._size = size
        self._give_up_after_s = give_up_after_s
        self._on_lost = on_lost
        self._spans: deque[EndedSpan] = deque()
        self._under_way = 0
        self._changed = threading.Condition()
        self._flushing = 0
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="touchstone", daemon=True)
        self._thread.start()

    def put(self, span: EndedSpan) -> None:
        with self._changed:
            full = self._closed or len(self._spans) >= self._size
            if not full:
                self._spans.append(span)
                if len(self._spans) >= BATCH:
                    self._changed.notify_all()
        if full:
            self._on_lost(1, "the queue is closed or full")

    def flush(self, timeout: float | None = None) -> bool:
        """Whether all spans that have ended are with the service, or were given up, within the timeout (seconds)."""
        with self._changed:
            self._flushing += 1
            self._changed.notify_all()
            try:
                return self._changed.wait_for(lambda: not self._spans and self._under_way == 0, timeout)
            finally:
                self._flushing -= 1

    def shutdown(self, timeout: float | None = None) -> bool:
        done = self.flush(timeout)
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        return done

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._flushing > 0 and self._spans or len(self._spans) >= BATCH, INTERVAL_S)
                batch = [self._spans.popleft() for _ in range(min(BATCH, len(self._spans)))]
                self._under_way = len(batch)
                if self._closed and not batch:
                    return
            if batch:
                self._deliver(batch)
                with self._changed:
                    self._under_way = 0
                    self._changed.notify_all()

    def _deliver(self, batch: list[EndedSpan]) -> None:
        data = _to_request(batch)
        deadline = time.monotonic() + self._give_up_after_s
        wait = 0.25
        while True:
            try:
                self._http.send("POST", "/v1/traces", data, self._headers)
                return
            except TouchstoneError as error:
                pause = max(wait, min(LONGEST_WAIT_S, error.retry_after or 0))
                if error.status not in LATER or time.monotonic() + pause > deadline or self._closed:
                    self._on_lost(len(batch), str(error))
                    return
            time.sleep(pause)
            wait = min(LONGEST_WAIT_S, wait * 2)
