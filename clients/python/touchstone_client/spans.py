"""Spans: those of OpenTelemetry where its SDK is installed, else spans of our own with the same ids and nesting."""

from __future__ import annotations

import contextvars
import hashlib
import secrets
import sys
import time
from typing import Any, Protocol

from .delivery import EndedSpan, SpanQueue, to_otlp_attributes, to_text

KINDS = {"llm": "LLM", "tool": "TOOL", "retriever": "RETRIEVER", "workflow": "CHAIN", "agent": "AGENT"}
SCORE_EVENT = "gen_ai.evaluation.result"


class OpenSpan(Protocol):
    """A span under way, which is the current one until it is closed."""

    trace_id: str
    span_id: str
    parent_id: str

    def set_attribute(self, name: str, value: Any) -> None: ...

    def add_event(self, name: str, attributes: dict[str, Any]) -> None: ...

    def close(self, error: BaseException | None) -> None: ...


class Tracer(Protocol):
    def open(self, name: str, attributes: dict[str, Any]) -> OpenSpan: ...


class Span:
    """A context manager; an exception that leaves it is its error, and spans opened within are its children."""

    def __init__(self, tracer: Tracer, name: str, type: str, input: Any, session_id: str | None) -> None:
        if type not in KINDS:
            raise ValueError(f"type is none of {', '.join(KINDS)}: {type}")
        self._tracer = tracer
        self.name = name
        self._attributes: dict[str, Any] = {"eval.span.type": type, "openinference.span.kind": KINDS[type]}
        if input is not None:
            self._attributes["input.value"] = to_text(input)
        if session_id is not None:
            self._attributes["session.id"] = session_id
        self._open: OpenSpan | None = None

    def set_attribute(self, name: str, value: Any) -> None:
        if self._open is None:
            self._attributes[name] = value
        else:
            self._open.set_attribute(name, value)

    def set_output(self, output: Any) -> None:
        self.set_attribute("output.value", to_text(output))

    def score(self, name: str, value: float | bool | str, explanation: str | None = None) -> None:
        """A score that the application computed: a metric of this span. Only within the span."""
        given: dict[str, Any] = {"gen_ai.evaluation.name": name}
        if isinstance(value, str):
            given["gen_ai.evaluation.score.label"] = value
        else:
            given["gen_ai.evaluation.score.value"] = float(value)
        if explanation is not None:
            given["gen_ai.evaluation.explanation"] = explanation
        self._under_way().add_event(SCORE_EVENT, given)

    @property
    def trace_id(self) -> str:
        """Of W3C Trace Context: 32 hexadecimal digits."""
        return self._under_way().trace_id

    @property
    def span_id(self) -> str:
        """Of W3C Trace Context: 16 hexadecimal digits."""
        return self._under_way().span_id

    @property
    def parent_id(self) -> str:
        """Empty at the top."""
        return self._under_way().parent_id

    @property
    def record_id(self) -> str:
        """The id by which the service knows this span."""
        return _to_uuid4(hashlib.sha256(bytes.fromhex(self.trace_id + self.span_id)).hexdigest()[:32])

    @property
    def trace_record_id(self) -> str:
        """The id by which the service knows the trace of this span."""
        return _to_uuid4(self.trace_id)

    def __enter__(self) -> "Span":
        self._open = self._tracer.open(self.name, self._attributes)
        return self

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        self._under_way().close(error)

    def _under_way(self) -> OpenSpan:
        if self._open is None:
            raise RuntimeError("the span is not entered: use it by with")
        return self._open


def _to_uuid4(digits: str) -> str:
    """32 hexadecimal digits with the marks of version and variant, as the service makes ids of records."""
    variant = "89ab"[int(digits[16], 16) & 3]
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}"


def describe_error(error: BaseException) -> str:
    return str(error) or error.__class__.__name__


_current: contextvars.ContextVar["_OwnSpan | None"] = contextvars.ContextVar("touchstone_span", default=None)


def _foreign_parent() -> tuple[str, str] | None:
    """The span of OpenTelemetry that is current, where only its API is installed and something else implements it."""
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return None
    found = trace.get_current_span().get_span_context()
    return (f"{found.trace_id:032x}", f"{found.span_id:016x}") if found.is_valid else None


class OwnTracer:
    """Without OpenTelemetry: ids of W3C Trace Context, and the current span in a context variable."""

    def __init__(self, queue: SpanQueue) -> None:
        self._queue = queue

    def open(self, name: str, attributes: dict[str, Any]) -> OpenSpan:
        return _OwnSpan(self._queue, name, attributes)


class _OwnSpan:
    def __init__(self, queue: SpanQueue, name: str, attributes: dict[str, Any]) -> None:
        parent = _current.get()
        outside = (parent.trace_id, parent.span_id) if parent else _foreign_parent()
        self.trace_id: str
        self.parent_id: str
        self.trace_id, self.parent_id = outside or (secrets.token_hex(16), "")
        self.span_id: str = secrets.token_hex(8)
        self._queue = queue
        self._name = name
        self._attributes = dict(attributes)
        self._events: list[dict[str, Any]] = []
        self._token = _current.set(self)
        self._started = time.time_ns()

    def set_attribute(self, name: str, value: Any) -> None:
        self._attributes[name] = value

    def add_event(self, name: str, attributes: dict[str, Any]) -> None:
        self._events.append({"name": name, "timeUnixNano": str(time.time_ns()), "attributes": to_otlp_attributes(attributes)})

    def close(self, error: BaseException | None) -> None:
        _current.reset(self._token)
        otlp = {
            "traceId": self.trace_id,
            "spanId": self.span_id,
            "parentSpanId": self.parent_id,
            "name": self._name,
            "kind": 1,
            "startTimeUnixNano": str(self._started),
            "endTimeUnixNano": str(time.time_ns()),
            "attributes": to_otlp_attributes(self._attributes),
            "events": self._events,
            "status": {"code": 0} if error is None else {"code": 2, "message": describe_error(error)},
        }
        self._queue.put(EndedSpan(otlp))
