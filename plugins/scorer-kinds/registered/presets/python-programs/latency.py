def scorer(record):
    """Milliseconds that the record took."""
    value = (record.metrics or {}).get("duration_ns")
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError("the record has no duration")
    return float(value) / 1_000_000
