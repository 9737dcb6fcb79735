import re

# The blanks of the twin in JavaScript; Python's own set differs by a few control characters.
BLANKS = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


def scorer(record, *, ground_truth, **context):
    """ROUGE-L (Lin, 2004): the F-measure of the longest sequence of words that output and reference have in common."""
    if ground_truth is None:
        raise ValueError("the record has no ground truth")
    reference, given = to_words(ground_truth), to_words(record.output or "")
    if not reference or not given:
        return 0
    return 2 * count_common(reference, given) / (len(reference) + len(given))


def to_words(text):
    return [word for word in re.split(f"[{BLANKS}]+", text) if word]


def count_common(a, b):
    """The length of the longest common subsequence: a row of its table at a time, as the bits of a number (Hyyrö, 2004)."""
    where = {}
    for at, word in enumerate(a):
        where[word] = where.get(word, 0) | 1 << at
    full = row = (1 << len(a)) - 1
    for word in b:
        hits = row & where.get(word, 0)
        row = (row + hits | row - hits) & full
    return len(a) - row.bit_count()
