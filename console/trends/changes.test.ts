import { describe, expect, it } from 'vitest';
import type { ChangePoint, TrendChange, TrendChanges } from '../../core/trends/changes/trend-change.ts';
import { pointText, toMarks } from './changes.ts';

const HOUR_S = 3600;
const at = (hour: number): string => new Date(hour * HOUR_S * 1000).toISOString();
const NOTHING = { scorer_id: null, metric_name: null, template_id: null, label: null, version: null, model: null };
const change = (given: Pick<TrendChange, 'kind' | 'text'> & Partial<TrendChange>): TrendChange => ({
  ...NOTHING,
  at: at(1),
  ...given,
});
const level = { mean: 0.8, low: 0.75, high: 0.85, buckets: 20 };
const point: ChangePoint = {
  ...{ widget_id: 'w', index: 0, label: 'Quality', group: null, metric: 'quality', aggregation: 'Average', at: at(2) },
  ...{ before: level, after: { ...level, mean: 0.5 }, difference: { mean: -0.3, low: -0.35, high: -0.25 }, p_value: 0.001 },
  changes: [0],
};
const changes: TrendChanges = {
  ...{ start_time: at(0), end_time: at(4), change_points: [point], near_minutes: 120, problems: [] },
  changes: [
    change({ kind: 'prompt_label', text: 'Prompt reply: production on version 2', template_id: 't' }),
    change({ kind: 'scorer_version', text: 'Scorer quality: version 2', scorer_id: 's', metric_name: 'quality' }),
    change({ kind: 'scorer_version', text: 'Scorer safety: version 2', scorer_id: 'o', metric_name: 'safety' }),
    change({ kind: 'model_began', text: 'Model m is called from here on', model: 'm', at: at(3.5) }),
    change({ kind: 'model_ended', text: 'Model n is no longer called', model: 'n', at: at(9) }),
  ],
};

describe('the marks of a chart', () => {
  it('are the changes that can have an effect on what it shows, at their buckets, and where they lead', () => {
    const marks = toMarks({ x: [0, 1, 2, 3].map((hour) => hour * HOUR_S), metrics: ['metrics/quality'] }, changes, [point]);
    expect(marks.map(({ x, text, path, isFound }) => [x / HOUR_S, text.slice(0, 15), path, isFound])).toEqual([
      [1, 'Prompt reply: p', '/prompts/t', false],
      [1, 'Scorer quality:', '/scorers/s', false],
      [2, 'Quality: from 0', undefined, true],
      [3, 'Model m is call', undefined, false],
    ]);
  });

  it('tell both levels of a change point, how sure the difference is, and what happened near it', () => {
    expect(pointText(point, changes.changes)).toMatch(
      /^Quality: from 0.8 to 0.5 \(difference [-−]0.35 to [-−]0.25 with a confidence of 95 %\). Near it: Prompt reply: production on version 2 \(.+\).$/,
    );
    const alone = { ...point, group: 'large', changes: [] };
    expect(pointText(alone, changes.changes)).toMatch(/^Quality · large: from .* No known change near it.$/);
  });
});
