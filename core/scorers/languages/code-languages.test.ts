import { describe, expect, it } from 'vitest';
import { silent } from '../../../test/setup/silent.ts';
import { type CodeLanguage, type CodeOutcome, type CodeRun, defineCodeLanguage, PluginError } from '../../plugin-sdk/index.ts';
import type { CodeSandbox } from '../scoring/code-sandbox.ts';
import { CodeLanguages } from './code-languages.ts';

const LIMITS = { run_ms: 10, memory_mb: 64, source_bytes: 100, value_chars: 50, list_items: 3, message_chars: 20 };
const one: CodeOutcome = { kind: 'returned', value: 1 };
type Parts = Partial<Parameters<typeof defineCodeLanguage>[0]>;

const plugin = (id: string, parts: Parts = {}) =>
  defineCodeLanguage({
    ...{ id, sdk: 1, stability: 'stable', label: id, summary: 'A language of the tests.' },
    extensions: [`.${id}`],
    create: () => ({ check: async () => undefined, run: async ({ inputs }) => inputs.map(() => one) }),
    ...parts,
  });

const logged: string[] = [];
const log = { ...silent, error: (message: string) => void logged.push(message) };
const noSandbox: CodeSandbox = { run: () => Promise.reject(new Error('no sandbox')), close: async () => {} };
const open = (plugins: Parameters<typeof defineCodeLanguage>[0][], codeSandbox = noSandbox) =>
  new CodeLanguages({
    plugins: plugins.map((given) => defineCodeLanguage(given)),
    ...{ codeSandbox, codeLimits: LIMITS, log, pluginHost: { fetch, clock: () => new Date(), log: () => {} } },
  });
const running = (run: (call: CodeRun) => unknown, parts: Partial<CodeLanguage> = {}) =>
  open([plugin('a', { create: () => ({ check: async () => undefined, ...parts, run: run as CodeLanguage['run'] }) })]);
const USE = { project_id: 'p', scorer_id: 's' };
const program = (source = 'x') => ({ language: 'a', source });
const file = (filename: string, content_type?: string) => ({
  filename,
  bytes: new Uint8Array(),
  ...(content_type !== undefined && { content_type }),
});

describe('the language of an uploaded program', () => {
  const languages = open([
    plugin('a', { takes_unknown_files: true, extensions: ['.a', '.aa'] }),
    plugin('b', { content_types: ['text/b'] }),
  ]);

  it.each([
    ['the name of the field, whatever the file is called', file('x.a'), 'b', 'b'],
    ['the end of the file name, in capitals too', file('X.B', 'text/plain'), undefined, 'b'],
    ['the end of the name rather than the type', file('x.aa', 'text/b'), undefined, 'a'],
    ['the type where the name tells none', file('scorer', 'TEXT/B; charset=utf-8'), undefined, 'b'],
    ['the one that takes unknown files', file('scorer.py', 'text/x-python'), undefined, 'a'],
    ['an empty field as none', file('x.b'), '', 'b'],
  ])('is told by %s', (_, given, named, id) => {
    expect(languages.select(given, named)).toBe(id);
  });

  it('is refused when the field names none that is installed, or nothing tells it', () => {
    expect(() => languages.select(file('x.a'), 'c')).toThrow('the code language "c" is not installed; there are a, b');
    expect(() => open([plugin('b')]).select(file('x.a'))).toThrow(PluginError);
  });

  it.each([
    ['an extension', { extensions: ['.a'] as [string] }, 'the extension ".a" is taken'],
    ['a media type', { content_types: ['text/a'] }, 'the media type "text/a" is taken'],
    ['unknown files', { takes_unknown_files: true }, '"unknown files" is taken'],
  ])('is told by one plugin alone: %s of two stops the start', (_, parts, says) => {
    const first = plugin('a', { content_types: ['text/a'], takes_unknown_files: true });
    expect(() => open([first, plugin('b', parts)])).toThrow(says);
  });
});

describe('a program in a language', () => {
  it('is refused where the language is not installed', async () => {
    const languages = open([plugin('b')]);
    const message = 'the code language "a" is not installed';
    expect(await languages.run(program(), ['{}', '{}'], USE)).toEqual([
      { kind: 'refused', message },
      { kind: 'refused', message },
    ]);
    expect(await languages.check(program(), USE)).toBe(message);
  });

  it.each([
    ['too long', 'x'.repeat(101)],
    ['with a NUL', 'a\0'],
    ['with a lone surrogate', 'a\ud800'],
  ])('is refused when it is %s, before its plugin sees it', async (_, source) => {
    const languages = running(() => Promise.reject(new Error('seen')));
    expect(await languages.run(program(source), ['{}'], USE)).toMatchObject([{ kind: 'refused' }]);
    expect(await languages.check(program(source), USE)).toEqual(expect.any(String));
  });

  it.each([
    ['NaN', Number.NaN],
    ['nothing', undefined],
    ['an object of objects', { a: {} }],
    ['a long string', 'x'.repeat(51)],
    ['a long list', [1, 2, 3, 4]],
    ['a list of long strings', ['x'.repeat(30), 'x'.repeat(30)]],
    ['a big integer', 1n],
  ])('throws when it gives %s', async (_, value) => {
    const [outcome] = await running(async () => [{ kind: 'returned', value }]).run(program(), ['{}'], USE);
    expect(outcome).toMatchObject({ kind: 'threw' });
  });

  it('keeps a boolean for each label, and messages of a bounded length', async () => {
    const given = [
      { kind: 'returned', value: { good: true } },
      { kind: 'threw', message: 'x'.repeat(50), more: 1 },
      { kind: 'threw', message: '' },
      { kind: 'ended' },
    ];
    const outcomes = await running(async () => given).run(program(), ['{}', '{}', '{}', '{}'], USE);
    const odd = { kind: 'threw', message: 'the language of the scorer gave a result of an unknown shape' };
    expect(outcomes).toEqual([given[0], { kind: 'threw', message: 'x'.repeat(20) }, odd, odd]);
  });

  it.each([
    ['no list', 'text'],
    ['a list that is too short', []],
    ['a list that is too long', [one, one]],
  ])('has no outcome at all when its plugin gives %s', async (_, given) => {
    await expect(running(async () => given).run(program(), ['{}'], USE)).rejects.toMatchObject({ failure: 'bad_reply' });
  });

  it('fails with its plugin, which is logged', async () => {
    logged.length = 0;
    const broken = running(() => {
      throw new TypeError('a defect');
    });
    await expect(broken.run(program(), ['{}'], USE)).rejects.toMatchObject({ failure: 'bad_reply', retryable: false });
    expect(logged).toEqual(['the plugin of a code language failed']);
    const refusal = new PluginError('unavailable', 'no process is left');
    await expect(running(() => Promise.reject(refusal)).run(program(), ['{}'], USE)).rejects.toBe(refusal);
  });

  it("lets an error of the sandbox pass, which is no plugin's", async () => {
    const languages = running(({ source, inputs, sandbox }) => sandbox.run(source, inputs));
    await expect(languages.run(program(), ['{}'], USE)).rejects.toThrow('no sandbox');
  });

  it('is over with its signal, whether the plugin heeds it or not', async () => {
    const controller = new AbortController();
    const run = running(() => new Promise(() => {})).run(program(), ['{}'], { ...USE, signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(run).rejects.toThrow('enough');
  });

  it('gets its flaw with the place', async () => {
    const check = async () => ({ message: 'no condition', line: 3, column: 7 });
    expect(await running(async () => [], { check }).check(program(), USE)).toBe('no condition (scorer.a:3:7)');
  });

  it('counts for its strikes when the plugin tells of no outcome, and once when it does', async () => {
    const late: CodeOutcome = { kind: 'timed_out', message: 'late' };
    const verdict: CodeOutcome = { kind: 'refused', message: 'switched off' };
    const strikes = (run: (call: CodeRun) => unknown) => {
      const seen: CodeOutcome[] = [];
      const verdictAfter = (outcome: CodeOutcome) => (seen.push(outcome) >= 2 ? verdict : undefined);
      return running(run)
        .run(program(), ['{}', '{}', '{}'], { ...USE, verdictAfter })
        .then((outcomes) => ({ seen: seen.length, outcomes }));
    };
    expect(await strikes(async ({ inputs }) => inputs.map(() => late))).toEqual({ seen: 2, outcomes: [late, late, verdict] });
    const telling = async ({ inputs, stopAfter }: CodeRun) => {
      for (const _ of inputs) stopAfter(late);
      return inputs.map(() => late);
    };
    expect(await strikes(telling)).toEqual({ seen: 3, outcomes: [late, late, late] });
  });
});
