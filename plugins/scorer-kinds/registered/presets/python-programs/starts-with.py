import unicodedata

# Set to True in a copy to take upper and lower case for the same.
IGNORE_CASE = False


def scorer(record, *, ground_truth, **context):
    """Whether the output begins with the reference."""
    if ground_truth is None:
        raise ValueError("the record has no ground truth")
    return plain(record.output or "").startswith(plain(ground_truth))


def plain(text):
    composed = unicodedata.normalize("NFC", text)
    return composed.lower() if IGNORE_CASE else composed
