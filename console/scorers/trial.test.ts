import { describe, expect, it } from 'vitest';
import { getFileName, getLanguage, lineIn } from './source-language.ts';
import { type TriedRecord, toFaults, valueCounts } from './trial.ts';
import { changesBetween } from './version-changes.ts';

const record = (status: string, value: unknown): TriedRecord => ({
  id: '',
  type: 'trace',
  trace_id: '',
  input: '',
  output: '',
  status,
  value,
  explanation: null,
  message: null,
  source_id: null,
});

describe('what a trial came to', () => {
  it('names each fault once, at its line, with how many records it came from', () => {
    const boom = 'TypeError: boom (scorer.js:12:3)';
    expect(toFaults([boom, 'timed out', boom, 'no such name (scorer.ts:4)'])).toEqual([
      { line: 12, message: `${boom} (2 records)` },
      { line: 4, message: 'no such name (scorer.ts:4)' },
    ]);
  });

  it('counts values, the most frequent first, and no failures', () => {
    const said = [record('success', true), record('success', 'a'), record('success', 'a'), record('error', null)];
    expect(valueCounts(said)).toEqual([
      ['a', 2],
      ['✓ true', 1],
    ]);
  });
});

describe('the language of a source', () => {
  it.each([
    ['interface Trace {\n  a?: unknown;\n}', 'typescript'],
    ['type Quality = "ok";', 'typescript'],
    ['function scorer(record: unknown): boolean {', 'typescript'],
    ['function scorer({ type: kind }) {\n  return kind === "a" ? 1 : 2;\n}', 'javascript'],
    ['const table = { name: "string" };', 'javascript'],
  ] as const)('of %j is %s', (source, language) => {
    expect(getLanguage(source)).toBe(language);
  });

  it('names the file, and messages name its lines', () => {
    expect(getFileName('typescript')).toBe('scorer.ts');
    expect(lineIn('SyntaxError: x (scorer.ts:3)')).toBe(3);
    expect(lineIn('no line')).toBeUndefined();
  });
});

describe('what a version changed', () => {
  it('is each setting that differs, gone and new ones too', () => {
    const version = (facts: object) =>
      ({ scoreable_node_types: ['trace'], ...facts }) as unknown as Parameters<typeof changesBetween>[0];
    const [before, after] = [version({ num_judges: 1, model_name: 'm' }), version({ num_judges: 3, input_type: 'basic' })];
    expect(changesBetween(before, after)).toEqual([
      { label: 'model', before: 'm', after: '' },
      { label: 'judges', before: '1', after: '3' },
      { label: 'sees', before: '', after: 'basic' },
    ]);
    expect(changesBetween(before, before)).toEqual([]);
  });
});
