import { describe, expect, it } from 'vitest';
import type { CodeLanguageView } from '../../core/scorers/languages/code-language-view.ts';
import { appendSource, lineIn, pickLanguage } from './source-language.ts';
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
  printed: null,
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
  const language = (id: string, more: object = {}) =>
    ({ id, label: id.toUpperCase(), file_name: `scorer.${id}`, starter: null, ...more }) as CodeLanguageView;
  const installed = [language('a'), language('b', { takes_unknown_files: true })];

  it('is that of the version, else the one that the service takes unknown files for', () => {
    expect(pickLanguage(installed, 'a').id).toBe('a');
    expect(pickLanguage(installed, null).id).toBe('b');
    expect(pickLanguage([language('a')], undefined).id).toBe('a');
  });

  it('is named though it is not installed any more', () => {
    expect(pickLanguage(installed, 'gone')).toMatchObject({ id: 'gone', label: 'gone (not installed)' });
  });

  it('goes with the file', () => {
    const form = new FormData();
    appendSource(form, 'text', pickLanguage(installed, 'a'));
    expect([(form.get('file') as File).name, form.get('language')]).toEqual(['scorer.a', 'a']);
  });

  it('names the file, and messages name its lines', () => {
    expect(lineIn('SyntaxError: x (scorer.ts:3)')).toBe(3);
    expect(lineIn('no condition (scorer.rules:12)')).toBe(12);
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
