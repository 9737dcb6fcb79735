import re
import unicodedata

# The blanks of the twin in JavaScript; Python's own set differs by a few control characters.
BLANKS = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

# A run of marks is looked at from its begin alone, so that a long one takes no longer than its length.
END = re.compile(rf"(?<![.!?…])[.!?…]++(?=[{BLANKS}]|\Z)|[。！？｡]+|\n[{BLANKS}]*\n")


def scorer(record):
    """Sentences of the output: what stands between full stops, question and exclamation marks, and blank lines."""
    return sum(any(map(is_word, part)) for part in END.split(record.output or ""))


def is_word(character):
    return unicodedata.category(character)[0] in "LN"
