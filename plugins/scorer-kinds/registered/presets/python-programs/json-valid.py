import json

# Set to True in a copy to take only objects and lists: by itself, `1` is valid JSON.
OBJECT_OR_LIST = False


def scorer(record):
    """Whether the output is JSON."""
    try:
        # Python takes NaN and Infinity too, and no integers of more than 4,300 digits.
        value = json.loads(record.output or "", parse_constant=refuse, parse_int=float)
    except ValueError:
        return False
    return not OBJECT_OR_LIST or isinstance(value, (dict, list))


def refuse(name):
    raise ValueError(f"{name} is no JSON")
