def scorer(record, *, required, **context):
    """Whether relevant chunks are ranked first: the mean, over the ranks of relevant chunks, of the precision down to that rank."""
    relevant = (required or {}).get("chunk_relevance")
    if not isinstance(relevant, list):
        raise ValueError("the record has no value of the scorer chunk_relevance")
    hits, total = 0, 0.0
    for rank, is_relevant in enumerate(relevant, 1):
        if is_relevant:
            hits += 1
            total += hits / rank
    return total / hits if hits else 0
