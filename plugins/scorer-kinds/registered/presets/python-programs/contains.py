import unicodedata

# Set to True in a copy to take upper and lower case for the same.
IGNORE_CASE = False


def scorer(record, *, ground_truth, **context):
    """Whether the reference stands somewhere in the output."""
    if ground_truth is None:
        raise ValueError("the record has no ground truth")
    return plain(ground_truth) in plain(record.output or "")


def plain(text):
    composed = unicodedata.normalize("NFC", text)
    return composed.lower() if IGNORE_CASE else composed
