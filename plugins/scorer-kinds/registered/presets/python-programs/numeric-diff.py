import math
import re

# The blanks of the twin in JavaScript; Python's own set differs by a few control characters.
BLANKS = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
OTHER_BASE = re.compile(r"0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)")


def scorer(record, *, ground_truth, **context):
    """How near two numbers are, from 0 to 1: 1 less their difference as a share of their sizes. An output that is no number is 0."""
    if ground_truth is None:
        raise ValueError("the record has no ground truth")
    expected, given = read_number(ground_truth), read_number(record.output or "")
    if not math.isfinite(expected):
        raise ValueError("the ground truth is no number")
    if expected == given:
        return 1
    return 1 - abs(expected - given) / (abs(expected) + abs(given)) if math.isfinite(given) else 0


def read_number(text):
    """The number that the twin in JavaScript reads in a text; NaN for none."""
    text = text.strip(BLANKS)
    if DECIMAL.fullmatch(text):
        return float(text)
    if OTHER_BASE.fullmatch(text):
        return to_float(int(text, 0))
    return math.nan


def to_float(number):
    try:
        return float(number)
    except OverflowError:
        return math.inf
