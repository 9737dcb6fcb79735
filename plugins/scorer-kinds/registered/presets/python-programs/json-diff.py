import json
import re

# Object keys that JavaScript puts first, in the order of their numbers: sums are taken in the order of the twin.
INDEX = re.compile("(?:0|[1-9][0-9]{0,9})")
MAX_INDEX = 2**32 - 2
MISSING = object()


def scorer(record, *, ground_truth, **context):
    """How alike output and reference are as JSON, from 0 to 1: the mean over keys and places, of texts and numbers by their difference."""
    if ground_truth is None:
        raise ValueError("the record has no ground truth")
    expected = read_json(ground_truth)
    try:
        given = read_json(record.output or "")
    except ValueError:
        return 0
    return compare(expected, given)


def read_json(text):
    return json.loads(text, parse_constant=refuse, parse_int=float)


def refuse(name):
    raise ValueError(f"{name} is no JSON")


def compare(expected, given):
    if expected is MISSING or given is MISSING:
        return 0
    if type(expected) is not type(given):
        return 0
    if isinstance(expected, float):
        return compare_numbers(expected, given)
    if isinstance(expected, str):
        return compare_texts(expected, given)
    if not isinstance(expected, (dict, list)):
        return 1 if expected == given else 0
    one, other = to_parts(expected), to_parts(given)
    keys = list(dict.fromkeys([*one, *other]))
    if not keys:
        return 1
    total = 0.0
    for key in keys:
        total += compare(one.get(key, MISSING), other.get(key, MISSING))
    return total / len(keys)


def to_parts(value):
    if isinstance(value, list):
        return dict(enumerate(value))
    indexes = sorted((key for key in value if is_index(key)), key=int)
    return {key: value[key] for key in [*indexes, *(key for key in value if not is_index(key))]}


def is_index(key):
    return bool(INDEX.fullmatch(key)) and int(key) <= MAX_INDEX


def compare_numbers(expected, given):
    return 1 if expected == given else 1 - abs(expected - given) / (abs(expected) + abs(given))


def compare_texts(a, b):
    longer = max(len(a), len(b))
    return 1 if longer == 0 else 1 - count_changes(a, b) / longer


def count_changes(a, b):
    """The Levenshtein distance: a row of its table at a time, as the bits of two numbers (Myers, 1999, as Hyyrö put it)."""
    if not a:
        return len(b)
    where = {}
    for at, character in enumerate(a):
        where[character] = where.get(character, 0) | 1 << at
    full, last = (1 << len(a)) - 1, 1 << (len(a) - 1)
    more, less, distance = full, 0, len(a)
    for character in b:
        same = where.get(character, 0)
        straight = same | less
        across = (((same & more) + more) ^ more) | same
        up, down = less | (~(across | more) & full), more & across
        distance += 1 if up & last else -1 if down & last else 0
        up, down = up << 1 | 1, down << 1
        more, less = (down | ~(straight | up)) & full, up & straight & full
    return distance
