import { describe, expect, it } from 'vitest';
import { payloadText } from './payload-text.ts';
import { scoreState } from './score-state.ts';
import type { ScoreInfo } from './shown-record.ts';

const stateOf = (info: ScoreInfo, isPercentage = false) => scoreState(info, isPercentage);
const success = (value: unknown): ScoreInfo => ({ status_type: 'success', value });

describe('a score', () => {
  it.each([
    [true, '✓ true', 'yes'],
    [false, '✗ false', 'no'],
    [3, '3', 'plain'],
    ['ok', 'ok', 'plain'],
    [['a', 'b'], 'a, b', 'plain'],
  ])('says its value: %j', (value, text, tone) => {
    expect(stateOf(success(value))).toMatchObject({ text, tone });
  });

  it('is a share where its column is one', () => {
    expect(stateOf(success(0.25), true)).toMatchObject({ text: '25 %', share: 0.25 });
    expect(stateOf(success(25), true).share).toBeUndefined();
  });

  it.each([
    ['pending', 'waiting', '… pending'],
    ['not_computed', 'waiting', 'not computed'],
    ['not_applicable', 'waiting', 'n/a'],
    ['failed', 'bad', '⚠ failed'],
    ['error', 'bad', '⚠ error'],
  ])('says by words why there is no value: %s', (status_type, tone, text) => {
    expect(stateOf({ status_type, message: 'why' })).toMatchObject({ tone, text, detail: 'why' });
  });

  it('tells what was rolled up', () => {
    const rolled = (roll_up_metrics: ScoreInfo['roll_up_metrics']) =>
      stateOf({ status_type: 'roll_up', roll_up_metrics: roll_up_metrics! });
    expect(rolled({ average: 0.5, sum: 2 }).text).toBe('0.5 avg');
    expect(rolled({ category_count: { ok: 2, empty: 1 } }).text).toBe('ok 2, empty 1');
  });

  it('tells who judged, why and for how much', () => {
    const info = { ...success(1), explanation: 'because', model_alias: 'gpt', scorer_type: 'Plus', num_judges: 3, cost: 0.02 };
    expect(stateOf(info).detail).toBe('because\nby gpt, 3 judges, $0.02');
  });
});

describe('a payload in a cell', () => {
  it.each([
    ['plain', 'plain'],
    [null, ''],
    [
      [
        { role: 'user', content: 'first' },
        { role: 'user', content: 'last' },
      ],
      'last',
    ],
    [{ role: 'assistant', content: [{ type: 'text', text: 'part' }] }, 'part'],
    [[{ content: 'one' }, { content: 'two' }], 'one · two'],
    [{ role: 'assistant', content: '', tool_calls: [{ id: 1 }] }, '[{"id":1}]'],
    [{ a: 1 }, '{"a":1}'],
  ])('is what it says: %j', (payload, text) => {
    expect(payloadText(payload)).toBe(text);
  });
});
