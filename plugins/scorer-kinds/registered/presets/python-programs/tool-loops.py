def scorer(record, *, spans, **context):
    """How many calls of tools repeat the call before them."""
    calls = [(span.get("name"), to_comparable(span.get("input"))) for span in spans if span.get("type") == "tool"]
    return sum(call == before for before, call in zip(calls, calls[1:]))


def to_comparable(value):
    """Equal for what is written alike as JSON: `True` is not 1 there, and 1.0 is."""
    if isinstance(value, dict):
        return ("object", tuple((key, to_comparable(part)) for key, part in value.items()))
    if isinstance(value, list):
        return ("list", tuple(map(to_comparable, value)))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return (type(value).__name__, value)
    return ("number", float(value))
