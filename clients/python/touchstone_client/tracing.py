"""Spans, sent in the background by OTLP over HTTP as JSON."""

from __future__ import annotations

import contextvars
import json
import secrets
import sys
import threading
import time
import urllib.parse
from collections import deque
from typing import Any, Callable, Mapping

from .http import Http, TouchstoneError

BATCH = 512
INTERVAL_S = 1.0
LONGEST_WAIT_S = 10.0
LATER = (None, 408, 429, 502, 503, 504)
KINDS = {"llm": "LLM", "tool": "TOOL", "retriever": "RETRIEVER", "workflow": "CHAIN", "agent": "AGENT"}

_current: contextvars.ContextVar["Span | None"] = contextvars.ContextVar("touchstone_span", default=None)


def to_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)


def _foreign_parent() -> tuple[str, str] | None:
    """The span of OpenTelemetry that is current, where that is installed and used."""
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return None
    found = trace.get_current_span().get_span_context()
    return (f"{found.trace_id:032x}", f"{found.span_id:016x}") if found.is_valid else None


class Span:
    """A context manager; an exception that leaves it is its error."""

    def __init__(self, queue: "SpanQueue", name: str, type: str, input: Any, session_id: str | None) -> None:
        if type not in KINDS:
            raise ValueError(f"type is none of {', '.join(KINDS)}: {type}")
        self._queue = queue
        self.name = name
        self.attributes: dict[str, Any] = {"eval.span.type": type, "openinference.span.kind": KINDS[type]}
        if input is not None:
            self.attributes["input.value"] = to_text(input)
        if session_id is not None:
            self.attributes["session.id"] = session_id
        self.trace_id = ""
        self.span_id = secrets.token_hex(8)
        self.parent_id = ""
        self._error: str | None = None

    def set_output(self, output: Any) -> None:
        self.attributes["output.value"] = to_text(output)

    def __enter__(self) -> "Span":
        parent = _current.get()
        outside = (parent.trace_id, parent.span_id) if parent else _foreign_parent()
        self.trace_id, self.parent_id = outside or (secrets.token_hex(16), "")
        self._token = _current.set(self)
        self._started = time.time_ns()
        return self

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        _current.reset(self._token)
        self._ended = time.time_ns()
        if error is not None:
            self._error = str(error) or error.__class__.__name__
        self._queue.put(self)

    def to_otlp(self) -> dict[str, Any]:
        def typed(value: Any) -> dict[str, Any]:
            if isinstance(value, bool):
                return {"boolValue": value}
            return {"doubleValue": value} if isinstance(value, (int, float)) else {"stringValue": str(value)}

        return {
            "traceId": self.trace_id,
            "spanId": self.span_id,
            "parentSpanId": self.parent_id,
            "name": self.name,
            "kind": 1,
            "startTimeUnixNano": str(self._started),
            "endTimeUnixNano": str(self._ended),
            "attributes": [{"key": key, "value": typed(value)} for key, value in self.attributes.items()],
            "status": {"code": 2, "message": self._error} if self._error is not None else {"code": 0},
        }


class SpanQueue:
    """Bounded: spans that come to a full queue are lost and told. A batch is offered until the service takes it or its time is over."""

    def __init__(self, http: Http, project: str, log_stream: str, size: int, give_up_after_s: float, on_lost: Callable[[int, str], None]) -> None:
        self._http = http
        self._headers = {"content-type": "application/json", "project": urllib.parse.quote(project), "logstream": urllib.parse.quote(log_stream)}
        self._size = size
        self._give_up_after_s = give_up_after_s
        self._on_lost = on_lost
        self._spans: deque[Span] = deque()
        self._under_way = 0
        self._changed = threading.Condition()
        self._flushing = 0
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="touchstone", daemon=True)
        self._thread.start()

    def put(self, span: Span) -> None:
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

    def _deliver(self, batch: list[Span]) -> None:
        spans = [span.to_otlp() for span in batch]
        data = json.dumps({"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"scope": {"name": "touchstone-client"}, "spans": spans}]}]}).encode()
        deadline = time.monotonic() + self._give_up_after_s
        wait = 0.25
        while True:
            try:
                self._http.send("POST", "/v1/traces", data, self._headers)
                return
            except TouchstoneError as error:
                if error.status not in LATER or time.monotonic() + wait > deadline or self._closed:
                    self._on_lost(len(batch), str(error))
                    return
            time.sleep(wait)
            wait = min(LONGEST_WAIT_S, wait * 2)
