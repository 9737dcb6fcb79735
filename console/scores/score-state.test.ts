import { describe, expect, it } from 'vitest';
import type { ScoreInfo } from './score.ts';
import { scoreState } from './score-state.ts';

const getState = (info: ScoreInfo, isPercentage = false) => scoreState(info, isPercentage);
const success = (value: unknown): ScoreInfo => ({ status_type: 'success', value });

describe('a score', () => {
  it.each([
    [true, '✓ true', 'yes'],
    [false, '✗ false', 'no'],
    [3, '3', 'plain'],
    ['ok', 'ok', 'plain'],
    [['a', 'b'], 'a, b', 'plain'],
  ])('says its value: %j', (value, text, tone) => {
    expect(getState(success(value))).toMatchObject({ text, tone });
  });

  it('is clipped where it is long', () => {
    expect(getState(success('x'.repeat(200))).text).toBe(`${'x'.repeat(100)} …`);
  });

  it('is a share where its column is one', () => {
    expect(getState(success(0.25), true)).toMatchObject({ text: '25 %', share: 0.25 });
    expect(getState(success(25), true).share).toBeUndefined();
  });

  it.each([
    ['pending', 'waiting', '… pending'],
    ['not_computed', 'waiting', 'not computed'],
    ['not_applicable', 'waiting', 'n/a'],
    ['failed', 'bad', '⚠ failed'],
    ['error', 'bad', '⚠ error'],
  ])('says by words why there is no value: %s', (status_type, tone, text) => {
    expect(getState({ status_type, message: 'why' })).toMatchObject({ tone, text, detail: 'why' });
  });

  it('tells what was rolled up', () => {
    const rolled = (roll_up_metrics: ScoreInfo['roll_up_metrics']) =>
      getState({ status_type: 'roll_up', roll_up_metrics: roll_up_metrics! });
    expect(rolled({ sum: 2, average: 0.5 }).text).toBe('avg 0.5');
    expect(rolled({ highest_value: 3 }).text).toBe('highest value 3');
    expect(rolled({}).text).toBe('–');
    expect(rolled({ category_count: { ok: 2, empty: 1 } }).text).toBe('ok × 2, empty × 1');
  });

  it('says a status that it does not know by its name', () => {
    expect(getState({ status_type: 'soon_there' })).toMatchObject({ tone: 'waiting', text: 'soon there' });
  });

  it('tells who judged, why and for how much', () => {
    const info = { ...success(1), explanation: 'because', model_alias: 'gpt', scorer_type: 'Plus', num_judges: 3, cost: 0.02 };
    expect(getState(info).detail).toBe('because\nby gpt, 3 judges, $0.02');
  });
});
