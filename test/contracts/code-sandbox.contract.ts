import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CodeSandbox, Outcome, Program, SandboxInput } from '../../core/scorers/scoring/code-sandbox.ts';
import { HOSTILE_PROGRAMS, type HostileProgram } from './hostile-programs.ts';
import type { Opened } from './opened.ts';

const USE = { project_id: 'a project', scorer_id: 'a scorer' };
const CANARY = 'canary-7f3a91';
const HARMLESS_RECORD = '{"text":"hello"}';
const ALLOWED_GROWTH_MB = 50;
/** Of one hostile program and the harmless one after it, on a machine with other work. */
const PATIENCE_MS = 30_000;

const javascript = (source: string): Program => ({ language: 'javascript', source });
const typescript = (source: string): Program => ({ language: 'typescript', source });

/** `open` should set a time limit of a few hundred milliseconds: many programs here run into it on purpose. */
export function codeSandboxContract(adapter: string, open: () => Promise<Opened<CodeSandbox>>): void {
  describe(`CodeSandbox, ${adapter}`, { timeout: PATIENCE_MS }, () => {
    let opened: Opened<CodeSandbox>;
    const run = (program: Program, records: readonly string[]): Promise<Outcome[]> => opened.port.run(program, records, USE);
    const runOne = async (program: Program, record = HARMLESS_RECORD): Promise<Outcome> => (await run(program, [record]))[0]!;

    beforeAll(async () => {
      // Set before the sandbox starts anything, so that whatever it starts could have inherited it.
      process.env.TOUCHSTONE_CANARY = CANARY;
      opened = await open();
    }, PATIENCE_MS);
    afterAll(async () => {
      await opened.close();
      delete process.env.TOUCHSTONE_CANARY;
    });

    it('gives a project its turn while programs of another one hang', async () => {
      const over = new AbortController();
      const hang = javascript('function scorer() { for (;;) {} }');
      const records = Array.from({ length: 500 }, () => HARMLESS_RECORD);
      const greedy = ['x', 'y', 'z'].map((scorer_id) =>
        opened.port.run(hang, records, { project_id: 'greedy', scorer_id, signal: over.signal }),
      );
      const ends = Promise.allSettled(greedy);
      const use = { project_id: 'neighbour', scorer_id: 'quick' };
      for (let turn = 0; turn < 3; turn += 1)
        expect(await opened.port.run(javascript('function scorer() { return true }'), [HARMLESS_RECORD], use)).toEqual([
          { kind: 'returned', value: true },
        ]);
      over.abort(new Error('enough'));
      expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    });

    it('ends a run at once when its signal is aborted, one that waits for its turn too', async () => {
      const over = new AbortController();
      const hang = javascript('function scorer() { for (;;) {} }');
      const runs = ['a', 'b', 'c', 'd'].map((scorer_id) =>
        opened.port.run(
          hang,
          Array.from({ length: 500 }, () => HARMLESS_RECORD),
          { ...USE, scorer_id, signal: over.signal },
        ),
      );
      const rejected = Promise.allSettled(runs);
      await runOne(javascript('function scorer() { return 1 }'));
      over.abort(new Error('nobody wants it'));
      for (const { status } of await rejected) expect(status).toBe('rejected');
      expect(await runOne(javascript('function scorer() { return 1 }'))).toEqual({ kind: 'returned', value: 1 });
    });

    it('stops a run by the verdict on one of its records, which holds for those to come', async () => {
      let seen = 0;
      const verdict: Outcome = { kind: 'refused', message: 'enough' };
      const use = { ...USE, verdictAfter: () => (++seen === 2 ? verdict : undefined) };
      const hang = javascript('function scorer() { for (;;) {} }');
      const outcomes = await opened.port.run(
        hang,
        Array.from({ length: 5 }, () => HARMLESS_RECORD),
        use,
      );
      expect(outcomes.map(({ kind }) => kind)).toEqual(['timed_out', 'timed_out', 'refused', 'refused', 'refused']);
    });

    describe('what a program returns', () => {
      it.each([
        ['a number', 'return 0.5', 0.5],
        ['a boolean', 'return false', false],
        ['a string', 'return record.text + "\\n\\u00e9\\u{1F600}"', 'hello\n\u00e9\u{1F600}'],
        ['an array of these', 'return [1, true, "x"]', [1, true, 'x']],
        ['an empty array', 'return []', []],
      ])('hands out %s', async (_name, statements, value) => {
        expect(await runOne(javascript(`function scorer(record) { ${statements} }`))).toStrictEqual({ kind: 'returned', value });
      });

      it.each<[string, SandboxInput, unknown]>([
        ['nothing', HARMLESS_RECORD, 'hello {"required":{},"ground_truth":null}'],
        [
          'what stands beside the record',
          { record: HARMLESS_RECORD, context: '{"ground_truth":"a \\u001e b"}' },
          'hello {"ground_truth":"a \\u001e b"}',
        ],
        ['it, whatever the record holds', { record: '{"text":"\\u001e"}', context: '[1]' }, '\u001e [1]'],
      ])('tells it in a second argument: %s', async (_name, input, value) => {
        const program = javascript('const scorer = (record, context) => record.text + " " + JSON.stringify(context)');
        expect(await opened.port.run(program, [input], USE)).toStrictEqual([{ kind: 'returned', value }]);
      });

      it('awaits a promise that needs no I/O', async () => {
        const program = javascript('async function scorer(record) { await null; return (await Promise.all([1, 2])).length }');
        expect(await runOne(program)).toStrictEqual({ kind: 'returned', value: 2 });
      });

      it('says which value it cannot hand out', async () => {
        const outcome = await runOne(javascript('const scorer = () => [1, null]'));
        expect(outcome).toMatchObject({ kind: 'threw', message: expect.stringContaining('null at index 1 of an array') });
      });

      it('says that a promise did not settle', async () => {
        const outcome = await runOne(javascript('const scorer = () => new Promise(() => {})'));
        expect(outcome).toMatchObject({ kind: 'threw', message: expect.stringContaining('did not settle') });
      });
    });

    describe('how a program is written', () => {
      it.each([
        ['a function', 'function scorer(record) { return record.text }'],
        ['a constant', 'const scorer = (record) => record.text;'],
        ['a default export', 'export default function (record) { return record.text }'],
        ['a default export of a constant', 'const f = ({ text }) => text;\nexport default f;'],
        ['a module with await', 'const word = await Promise.resolve("text");\nexport default (record) => record[word];'],
      ])('takes %s', async (_name, source) => {
        expect(await runOne(javascript(source))).toStrictEqual({ kind: 'returned', value: 'hello' });
      });

      it('takes TypeScript', async () => {
        const source = 'interface R { text: string }\nexport default (record: R): number => (record as R).text.length;';
        expect(await runOne(typescript(source))).toStrictEqual({ kind: 'returned', value: 5 });
      });

      it.each([
        ['JavaScript', javascript('function scorer() {\n  return 1;\n}}'), 'scorer.js:3'],
        ['a module', javascript('export default () => {\n  return 1;\n}}'), 'scorer.js:3'],
        ['TypeScript', typescript('\n\nconst a: = 1;'), 'scorer.ts:3'],
      ])('refuses %s that does not compile, with the line', async (_name, program, place) => {
        expect(await runOne(program)).toMatchObject({ kind: 'refused', message: expect.stringContaining(place) });
      });

      it.each([
        ['JavaScript', javascript('function scorer(record) {\n  const { a } = record;\n  return a.b;\n}'), 'scorer.js:3'],
        ['TypeScript', typescript('type R = {\n  a?: { b: number };\n};\nconst scorer = (r: R) => r.a!.b;'), 'scorer.ts:4'],
        ['text that is loaded', javascript('\nthrow new TypeError("early");'), 'scorer.js:2'],
      ])('gives the line where %s failed', async (_name, program, place) => {
        const outcome = await runOne(program);
        expect(outcome).toMatchObject({ kind: 'threw', message: expect.stringMatching(/^TypeError: /) });
        expect(outcome).toMatchObject({ message: expect.stringContaining(place) });
      });
    });

    describe('several records', () => {
      it('returns nothing for none', async () => {
        expect(await run(javascript('const scorer = () => 1'), [])).toStrictEqual([]);
      });

      it('keeps their order over thousands', async () => {
        const records = Array.from({ length: 2_500 }, (_, n) => JSON.stringify({ n, text: 'x'.repeat(n % 700) }));
        const outcomes = await run(javascript('const scorer = (record) => record.n'), records);
        expect(outcomes).toStrictEqual(records.map((_, n) => ({ kind: 'returned', value: n })));
      });

      it('keeps the outcomes of the others', async () => {
        const source = `const scorer = ({ n }) => {
          if (n === 2) for (;;);
          if (n === 4) { const keep = []; for (;;) keep.push(new Array(1e5).fill(n)); }
          if (n === 6) throw new Error('six');
          if (n === 8) return new Promise(() => {});
          return n;
        }`;
        const records = Array.from({ length: 12 }, (_, n) => (n === 10 ? 'no JSON' : JSON.stringify({ n })));
        const outcomes = await run(javascript(source), records);
        expect(outcomes[2]!.kind).toBe('timed_out');
        expect(['out_of_memory', 'timed_out']).toContain(outcomes[4]!.kind);
        expect([6, 8, 10].map((n) => outcomes[n]!.kind)).toStrictEqual(['threw', 'threw', 'threw']);
        for (const n of [0, 1, 3, 5, 7, 9, 11]) expect(outcomes[n]).toStrictEqual({ kind: 'returned', value: n });
      });

      it('gives each record its own time', async () => {
        const slow = 'const scorer = ({ n }) => { const end = Date.now() + 60; while (Date.now() < end); return n }';
        const records = Array.from({ length: 12 }, (_, n) => JSON.stringify({ n }));
        expect(await run(javascript(slow), records)).toStrictEqual(records.map((_, n) => ({ kind: 'returned', value: n })));
      });

      it('survives a leak that no single record causes', async () => {
        const source = 'const keep = []; const scorer = ({ n }) => { keep.push(new Array(5e5).fill(n + 0.5)); return n }';
        const records = Array.from({ length: 40 }, (_, n) => JSON.stringify({ n }));
        expect(await run(javascript(source), records)).toStrictEqual(records.map((_, n) => ({ kind: 'returned', value: n })));
      });
    });

    it('lets no call see another', async () => {
      const program = javascript('globalThis.calls = (globalThis.calls ?? 0) + 1; const scorer = () => calls');
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => runOne(program)));
      expect(outcomes).toStrictEqual(outcomes.map(() => ({ kind: 'returned', value: 1 })));
    });

    it('runs a harmless program while another hangs', async () => {
      const [hanging, harmless] = await Promise.all([
        runOne(javascript('const scorer = () => { for (;;); }')),
        runOne(javascript('const scorer = () => 1')),
      ]);
      expect([hanging.kind, harmless.kind]).toStrictEqual(['timed_out', 'returned']);
    });

    describe('hostile programs', () => {
      const pid = process.pid;
      let residentBefore: number;
      beforeAll(async () => {
        await runOne(javascript('const scorer = () => 1'));
        residentBefore = process.memoryUsage.rss();
      });

      describe.each(Object.entries(HOSTILE_PROGRAMS))('%s', (_group, programs) => {
        it.each(programs)('$name ($tries)', async (hostile) => {
          const outcome = await runOne({ language: 'javascript', ...hostile }, hostile.record);
          expectAllowed(outcome, hostile);
          const next = await runOne(javascript('function scorer({ a }) { return a * 2 }'), '{"a":21}');
          expect(next).toStrictEqual({ kind: 'returned', value: 42 });
        });
      });

      it('leave the server as it was', () => {
        expect(process.pid).toBe(pid);
        expect((process.memoryUsage.rss() - residentBefore) / 2 ** 20).toBeLessThan(ALLOWED_GROWTH_MB);
      });
    });

    it('rejects after it was closed', async () => {
      const other = await open();
      await other.close();
      await expect(other.port.run(javascript('const scorer = () => 1'), ['1'], USE)).rejects.toThrow('closed');
    });
  });
}

/** Fails unless the outcome is one of those that the program may come to, and holds nothing of the host. */
export function expectAllowed(outcome: Outcome, { allowed, value }: HostileProgram): void {
  expect(allowed).toContain(outcome.kind);
  expect(JSON.stringify(outcome)).not.toContain(CANARY);
  if (outcome.kind === 'returned') {
    if (value !== undefined) expect(outcome.value).toStrictEqual(value);
  } else {
    expect(outcome.message.length).toBeGreaterThan(0);
    expect(outcome.message.length).toBeLessThanOrEqual(2_000);
    // No path of the host, not even in the words of an error that V8 or Node wrote.
    expect(outcome.message).not.toMatch(/node_modules|node:|\.node\b|child-main|adapters\/|file:\/\//);
  }
}
