import { describe, expect, it } from 'vitest';
import type { Alert } from '../../core/trends/alert.ts';
import type { Widget } from '../../core/trends/widget.ts';
import { conditionText, toAlert, unitHelp, watchedFigure } from './alerts.ts';

const WIDGET = {
  metric: 'metrics/duration_ns',
  aggregation: 'Average',
  dataset: [{ label: 'average' }, { label: 'how many', aggregation: 'Count' }],
} as unknown as Widget;

const toForm = (fields: Readonly<Record<string, string>>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ for_buckets: '1', ...fields })) form.set(name, value);
  return form;
};

describe('the threshold of an alert', () => {
  it('is typed with its unit where the series shows durations', () => {
    expect(toAlert(toForm({ series_index: '0', threshold: '1.5 s' }), WIDGET).threshold).toBe(1_500_000_000);
    expect(toAlert(toForm({ series_index: '0', threshold: '2' }), WIDGET).threshold).toBe(2_000_000_000);
    expect(() => toAlert(toForm({ series_index: '0', threshold: 'long' }), WIDGET)).toThrow('is not a duration');
  });

  it('is a plain number for a series of another figure', () => {
    expect(toAlert(toForm({ series_index: '1', threshold: '2' }), WIDGET).threshold).toBe(2);
    expect(unitHelp(watchedFigure(WIDGET, 1))).toBeUndefined();
  });

  it('of drift is a plain number, whatever the figure is', () => {
    const drift = toAlert(toForm({ series_index: '0', threshold: '0.25', watches: 'drift', reference_days: '14' }), WIDGET);
    expect(drift).toMatchObject({ threshold: 0.25, watches: 'drift', reference_days: 14 });
    const alert = { ...drift, operator: 'above', interval: 'day' } as Alert;
    expect(conditionText(alert, WIDGET)).toBe('drift from the 14 days before above 0.25 for one day');
  });

  it('is told as it is typed', () => {
    const alert = { operator: 'above', threshold: 1_500_000_000, for_buckets: 1, interval: 'hour' } as Alert;
    expect(conditionText({ ...alert, series_index: 0 }, WIDGET)).toBe('above 1.5 s for one hour');
    expect(conditionText({ ...alert, series_index: 1, threshold: 5 }, WIDGET)).toBe('above 5 for one hour');
  });
});
