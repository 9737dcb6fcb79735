def scorer(record, *, ground_truth, **context):
    """How alike output and reference are, from 0 to 1: 1 less the least number of characters to insert, delete or replace, as a
    share of the longer text."""
    if ground_truth is None:
        raise ValueError("the record has no ground truth")
    output = record.output or ""
    longer = max(len(ground_truth), len(output))
    return 1 if longer == 0 else 1 - count_changes(ground_truth, output) / longer


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
