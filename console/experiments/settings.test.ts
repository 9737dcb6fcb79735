import { describe, expect, it } from 'vitest';
import { differenceText, metricNames, metricText } from './metrics.ts';
import { differingSettings } from './settings.ts';

const plain = { dataset: null, prompt: null, prompt_run_settings: null, tags: {} };
const dataset = { dataset_id: 'd', version_index: 2, name: 'questions' };

describe('settings of two experiments', () => {
  it('that are the same say nothing', () => {
    expect(differingSettings(plain, plain)).toEqual([]);
    expect(differingSettings({ ...plain, dataset }, { ...plain, dataset })).toEqual([]);
  });

  it('are told where they differ, also where one has none', () => {
    const before = { ...plain, dataset, prompt_run_settings: { model_alias: 'small', temperature: 0 } };
    const after = {
      ...plain,
      dataset: { ...dataset, version_index: 3 },
      prompt_run_settings: { model_alias: 'large', temperature: 0, top_p: 1 },
    };
    expect(differingSettings(before, after)).toEqual([
      { name: 'Dataset', before: 'questions, version 2', after: 'questions, version 3' },
      { name: 'Model alias', before: 'small', after: 'large' },
      { name: 'Top p', before: '', after: '1' },
    ]);
  });
});

describe('metrics', () => {
  it('stand with those first that somebody judged by', () => {
    expect(
      metricNames([{ aggregate_metrics: { cost: 1, quality: 1 } }, { aggregate_metrics: { duration_ns: 1, about: 0 } }]),
    ).toEqual(['about', 'quality', 'cost', 'duration_ns']);
  });

  it('are written in their units, with the way of a difference', () => {
    expect(metricText('duration_ns', 1.5e9)).toBe('1.5 s');
    expect(differenceText('duration_ns', -2e6)).toBe('−2 ms');
    expect(differenceText('quality', 0.25)).toBe('+0.25');
    expect(differenceText('quality', -0.25)).toBe('−0.25');
    expect(metricText('error_rate', 0.125)).toBe('12.5 %');
    expect(metricText('cost', null)).toBe('–');
  });
});
