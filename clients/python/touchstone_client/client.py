"""The client of one project and one log stream."""

from __future__ import annotations

import atexit
import functools
import inspect
import json
import os
import sys
import time
import urllib.parse
from typing import Any, Callable, Iterable, Iterator, Literal, Mapping

from .api import Api
from .delivery import SpanQueue
from .evaluation import Evaluation, Progress, Scorer, evaluate
from .gate import compare_to_baseline
from .http import Http, TouchstoneError
from .spans import OwnTracer, Span, Tracer

PAGE = 1000
FeedbackType = Literal["like_dislike", "star", "score", "tags", "text"]
#: Seconds that the end of a program waits for spans.
LAST_FLUSH_S = 10.0


def _say_lost(spans: int, why: str) -> None:
    print(f"touchstone: {spans} spans could not be delivered: {why}", file=sys.stderr)


class Touchstone:
    """The client of one project and one log stream."""

    #: Every operation of the service by its name, such as `api.get_current_user()`, with types for type checkers.
    api: Api

    def __init__(self, project: str, api_key: str, url: str = "http://127.0.0.1:8088", log_stream: str = "default", queue_size: int = 20_000, give_up_after: float = 300.0, on_lost: Callable[[int, str], None] = _say_lost) -> None:
        self.http = Http(url, api_key)
        self.api = Api(self.http)
        self._project = project
        self._log_stream = log_stream
        self._project_id: str | None = None
        self._log_stream_id: str | None = None
        self._prompts: dict[tuple[str, int | None, str | None], tuple[Any, float]] = {}
        self._queue = SpanQueue(self.http, project, log_stream, queue_size, give_up_after, on_lost)
        self._tracer = _open_tracer(self._queue, project)
        atexit.register(self._queue.shutdown, LAST_FLUSH_S)

    @property
    def span_processor(self) -> Any:
        """For the tracer provider of an application, which then sends the spans of its instrumentations through this client, too. Needs opentelemetry-sdk."""
        from .opentelemetry_spans import QueueProcessor

        return QueueProcessor(self._queue)

    def span(self, name: str, type: str = "workflow", input: Any = None, session_id: str | None = None) -> Span:
        """A context manager; spans opened within are its children."""
        return Span(self._tracer, name, type, input, session_id)

    def traced(self, name: str | None = None, type: str = "workflow") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """A decorator: each call is a span, with the arguments as input and the return value as output. Takes coroutines too."""

        def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
            signature = inspect.signature(function)

            def opened(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Span:
                given = dict(signature.bind(*args, **kwargs).arguments)
                given.pop("self", None)
                return self.span(name or function.__name__, type, next(iter(given.values())) if len(given) == 1 else given)

            @functools.wraps(function)
            def call(*args: Any, **kwargs: Any) -> Any:
                with opened(args, kwargs) as span:
                    result = function(*args, **kwargs)
                    span.set_output(result)
                    return result

            @functools.wraps(function)
            async def call_async(*args: Any, **kwargs: Any) -> Any:
                with opened(args, kwargs) as span:
                    result = await function(*args, **kwargs)
                    span.set_output(result)
                    return result

            return call_async if inspect.iscoroutinefunction(function) else call

        return decorate

    def flush(self, timeout: float | None = None) -> bool:
        return self._queue.flush(timeout)

    def shutdown(self, timeout: float | None = None) -> bool:
        atexit.unregister(self._queue.shutdown)
        return self._queue.shutdown(timeout)

    def project_id(self) -> str:
        """Looked up once; made where nobody has a project of that name."""
        if self._project_id is None:
            filters = [{"name": "name", "operator": "eq", "value": self._project, "case_sensitive": True}]
            found = self.http.call("POST", "/v2/projects/paginated", {"filters": filters})["projects"]
            self._project_id = (found[0] if found else self.http.call("POST", "/v2/projects", {"name": self._project, "type": "gen_ai"}))["id"]
        return self._project_id

    def log_stream_id(self) -> str:
        """Looked up once; made where the project has no log stream of that name."""
        if self._log_stream_id is None:
            path = f"/v2/projects/{self.project_id()}/log_streams"
            found = [stream for stream in self.http.call("GET", path) if stream["name"] == self._log_stream]
            self._log_stream_id = (found[0] if found else self.http.call("POST", path, {"name": self._log_stream}))["id"]
        return self._log_stream_id

    def feedback(self, record_id: str, type: FeedbackType, value: bool | int | str | list[str], name: str = "feedback", explanation: str | None = None) -> None:
        """A person's opinion of a trace or a span, by the id that `Span.trace_record_id` and `Span.record_id` give."""
        body = {"log_stream_id": self.log_stream_id(), "record_id": record_id, "feedback_type": type, "name": name, "value": value, "explanation": explanation}
        self.http.call("POST", f"/v2/projects/{self.project_id()}/feedback", body)

    def create_dataset(self, name: str, rows: Iterable[Mapping[str, Any]]) -> Any:
        content = "".join(json.dumps(row) + "\n" for row in rows).encode()
        return self.http.upload("/v2/datasets", {"name": name}, "rows.jsonl", content)

    def dataset(self, name: str) -> Any:
        filters = [{"name": "name", "operator": "eq", "value": name, "case_sensitive": True}]
        found = self.http.call("POST", "/v2/datasets/query", {"filters": filters})["datasets"]
        if not found:
            raise TouchstoneError(f"there is no dataset called {name}", 404)
        return found[0]

    def rows(self, dataset_id: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Ids and values of all rows of the newest version."""
        token: int | None = 0
        while token is not None:
            page = self.http.call("GET", f"/v2/datasets/{dataset_id}/content?starting_token={token}&limit={PAGE}")
            yield from ((row["row_id"], row["values_dict"]) for row in page["rows"])
            token = page["next_starting_token"]

    def prompt(self, name: str, version: int | None = None, label: str | None = None, max_age: float = 60.0) -> Any:
        """
        A prompt template: the selected version, that of a number, or the one that a label such as `production` is on. Kept for a while (seconds; a number for good); the one from
        before while the service is away.
        """
        key = (name, version, label)
        cached = self._prompts.get(key)
        if cached and (version is not None or time.monotonic() - cached[1] < max_age):
            return cached[0]
        given = {"template_name": name, "version": version, "label": label}
        query = urllib.parse.urlencode({field: value for field, value in given.items() if value is not None})
        try:
            found = self.http.call("GET", f"/v2/projects/{self.project_id()}/templates/versions?{query}")
        except TouchstoneError:
            if cached:
                return cached[0]
            raise
        self._prompts[key] = (found, time.monotonic())
        return found

    def evaluate(self, dataset: str, task: Callable[[Mapping[str, Any]], Any], scorers: Mapping[str, Scorer] | None = None, name: str | None = None, parallel: int = 8, on_progress: Progress | None = None) -> Evaluation:
        """
        Runs a task on every row of a dataset, several at once, and keeps outputs and scores as an experiment. Where a person watches standard error, a bar shows how far it is, unless
        `on_progress` is told.
        """
        return evaluate(self, dataset, task, scorers or {}, name, parallel, on_progress)

    def assert_not_worse(self, evaluation: Evaluation, baseline: str, metrics: Iterable[str], margin: float = 0.0) -> None:
        """The gate of an experiment, for tests: fails where a metric is worse than in the baseline (id of an experiment) by more than the margin and beyond chance."""
        reasons = compare_to_baseline(self.http, self.project_id(), evaluation.experiment_id, baseline, metrics, margin)
        assert not reasons, f"the gate refuses: {'; '.join(reasons)}\n{evaluation.url}"


def _open_tracer(queue: SpanQueue, project: str) -> Tracer:
    """Of OpenTelemetry, where its SDK is installed."""
    try:
        from .opentelemetry_spans import OpenTelemetryTracer
    except ImportError:
        return OwnTracer(queue)
    return OpenTelemetryTracer(queue, project)


def init(project: str, api_key: str | None = None, url: str | None = None, **more: Any) -> Touchstone:
    """Opens a client. Key and URL come from SERVICE_API_KEY and SERVICE_URL where they are not given."""
    key = api_key or os.environ.get("SERVICE_API_KEY")
    if not key:
        raise ValueError("api_key is missing, and SERVICE_API_KEY is not set")
    return Touchstone(project, key, url or os.environ.get("SERVICE_URL") or "http://127.0.0.1:8088", **more)
