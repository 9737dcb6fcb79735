import { python } from './index.ts';

const quoted = (text: string): string => JSON.stringify(text);

/** Programs of Python that try each attempt of the kit. */
export const attempts = {
  throws: { source: 'def scorer(record):\n    raise ValueError("no such field")\n', says: 'no such field', line: 2 },
  hangs: 'def scorer(record):\n    while True:\n        pass\n',
  floods: 'def scorer(record):\n    keep = []\n    while True:\n        keep.append(bytearray(1_000_000))\n',
  shouts: 'def scorer(record):\n    return "x" * 200_000\n',
  gives_no_value: [
    'float("nan")',
    'float("inf")',
    'None',
    '{"a": 1}',
    '[[1]]',
    'scorer',
    '1j',
    'b"x"',
    'object()',
    '{1: True}',
  ].map((value) => `def scorer(record):\n    return ${value}\n`),
  counts:
    'import builtins, json\nbuiltins.calls = json.calls = max(getattr(builtins, "calls", 0), getattr(json, "calls", 0)) + 1\ndef scorer(record):\n    return builtins.calls\n',
  changes:
    'import json\ndef scorer(record):\n    record["output"] = "changed"\n    json.loads = lambda *given: {}\n    return True\n',
  exits: 'import os, sys\ndef scorer(record):\n    try:\n        sys.exit(1)\n    except SystemExit:\n        os._exit(1)\n',
  reaches: (url: string, path: string): string[] => [
    `import urllib.request\ndef scorer(record):\n    return urllib.request.urlopen(${quoted(url)}).read().decode()\n`,
    `import socket\ndef scorer(record):\n    place = socket.create_connection(("127.0.0.1", ${new URL(url).port}))\n    place.send(b"GET /canary HTTP/1.0\\r\\n\\r\\n")\n    return place.recv(1000).decode()\n`,
    `def scorer(record):\n    return open(${quoted(path)}).read()\n`,
    'import os\ndef scorer(record):\n    return os.environ["TOUCHSTONE_CANARY"]\n',
    `import subprocess\ndef scorer(record):\n    return subprocess.check_output(["cat", ${quoted(path)}]).decode()\n`,
    `import js\ndef scorer(record):\n    return str(js.process.env.TOUCHSTONE_CANARY)\n`,
    `from pyodide.code import run_js\ndef scorer(record):\n    return run_js("process.env.TOUCHSTONE_CANARY")\n`,
    `from pyodide.http import open_url\ndef scorer(record):\n    return open_url(${quoted(url)}).read()\n`,
  ],
} as const;

/** The case that the kit tries the plugin with. */
export const pythonKit = {
  plugin: python,
  folder: import.meta.dirname,
  source:
    'def scorer(record, *, required, ground_truth):\n    return required["other"] if record["output"] == ground_truth else len(record["output"])\n',
  records: [
    '{"output":"four"}',
    { record: '{"output":"yes"}', context: '{"required":{"other":0.5},"ground_truth":"yes"}' },
    '{}',
  ],
  expected: [
    { kind: 'returned', value: 4 },
    { kind: 'returned', value: 0.5 },
    { kind: 'threw', message: "KeyError: 'output' (scorer.py:2)" },
  ],
  broken: { source: 'def scorer(record):\n    value = 1\n    return value)\n', line: 3 },
  unsigned: 'def judge(record):\n    return 1\n',
  attempts,
} as const;
