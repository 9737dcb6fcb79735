def scorer(record):
    """Whether the call of a tool ended with a status of 400 or above."""
    if record.status_code is None:
        raise ValueError("the record has no status")
    return record.status_code >= 400
