import { describe, expect, it } from 'vitest';
import type { StoredEntry } from './metric-settings.ts';
import { type Score, toMetricInfo } from './score.ts';

const SINCE = '2026-01-01T00:00:00.000Z';
const record = {
  id: '1',
  type: 'llm',
  name: '',
  user_metadata: {},
  is_complete: true,
  updated_at: '2026-01-01T00:00:00.000001Z',
};
const entry = (facts: Partial<StoredEntry> = {}) =>
  ({
    id: 's1',
    name: 'length',
    filters: [],
    scoreable_node_types: ['llm'],
    enabled_at: SINCE,
    ...facts,
  }) as unknown as StoredEntry;
const score = (facts: Partial<Score> = {}) =>
  ({
    scorer_id: 's1',
    metric_name: 'length',
    status_type: 'success',
    value: 3,
    explanation: null,
    message: null,
    effort: null,
    scored_at: SINCE,
    ...facts,
  }) as Score;
const info = (entries: StoredEntry[], scores: Score[] = [], facts: object = {}) =>
  toMetricInfo({ ...record, ...facts }, { scorers: entries, segment_filters: [] }, scores);

describe('metric info', () => {
  it('is empty for a record that nobody scores', () => {
    expect(info([])).toEqual({});
    expect(info([entry({ scoreable_node_types: ['tool'] })])).toEqual({});
  });

  it('waits for a score that will come', () => {
    expect(info([entry()])).toEqual({ length: { status_type: 'pending', scorer_type: null } });
    expect(info([entry()], [], { updated_at: SINCE })).toMatchObject({ length: { status_type: 'pending' } });
  });

  it.each([
    ['the record was written before the scorer was enabled', { updated_at: '2025-12-31T23:59:59.999999Z' }, /enabled after/],
    ['the trace is not complete', { is_complete: false }, /not complete/],
  ])('says that nothing was computed when %s', (_why, facts, message) => {
    const expected = { status_type: 'not_computed', message: expect.stringMatching(message), scorer_type: null };
    expect(info([entry()], [], facts)).toEqual({ length: expected });
  });

  it('shows a score with every field of its status', () => {
    expect(info([entry()], [score({ value: [1, 'a'], explanation: 'because' })])).toEqual({
      length: {
        status_type: 'success',
        value: [1, 'a'],
        explanation: 'because',
        display_value: null,
        rationale: null,
        cost: null,
        model_alias: null,
        num_judges: null,
        input_tokens: null,
        output_tokens: null,
        total_tokens: null,
        critique: null,
        scorer_type: null,
      },
    });
    for (const status_type of ['error', 'failed', 'not_applicable'] as const) {
      const shown = { status_type, message: 'line 3', scorer_type: null };
      expect(info([entry()], [score({ status_type, value: null, message: 'line 3' })])).toEqual({ length: shown });
    }
  });

  it('shows what a verdict took, and of which family of models its judges are', () => {
    const effort = { model: 'small-1', num_judges: 3, cost: 0.25, input_tokens: 10, output_tokens: 2 };
    const took = { model_alias: 'small-1', num_judges: 3, cost: 0.25, input_tokens: 10, output_tokens: 2, total_tokens: 12 };
    const judge = entry({ model_type: 'llm' });
    expect(info([judge], [score({ effort })])).toMatchObject({ length: { ...took, scorer_type: 'Plus' } });
    expect(info([judge])).toEqual({ length: { status_type: 'pending', scorer_type: 'Plus' } });
    expect(info([entry({ model_type: 'slm' })])).toMatchObject({ length: { scorer_type: 'Finetuned' } });
    expect(info([judge], [score({ effort: { cost: null } })])).toMatchObject({ length: { cost: null, total_tokens: null } });
  });

  it('does not wait for what is left out of the sample', () => {
    const segment_filters = [{ sample_rate: 0, filter: null, llm_scorers: false, multimodal_scorers: false }];
    expect(toMetricInfo(record, { scorers: [entry()], segment_filters }, [])).toEqual({});
  });

  it('shows scores of scorers that are not enabled any more', () => {
    expect(info([], [score()])).toMatchObject({ length: { status_type: 'success', value: 3 } });
  });

  it('shows the newest of several versions', () => {
    expect(info([entry()], [score({ value: 'old' }), score({ value: 'new' })])).toMatchObject({ length: { value: 'new' } });
  });

  it('does not wait under a new name for what has been scored under the old one', () => {
    expect(info([entry({ name: 'renamed' })], [score()])).toEqual({
      length: expect.objectContaining({ status_type: 'success' }),
    });
  });

  it('keeps scorers apart, whatever they are called', () => {
    const entries = [entry(), entry({ id: 's2', name: '__proto__' }), entry({ id: 's3', name: 'constructor' })];
    expect(Object.keys(info(entries, [score()])).toSorted()).toEqual(['__proto__', 'constructor', 'length']);
  });
});
