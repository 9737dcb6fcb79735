# How many of the first chunks are looked at; another number in a copy.
K = 3


def scorer(record, *, required, **context):
    """Which share of the first K chunks is relevant; chunks that were not found count as not relevant."""
    relevant = (required or {}).get("chunk_relevance")
    if not isinstance(relevant, list):
        raise ValueError("the record has no value of the scorer chunk_relevance")
    return sum(is_relevant is True for is_relevant in relevant[:K]) / K
