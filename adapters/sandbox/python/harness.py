"""Runs the author's program inside of the interpreter: the only code of ours there.

What an author does to it harms nobody else: the memory of the interpreter is put back after each call. What leaves is text, which the
service reads by a schema.
"""

import asyncio
import gc
import inspect
import io
import json
import linecache
import math
import random
import sys
import types
from _json import encode_basestring_ascii as quote
from decimal import Decimal
from fractions import Fraction
import time as clock

RECORD_MARK = "\x1d"
CONTEXT_MARK = "\x1e"


class Record(dict):
    """A record, or a part of one: `record["output"]` and `record.output` are the same. What is not there is None by its name."""

    __slots__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = self.get(name)
        if type(value) is dict:
            value = self[name] = Record(value)
        elif type(value) is list and value and type(value[0]) is dict:
            value = self[name] = [Record(one) if type(one) is dict else one for one in value]
        return value


class Printed(io.TextIOBase):
    """What a program prints while it looks at one record, as far as it is kept."""

    def __init__(self):
        self.text = ""

    def writable(self):
        return True

    def write(self, text):
        text = str(text)
        left = limits["printed_chars"] - len(self.text)
        if left > 0:
            self.text += text[:left]
        return len(text)

    def take(self):
        text, self.text = self.text, ""
        return text


class Unsettled(Exception):
    """A coroutine waits for what cannot come."""


class VirtualSelector:
    """Nothing ever comes from outside: waiting is over at once, and the clock of the loop says that it took its time."""

    def __init__(self):
        self.now = 0.0

    def select(self, timeout=None):
        if timeout is None:
            raise Unsettled("the scorer awaits something that never comes; there is no I/O here")
        self.now += max(0.0, timeout)
        return []

    def close(self):
        pass


class VirtualLoop(asyncio.BaseEventLoop):
    def __init__(self):
        super().__init__()
        self._selector = VirtualSelector()

    def time(self):
        return self._selector.now

    def _process_events(self, event_list):
        pass

    def _write_to_self(self):
        pass


class VirtualPolicy(asyncio.events._AbstractEventLoopPolicy):
    def __init__(self):
        self.loop = None

    def get_event_loop(self):
        if self.loop is None:
            self.loop = VirtualLoop()
        return self.loop

    def set_event_loop(self, loop):
        self.loop = loop

    def new_event_loop(self):
        return VirtualLoop()


class Refusal(Exception):
    """A value that cannot be kept, in words for its author."""


def threw(message, printed=""):
    return '{"kind":"threw","message":%s%s}' % (quote(cut(message, limits["message_chars"])), tell_printed(printed))


def tell_printed(printed):
    return ',"printed":%s' % quote(well_formed(printed)) if printed else ""


def cut(text, chars):
    return well_formed(text[:chars])


def well_formed(text):
    """Half of a surrogate pair cannot be stored."""
    try:
        text.encode("utf-8")
        return text
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def describe(error):
    """The author's view of an error: what, where, and the way there through the author's own lines."""
    try:
        name = type(error).__name__[:100]
        text = str(error)[: limits["message_chars"]]
    except BaseException:
        return "the scorer raised something that cannot be read"
    if isinstance(error, ModuleNotFoundError):
        text += "; there is the standard library of Python and nothing else"
    if isinstance(error, Unsettled):
        return text
    places = []
    try:
        trace = error.__traceback__
        while trace is not None and len(places) < 2_000:
            code = trace.tb_frame.f_code
            if code.co_filename == file_name:
                places.append((trace.tb_lineno, code.co_name))
            trace = trace.tb_next
    except BaseException:
        pass
    said = f"{name}: {text}" if text else name
    if not places:
        return said
    said = cut(said, limits["message_chars"] - 700) + f" ({file_name}:{places[-1][0]})"
    if len(places) > 1:
        shown = places if len(places) <= 6 else [*places[:3], None, *places[-3:]]
        said += "".join("\n  ..." if one is None else tell_place(*one) for one in shown)
    return said


def tell_place(line, function):
    source = linecache.getline(file_name, line).strip()[:60]
    return f"\n  {file_name}:{line} in {function[:40]}: {source}"


def write_primitive(value):
    """JSON of a plain value, without running code of the author; None when it is none."""
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int):
        return int.__repr__(value) if int.bit_length(value) < 1000 else None
    if isinstance(value, float):
        return float.__repr__(value) if math.isfinite(value) else None
    if isinstance(value, str):
        return quote(well_formed(str.__str__(value))) if str.__len__(value) <= limits["value_chars"] else None
    if isinstance(value, (Decimal, Fraction)):
        return write_primitive(float(value))
    return None


def name_of(value):
    if value is None:
        return "None"
    if isinstance(value, str):
        return f"a string of {str.__len__(value)} characters"
    if isinstance(value, float):
        return float.__repr__(value)
    return f"a value of type {type(value).__name__[:100]}"


def refuse(value, where=""):
    raise Refusal(
        f"the scorer returned {name_of(value)}{where}; allowed are finite numbers, bools, strings of up to {limits['value_chars']} characters, "
        "flat lists of these, dicts of labels to bools, and objects with a score or value"
    )


def write_list(items):
    if len(items) > limits["array_items"]:
        raise Refusal(f"the scorer returned a list of more than {limits['array_items']} items")
    parts = []
    for index, item in enumerate(items):
        written = write_primitive(item)
        if written is None:
            refuse(item, f" at index {index} of a list")
        parts.append(written)
    return bounded("[" + ",".join(parts) + "]", "list")


def write_labels(labels):
    if len(labels) > limits["array_items"]:
        raise Refusal(f"the scorer returned a dict of more than {limits['array_items']} labels")
    parts = []
    for label, holds in labels.items():
        if not isinstance(label, str) or holds is not True and holds is not False:
            raise Refusal("the scorer returned a dict that is neither labels to bools nor has a score or value")
        parts.append(f"{quote(well_formed(str.__str__(label)))}:{'true' if holds else 'false'}")
    return bounded("{" + ",".join(parts) + "}", "dict")


def bounded(text, what):
    if len(text) > limits["value_chars"]:
        raise Refusal(f"the scorer returned a {what} of more than {limits['value_chars']} characters")
    return text


PARTS = ("score", "value", "label", "explanation", "reason", "reasoning", "comment")


def parts_of(value):
    """What a returned object says, by the names that libraries give it; None when it is no such object."""
    if isinstance(value, dict):
        if "score" not in value and "value" not in value and "label" not in value:
            return None
        if all(one is True or one is False for one in value.values()) and not {"score", "value"} & value.keys():
            return None
        return {name: value.get(name) for name in PARTS}
    if isinstance(value, type) or callable(value):
        return None
    if not (hasattr(value, "score") or hasattr(value, "value")):
        return None
    return {name: getattr(value, name, None) for name in PARTS}


def accept(value, printed, is_part=False):
    written = write_primitive(value)
    explanation = ""
    if written is None:
        if isinstance(value, (list, tuple)):
            written = write_list(value)
        elif isinstance(value, (set, frozenset)):
            written = write_list(sorted(value, key=str))
        else:
            parts = None if is_part else parts_of(value)
            if parts is not None:
                return accept_parts(parts, printed)
            if not isinstance(value, dict):
                refuse(value)
            written = write_labels(value)
    return f'{{"kind":"returned","value":{written}{explanation}{tell_printed(printed)}}}'


def accept_parts(parts, printed):
    label = parts["label"]
    value = next((parts[name] for name in ("score", "value", "label") if parts[name] is not None), None)
    outcome = accept(value, printed, is_part=True)
    said = next((parts[name] for name in PARTS[3:] if isinstance(parts[name], str) and parts[name]), "")
    if isinstance(label, str) and label and label is not value:
        said = f"{label}: {said}" if said else label
    if not said:
        return outcome
    return f'{outcome[:-1]},"explanation":{quote(cut(said, limits["explanation_chars"]))}}}'


# How the scorer is found, and what it is called with.

FUNCTIONS = ("scorer", "scorer_fn", "score")
WHOLE = frozenset(("record", "row", "step_object", "step", "item", "data", "example", "run", "node", "span"))
WORDS_OF_EXPECTED = ("expected", "expected_output", "ground_truth", "reference", "reference_output", "target")


def find_scorer(module):
    for name in FUNCTIONS:
        found = module.get(name)
        if callable(found):
            return found() if isinstance(found, type) else as_callable(found)
        if hasattr(found, "score") and callable(found.score):
            return found.score
    classes = [
        one
        for name, one in module.items()
        if isinstance(one, type)
        and not name.startswith("_")
        and one.__module__ == module["__name__"]
        and ("__call__" in dir(one) and callable(getattr(one, "__call__", None)) and "__call__" in collect_names(one) or hasattr(one, "score"))
        and not inspect.isabstract(one)
    ]
    if len(classes) > 1:
        bases = {base for one in classes for base in one.__mro__[1:]}
        classes = [one for one in classes if one not in bases]
    if len(classes) == 1:
        return as_callable(classes[0]())
    return None


def collect_names(one):
    return {name for base in one.__mro__[:-1] for name in vars(base)}


def as_callable(found):
    if callable(getattr(found, "score", None)) and not inspect.isroutine(found) and "__call__" not in collect_names(type(found)):
        return found.score
    return found


def plan_call(function):
    """How each parameter is filled: (way, name) for those by place, the same for those by keyword, and what `**` gets."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    by_place, by_name, rest, is_first = [], [], None, True
    for one in parameters:
        if one.kind is one.VAR_POSITIONAL:
            continue
        if one.kind is one.VAR_KEYWORD:
            rest = "context" if by_place and by_place[0][0] == "record" else "all"
            continue
        way = way_of(one.name, is_first, len(by_place))
        has_default = one.default is not one.empty
        if one.kind is one.KEYWORD_ONLY:
            by_name.append((way, one.name, has_default))
        else:
            by_place.append((way, one.name, has_default))
        is_first = False
    return by_place, by_name, rest


def takes_record_alone(plan):
    if plan is None:
        return True
    by_place, by_name, rest = plan
    return rest is None and len(by_place) == 1 and not by_name and by_place[0][0] == "record"


KNOWN = frozenset(
    (*WORDS_OF_EXPECTED, "input", "output", "metadata", "spans", "tree", "traces", "trace", "session", "required", "required_scores", "context")
    + ("index", "node_input", "node_output", "node_name", "node_type", "node_id", "tools", "dataset_variables", "inputs", "outputs")
    + ("type", "id", "name", "tags", "metrics", "user_metadata", "query", "response", "question", "answer", "kwargs")
)


def way_of(name, is_first, place):
    if name in WHOLE:
        return "record"
    if name in KNOWN:
        return "word"
    if is_first:
        return "record"
    return "context" if place == 1 else "word"


class Words(dict):
    """What parameters are called, in the words that clients of this field use."""

    def __init__(self, record, context, index):
        super().__init__()
        get = record.get if isinstance(record, dict) else lambda _name: None
        expected = context.get("ground_truth")
        self.update(dict.fromkeys(WORDS_OF_EXPECTED, expected))
        given = get("dataset_metadata")
        metadata = get("user_metadata")
        self.update(
            input=get("input"), output=get("output"), metadata=metadata if metadata is not None else {}, context=context,
            inputs=get("input"), outputs=get("output"), query=get("input"), response=get("output"),
            question=get("input"), answer=get("output"),
            required=context.get("required"), required_scores=context.get("required"),
            index=index, node_input=get("input"), node_output=get("output"), node_name=get("name"), node_type=get("type"),
            node_id=get("id"), tools=get("tools"), dataset_variables=given if isinstance(given, dict) else {},
        )  # fmt: skip
        self.update(surroundings(record, context))
        self.record = record

    def pick(self, name, has_default):
        if name in self:
            return True, self[name]
        if isinstance(self.record, dict) and name in self.record:
            return True, self.record[name]
        return (False, None) if has_default else (True, None)


def surroundings(record, context):
    """What happened in the trace or session that is judged, as far as the program was given it; a trace and a session hold what is theirs."""
    kind = record.get("type") if isinstance(record, dict) else None
    spans, tree, traces = context.spans or [], context.tree or [], context.traces or []
    if kind == "trace":
        return {"spans": spans, "tree": tree, "traces": [], "trace": holding(record, "spans", tree), "session": None}
    if kind == "session" or context.traces is not None:
        return {"spans": spans, "tree": tree, "traces": traces, "trace": None, "session": holding(record, "traces", traces)}
    own = record.spans or [] if isinstance(record, Record) else []
    return {"spans": own, "tree": own, "traces": [], "trace": None, "session": None}


def holding(record, name, what):
    whole = Record(record)
    if whole.get(name) is None:
        whole[name] = what
    return whole


def call(record, context, index):
    by_place, by_name, rest = plan
    words = Words(record, context, index)
    args, named = [], {}
    for way, name, has_default in by_place:
        if way == "record":
            args.append(record)
        elif way == "context":
            args.append(context)
        else:
            is_there, value = words.pick(name, has_default)
            if is_there:
                named[name] = value
    for way, name, has_default in by_name:
        is_there, value = (True, record) if way == "record" else words.pick(name, has_default)
        if is_there:
            named[name] = value
    if rest is not None:
        taken = {name for _way, name, _default in (*by_place, *by_name)}
        more = {"required": context.get("required"), "ground_truth": context.get("ground_truth"), **context} if rest == "context" else words
        named.update({name: value for name, value in more.items() if name not in taken and name != "context"})
    # Parameters by place that come before `/` are the only ones that cannot be named; those are records and contexts.
    return scorer(*args, **named)


def settle(value):
    if not inspect.isawaitable(value):
        return value

    async def wait():
        return await value

    loop = VirtualLoop()
    asyncio.events._set_running_loop(None)
    task = loop.create_task(wait())
    try:
        return loop.run_until_complete(task)
    finally:
        try:
            for one in asyncio.all_tasks(loop):
                one._log_destroy_pending = False
        except BaseException:
            pass


def read(text, loads=json.loads):
    at = text.find(CONTEXT_MARK)
    if at < 0:
        return loads(text), None
    return loads(text[:at]), loads(text[at + 1 :])


def read_at(payload, at, scan=json.JSONDecoder().scan_once):
    """The record and the context that begin at this place, and where the next record begins: -1 behind the last one. Read where they stand, since
    cutting each out would cost as much as scoring it; only what has spaces around it is cut out. Raises what is not JSON, with the next place."""
    try:
        record, end = scan(payload, at)
        context = None
        if payload[end : end + 1] == CONTEXT_MARK:
            context, end = scan(payload, end + 1)
        if end == len(payload):
            return record, context, -1
        if payload[end] == RECORD_MARK:
            return record, context, end + 1
    except (StopIteration, ValueError, RecursionError):
        pass
    end = payload.find(RECORD_MARK, at)
    try:
        return *read(payload[at:] if end < 0 else payload[at:end]), end + 1 or -1
    except (ValueError, RecursionError):
        raise NotJson(end + 1 or -1)


class NotJson(Exception):
    """Of a record; its argument says where the next one begins."""


def to_record(value):
    return Record(value) if type(value) is dict else value


# Of types that nobody can await: looking whether they can costs a call for each record.
SETTLED = frozenset((float, int, bool, str, type(None), list, dict))


def score_one(record, context, index):
    try:
        if is_alone:
            outcome = scorer(to_record(record))
        else:
            outcome = call(to_record(record), to_record(context) if type(context) is dict else Record(required={}, ground_truth=None), index)
        if type(outcome) not in SETTLED:
            outcome = settle(outcome)
        return accept(outcome, printed.take())
    except Refusal as refusal:
        return threw(str(refusal), printed.take())
    except BaseException as error:
        return threw(describe(error), printed.take())


def score(payload):
    """Outcomes of records from the front, as JSON without the brackets, as many as fit into one slice of time and text."""
    stop = now() + limits["slice_ms"] / 1000
    out, size, index, at = [], 0, 0, 0
    while at >= 0:
        if out and (now() > stop or size > limits["slice_chars"]):
            break
        try:
            record, context, at = read_at(payload, at)
        except NotJson as error:
            (at,) = error.args
            outcome = threw("the record is not JSON")
        else:
            outcome = score_one(record, context, index)
        out.append(outcome)
        size += len(outcome)
        index += 1
    return ",".join(out)


def load(source):
    """Runs the program's own text, which follows the name of its file. An empty text when it is ready to score, else what it came to, as JSON."""
    global scorer, plan, is_alone, file_name
    file_name, _, source = source.partition("\n")
    random.seed()
    linecache.cache[file_name] = (len(source), None, source.splitlines(True), file_name)
    try:
        code = compile(source, file_name, "exec", dont_inherit=True)
    except SyntaxError as error:
        place = f" ({file_name}:{error.lineno}{f':{error.offset}' if error.offset else ''})" if error.lineno else ""
        return refused(f"the scorer does not compile: {type(error).__name__}: {error.msg}"[:1800] + place)
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        return refused(f"the scorer does not compile: {type(error).__name__}: {str(error)[:1000]}")
    module = types.ModuleType(MODULE)
    module.__file__ = file_name
    sys.modules[MODULE] = module
    try:
        exec(code, module.__dict__)
        found = find_scorer(module.__dict__)
        if found is None:
            return refused("the scorer defines no function named scorer, scorer_fn or score, and no class with score or __call__")
        scorer, plan = found, plan_call(found)
        is_alone = takes_record_alone(plan)
    except BaseException as error:
        return threw(describe(error), printed.take())
    return ""


def refused(message):
    return '{"kind":"refused","message":%s}' % quote(cut(message, limits["message_chars"]))


MODULE = "scorer"
file_name = "scorer.py"
scorer = plan = None
is_alone = True
limits = {}
printed = Printed()


def sleep(_seconds):
    """Nothing ever comes from outside: waiting is over at once."""


def seal(given):
    """Takes away what leads out of the interpreter. What it calls after this ends the call, whoever found a way to it."""
    limits.update(json.loads(given))
    sys.meta_path[:] = [one for one in sys.meta_path if type(one).__module__ not in ("_pyodide._importhook",)]
    for name in list(sys.modules):
        if name.split(".")[0] in ("js", "pyodide", "pyodide_js", "_pyodide", "_pyodide_core", "micropip", "__main__"):
            if name != "__main__":
                kept.append(sys.modules.pop(name))
    for name in ("js", "pyodide", "pyodide_js", "_pyodide", "_pyodide_core", "micropip", "ctypes", "_ctypes"):
        sys.modules[name] = None
    sys.modules["__main__"] = types.ModuleType("__main__")
    asyncio.events._event_loop_policy = VirtualPolicy()
    asyncio.events._set_running_loop(None)
    sys.stdin = io.StringIO()
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = printed
    sys.path[:] = [one for one in sys.path if one.endswith(".zip") or "/lib/python" in one]
    sys.argv[:] = [file_name]
    clock.sleep = sleep
    sys.setrecursionlimit(limits["recursion"])
    gc.collect()
    gc.freeze()


kept = []
now = clock.time
