import { expect, it } from 'vitest';
import type { DriftMeasure } from '../../core/trends/drift/drift.ts';
import { binText, driftText } from './drift-text.ts';

const measure: DriftMeasure = {
  ...{ of: 'score', stability_index: 0.31, chance_level: 0.05, change: 'significant', unknown_because: null },
  ...{ reference_count: 700, current_count: 100, bins: [] },
};

it('the drift of a scorer is told in a sentence, and never as a number where it is not known', () => {
  expect(driftText(measure)).toBe('Population stability index 0.31: a significant change.');
  expect(driftText({ ...measure, change: 'none', chance_level: 0.4 })).toBe(
    'Population stability index 0.31: no change, as chance brings it: 0.4.',
  );
  const unknown = { stability_index: null, chance_level: null, change: null, unknown_because: 'the window has no values' };
  expect(driftText({ ...measure, ...unknown })).toBe('Unknown: the window has no values.');
});

it('bins are named by their values, or their model', () => {
  const bin = { lower: null, upper: null, value: null, reference_count: 1, current_count: 1 };
  expect(binText({ ...bin, value: 'small-1' })).toBe('small-1');
  expect(binText(bin)).toBe('no model');
  expect(binText({ ...bin, upper: 0.5 })).toBe('0.5 and less');
  expect(binText({ ...bin, lower: 0.5 })).toBe('more than 0.5');
  expect(binText({ ...bin, lower: 0, upper: 0 })).toBe('0');
  expect(binText({ ...bin, lower: 0, upper: 1 })).toBe('0 to 1');
});
