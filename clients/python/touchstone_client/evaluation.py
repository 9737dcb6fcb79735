"""Evaluations that run here and end in an experiment."""

from __future__ import annotations

import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Callable, Mapping

from .delivery import to_text

BATCH = 50
BAR_WIDTH = 30
#: Told how many rows are done, and of how many.
Progress = Callable[[int, int], None]
Scorer = Callable[[Mapping[str, Any], Any], "float | bool"]


@dataclass(frozen=True)
class Evaluation:
    experiment_id: str
    url: str
    rows: int
    #: Rows whose task or scorer raised.
    failed: int
    #: Mean of each scorer over the rows that it judged.
    means: Mapping[str, float] = field(default_factory=dict)


def run_row(row_id: str, row: Mapping[str, Any], task: Callable[[Mapping[str, Any]], Any], scorers: Mapping[str, Scorer]) -> tuple[dict[str, Any], dict[str, float], bool]:
    started = datetime.now(timezone.utc)
    began = time.perf_counter_ns()
    scores: dict[str, float] = {}
    asked = to_text(row.get("input", row))
    trace: dict[str, Any] = {
        "id": str(uuid.uuid4()),
        "name": "row",
        "input": asked,
        "created_at": started.isoformat().replace("+00:00", "Z"),
        "dataset_input": asked,
        "dataset_metadata": {"dataset_row_id": row_id},
    }
    if row.get("output") is not None:
        trace["dataset_output"] = to_text(row["output"])
    failure = None
    duration = 0
    try:
        output = task(row)
        duration = time.perf_counter_ns() - began
        trace["output"] = to_text(output)
        for name, scorer in scorers.items():
            scores[name] = float(scorer(row, output))
    except Exception as error:  # whatever a task raises is its result
        failure = str(error) or error.__class__.__name__
        trace.setdefault("output", failure)
        trace["user_metadata"] = {"error_message": failure}
    trace["status_code"] = 200 if failure is None else 500
    trace["metrics"] = {"duration_ns": duration or time.perf_counter_ns() - began, **scores}
    return trace, scores, failure is not None


def evaluate(client: Any, dataset: str, task: Callable[[Mapping[str, Any]], Any], scorers: Mapping[str, Scorer], name: str | None, parallel: int, on_progress: Progress | None = None) -> Evaluation:
    tell = on_progress or (_draw_bar if sys.stderr.isatty() else lambda done, total: None)
    found = client.dataset(dataset)
    project_id = client.project_id()
    rows = list(client.rows(found["id"]))
    body = {"name": name or f"{dataset}, {datetime.now(timezone.utc).isoformat()}", "dataset": {"dataset_id": found["id"], "version_index": found["current_version_index"]}}
    experiment_id = client.http.call("POST", f"/v2/projects/{project_id}/experiments", body)["id"]
    sums: dict[str, tuple[float, int]] = {}
    failed = 0
    finished = 0
    traces: list[dict[str, Any]] = []

    def send() -> None:
        if traces:
            client.http.call("POST", f"/v2/projects/{project_id}/traces", {"experiment_id": experiment_id, "traces": traces})
            traces.clear()

    with ThreadPoolExecutor(max_workers=parallel) as pool:
        for done in as_completed([pool.submit(run_row, row_id, row, task, scorers) for row_id, row in rows]):
            trace, scores, has_failed = done.result()
            failed += has_failed
            for scorer, value in scores.items():
                total, count = sums.get(scorer, (0.0, 0))
                sums[scorer] = (total + value, count + 1)
            traces.append(trace)
            finished += 1
            tell(finished, len(rows))
            if len(traces) >= BATCH:
                send()
    send()
    url = f"{client.http.url}/#/projects/{project_id}/experiments/{experiment_id}"
    return Evaluation(experiment_id, url, len(rows), failed, {scorer: total / count for scorer, (total, count) in sums.items()})


def _draw_bar(done: int, total: int) -> None:
    filled = BAR_WIDTH * done // total
    end = "\n" if done == total else ""
    print(f"\r[{'#' * filled}{' ' * (BAR_WIDTH - filled)}] {done} of {total} rows{end}", end="", file=sys.stderr, flush=True)


def assert_passes(evaluation: Evaluation, means: Mapping[str, float] | None = None, failed: int = 0) -> None:
    """For pytest and unittest: fails the test with what is too low and where to look."""
    reasons = []
    for name, least in (means or {}).items():
        mean = evaluation.means.get(name)
        if mean is None:
            reasons.append(f"{name} was not measured")
        elif mean < least:
            reasons.append(f"{name} is {mean}, less than {least}")
    if evaluation.failed > failed:
        reasons.append(f"{evaluation.failed} rows failed")
    assert not reasons, f"the evaluation does not pass: {'; '.join(reasons)}\n{evaluation.url}"
