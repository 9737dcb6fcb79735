"""The gate of an experiment: whether a metric is worse than in a baseline."""

from __future__ import annotations

from typing import Any, Iterable

from .http import Http


def compare_to_baseline(http: Http, project_id: str, candidate_id: str, baseline_id: str, metrics: Iterable[str], margin: float) -> list[str]:
    """
    One line for each metric that is worse by more than the margin and beyond chance: the whole interval of the mean difference, row by row, lies on the bad side. A metric
    that cannot be compared counts as worse.
    """
    body = {"baseline_id": baseline_id, "candidate_id": candidate_id, "limit": 1}
    compared = {metric["name"]: metric for metric in http.call("POST", f"/v2/projects/{project_id}/experiments/compare", body)["metrics"]}
    return [reason for name in metrics if (reason := _find_reason(name, compared.get(name), margin)) is not None]


def _find_reason(name: str, metric: dict[str, Any] | None, margin: float) -> str | None:
    if metric is None:
        return f"no row has {name} in both experiments"
    interval = metric["interval"]
    if interval is None:
        return f"{metric['n']} rows with {name} are too few to know what is chance"
    is_worse = interval["low"] > margin if metric["lower_is_better"] else interval["high"] < -margin
    if not is_worse:
        return None
    return f"{name} {metric['mean_difference']:+.4g} on {metric['n']} rows ({interval['low']:+.4g} to {interval['high']:+.4g})"
