"""Spans of OpenTelemetry. Importing this needs the package opentelemetry-sdk."""

from __future__ import annotations

from typing import Any

from opentelemetry import context, trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import Status, StatusCode

from .delivery import EndedSpan, SpanQueue, to_otlp_attributes
from .spans import OpenSpan, describe_error

SCOPE = "touchstone-client"


class QueueProcessor(SpanProcessor):
    """Hands spans that have ended to the queue of the client, those of any instrumentation where it is added to their provider."""

    def __init__(self, queue: SpanQueue) -> None:
        self._queue = queue

    def on_end(self, span: ReadableSpan) -> None:
        if span.context is not None and span.context.trace_flags.sampled:
            self._queue.put(_to_ended(span))

    def shutdown(self) -> None:
        """The client ends its queue, and only once."""

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return self._queue.flush(timeout_millis / 1000)


class OpenTelemetryTracer:
    """
    A provider of its own, so that an application's exporter and sampling stay as they are. The context is OpenTelemetry's: spans of the client and of instrumentations nest in each
    other, whichever is outside.
    """

    def __init__(self, queue: SpanQueue, project: str) -> None:
        provider = TracerProvider(sampler=ALWAYS_ON, resource=Resource.create({"service.name": project}), shutdown_on_exit=False)
        provider.add_span_processor(QueueProcessor(queue))
        self._tracer = provider.get_tracer(SCOPE)

    def open(self, name: str, attributes: dict[str, Any]) -> OpenSpan:
        return _OpenSpan(self._tracer.start_span(name, attributes=attributes))


class _OpenSpan:
    def __init__(self, span: Any) -> None:
        found = span.get_span_context()
        self.trace_id = f"{found.trace_id:032x}"
        self.span_id = f"{found.span_id:016x}"
        parent = getattr(span, "parent", None)
        self.parent_id = f"{parent.span_id:016x}" if parent is not None else ""
        self._span = span
        self._token = context.attach(trace.set_span_in_context(span))

    def set_attribute(self, name: str, value: Any) -> None:
        self._span.set_attribute(name, value)

    def add_event(self, name: str, attributes: dict[str, Any]) -> None:
        self._span.add_event(name, attributes)

    def close(self, error: BaseException | None) -> None:
        context.detach(self._token)
        if error is not None:
            self._span.record_exception(error)
            self._span.set_status(Status(StatusCode.ERROR, describe_error(error)))
        self._span.end()


def _to_ended(span: ReadableSpan) -> EndedSpan:
    assert span.context is not None
    otlp = {
        "traceId": f"{span.context.trace_id:032x}",
        "spanId": f"{span.context.span_id:016x}",
        "parentSpanId": f"{span.parent.span_id:016x}" if span.parent is not None else "",
        "name": span.name,
        # OTLP counts from one, with zero for unspecified.
        "kind": span.kind.value + 1,
        "startTimeUnixNano": str(span.start_time or 0),
        "endTimeUnixNano": str(span.end_time or 0),
        "attributes": to_otlp_attributes(span.attributes or {}),
        "events": [
            {"name": event.name, "timeUnixNano": str(event.timestamp), "attributes": to_otlp_attributes(event.attributes or {})}
            for event in span.events
        ],
        "status": {"code": span.status.status_code.value, "message": span.status.description or ""},
    }
    scope = span.instrumentation_scope.name if span.instrumentation_scope is not None else SCOPE
    return EndedSpan(otlp, scope, span.resource.attributes)
