import re
from collections import Counter

# Words of a run; ROUGE-1 and others by another number in a copy.
N = 2

# The blanks of the twin in JavaScript; Python's own set differs by a few control characters.
BLANKS = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


def scorer(record, *, ground_truth, **context):
    """ROUGE-N (Lin, 2004): the F-measure of the runs of N words that output and reference have in common."""
    if ground_truth is None:
        raise ValueError("the record has no ground truth")
    reference, given = count_runs(ground_truth), count_runs(record.output or "")
    total = reference.total() + given.total()
    return 2 * (reference & given).total() / total if total else 0


def count_runs(text):
    words = to_words(text)
    return Counter(tuple(words[at : at + N]) for at in range(len(words) - N + 1))


def to_words(text):
    return [word for word in re.split(f"[{BLANKS}]+", text) if word]
