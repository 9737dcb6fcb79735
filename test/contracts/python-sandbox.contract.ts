import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CodeSandbox, Outcome, SandboxInput } from '../../core/scorers/scoring/code-sandbox.ts';
import { expectAllowed } from './code-sandbox.contract.ts';
import { HOSTILE_PYTHON_PROGRAMS } from './hostile-python-programs.ts';
import type { Opened } from './opened.ts';

const HARMLESS = '{"text":"hello"}';
const USE = { project_id: 'project', scorer_id: 'scorer' };
const ALLOWED_GROWTH_MB = 150;
const AGENT = { id: 'a', type: 'agent', name: 'plan' };
const TOOL = { id: 'b', type: 'tool', name: 'look' };

/** A plain scorer that uses all that the hostile ones may have changed. */
const CONTROL = `import asyncio, gc, json, math, os, random, re, sys
assert len("ab") == 2 and isinstance(1, int) and str(1) == "1" and math.isfinite(1.0) and gc.isenabled()
assert json.loads(json.dumps({"a": [1]})) == {"a": [1]} and re.compile("a") and sys.stdout is not None
assert sys.getrecursionlimit() == 1000 and sys.gettrace() is None and sys.modules["js"] is None

async def scorer(record):
    await asyncio.sleep(0)
    return record["a"] * 2
`;

/** Holds for every sandbox that runs Python. */
export function pythonSandboxContract(name: string, open: () => Promise<Opened<CodeSandbox>>): void {
  describe(`Python in the sandbox ${name}`, () => {
    let opened: Opened<CodeSandbox>;
    let residentBefore: number;
    const run = (source: string, inputs: readonly SandboxInput[]): Promise<Outcome[]> =>
      opened.port.run({ language: 'python', source }, inputs, USE);
    const runOne = async (source: string, input: SandboxInput = HARMLESS): Promise<Outcome> => (await run(source, [input]))[0]!;
    beforeAll(async () => {
      opened = await open();
      expect(await runOne(CONTROL, '{"a":21}')).toStrictEqual({ kind: 'returned', value: 42 });
      residentBefore = process.memoryUsage.rss();
    });
    afterAll(() => opened.close());

    describe.each(Object.entries(HOSTILE_PYTHON_PROGRAMS))('holds against programs after %s', (_group, programs) => {
      it.each(programs)('$name ($tries)', async (hostile) => {
        expectAllowed(await runOne(hostile.source, hostile.record), hostile);
        expect(await runOne(CONTROL, '{"a":21}')).toStrictEqual({ kind: 'returned', value: 42 });
      });
    });

    it('leaves the service as it was', () => {
      expect((process.memoryUsage.rss() - residentBefore) / 2 ** 20).toBeLessThan(ALLOWED_GROWTH_MB);
    });

    it.each<[string, string, SandboxInput, unknown]>([
      ['by a record', 'def scorer(record):\n    return record.text', HARMLESS, 'hello'],
      [
        'by a record and its context',
        'def scorer(record, context):\n    return context["ground_truth"]',
        { record: '{}', context: '{"ground_truth":"x"}' },
        'x',
      ],
      [
        'by named parameters',
        'def scorer(input, output, expected=None):\n    return [input, output, expected]',
        { record: '{"input":"a","output":"b"}', context: '{"ground_truth":"c"}' },
        ['a', 'b', 'c'],
      ],
      [
        'as older clients write it',
        'def scorer_fn(*, index, node_input, node_output, **kwargs):\n    return f"{index} {node_input} {node_output} {kwargs[\'node_type\']}"\ndef aggregator_fn(*, scores):\n    return {"mean": sum(scores)}',
        '{"input":"a","output":"b","type":"llm"}',
        '0 a b llm',
      ],
      ['by a step', 'def scorer_fn(*, step_object, **kwargs):\n    return step_object.output', '{"output":"b"}', 'b'],
      [
        'as a class that is called',
        'class Length:\n    def __call__(self, record):\n        return len(record["text"])',
        HARMLESS,
        5,
      ],
      [
        'as a class with score',
        'class Length:\n    async def score(self, output):\n        return len(output)',
        '{"output":"four"}',
        4,
      ],
      [
        'as a coroutine',
        'import asyncio\nasync def scorer(record):\n    first, second = await asyncio.gather(asyncio.sleep(5, 1), asyncio.sleep(1, 2))\n    return first + second',
        HARMLESS,
        3,
      ],
      [
        'by the spans of its trace',
        'def scorer(trace, spans, tree):\n    return [len(spans), len(tree), tree[0].spans[0].name, len(trace.spans)]',
        {
          record: '{"type":"trace","id":"t"}',
          context: JSON.stringify({ spans: [AGENT, TOOL], tree: [{ ...AGENT, spans: [TOOL] }] }),
        },
        [2, 1, 'look', 1],
      ],
      [
        'by the traces of its session',
        'def scorer(session, **context):\n    return [one.input for one in session.traces] + [len(context["traces"])]',
        { record: '{"id":"s"}', context: JSON.stringify({ spans: [], tree: [], traces: [{ input: 'one' }, { input: 'two' }] }) },
        ['one', 'two', 2],
      ],
      [
        'by a record and named parts of its context',
        'def scorer(record, **context):\n    return [record.type, len(context["spans"]), context["cut"]]',
        { record: '{"type":"trace"}', context: JSON.stringify({ spans: [AGENT], tree: [AGENT], cut: 'the first' }) },
        ['trace', 1, 'the first'],
      ],
      ['with labels', 'def scorer(record):\n    return {"short": True, "long": False}', HARMLESS, { short: true, long: false }],
      ['with a decimal', 'from decimal import Decimal\ndef scorer(record):\n    return Decimal("0.5")', HARMLESS, 0.5],
    ])('calls a scorer %s', async (_how, source, input, value) => {
      expect(await runOne(source, input)).toStrictEqual({ kind: 'returned', value });
    });

    it('keeps explanation, label and what was printed', async () => {
      const source =
        'from dataclasses import dataclass\n@dataclass\nclass Said:\n    score: float\n    label: str\n    explanation: str\ndef scorer(record):\n    print("seen", record.text)\n    return Said(0.5, "good", "it greets")';
      const expected = { kind: 'returned', value: 0.5, explanation: 'good: it greets', printed: 'seen hello\n' };
      expect(await runOne(source)).toStrictEqual(expected);
    });

    it('says where a scorer failed, by lines of its author alone', async () => {
      const outcome = await runOne(
        'def pick(record):\n    return record["none"]\n\ndef scorer(record):\n    return pick(record)',
      );
      expect(outcome).toStrictEqual({
        kind: 'threw',
        message:
          'KeyError: \'none\' (scorer.py:2)\n  scorer.py:5 in scorer: return pick(record)\n  scorer.py:2 in pick: return record["none"]',
      });
    });

    it('reads each record where it stands among others, in any script, with its context, and marks the one that is no JSON', async () => {
      const source = 'def scorer(record, context):\n    return [record.text, str(context["ground_truth"])]';
      const inputs: SandboxInput[] = [
        '{"text":"ü 退款 😀"}',
        ' {"text":"in the middle"}\n',
        '{"text":"cut',
        { record: '{"text":"with"}', context: '{"ground_truth":"{}"}' },
        '',
        { record: '{"text":"last"}', context: ' {"ground_truth":2} ' },
      ];
      const values = (await run(source, inputs)).map((outcome) => (outcome.kind === 'returned' ? outcome.value : outcome.kind));
      expect(values).toStrictEqual([
        ['ü 退款 😀', 'None'],
        ['in the middle', 'None'],
        'threw',
        ['with', '{}'],
        'threw',
        ['last', '2'],
      ]);
    });

    it('keeps the order of thousands of records, and the outcomes of others beside one that hangs', async () => {
      const records = Array.from({ length: 1_200 }, (_, n) => JSON.stringify({ n }));
      const source = 'def scorer(record):\n    while record["n"] == 7: pass\n    return record["n"]';
      const outcomes = await run(source, records);
      expect(outcomes[7]!.kind).toBe('timed_out');
      const others = outcomes.filter((_, n) => n !== 7);
      expect(others).toStrictEqual(records.flatMap((_, n) => (n === 7 ? [] : [{ kind: 'returned', value: n }])));
    });
  });
}
