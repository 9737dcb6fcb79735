import re
import unicodedata

JOINS = "'’_-"


def scorer(record):
    """Words of the output: runs of letters, digits, and what joins them inside a word."""
    return len(re.findall("w+(?:jw+)*", "".join(map(sort_of, record.output or ""))))


def sort_of(character):
    if unicodedata.category(character)[0] in "LNM":
        return "w"
    return "j" if character in JOINS else " "
