import { describe, expect, it } from 'vitest';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import type { ScorerVersion } from '../../core/scorers/versions/scorer-version.ts';
import type { ChainPollTemplate } from '../api/built-in-versions.ts';
import { getFurtherSettings, toJudgeDraft, toJudgeTemplate, trialBody, versionBody } from './judge-draft.ts';

const scorer = { output_type: 'discrete', input_type: null, scoreable_node_types: ['llm'] } as unknown as Scorer;
const template: ChainPollTemplate = {
  template: 'Polite? {{output}}',
  metric_system_prompt: null,
  metric_description: 'Manners.',
  value_field_name: 'rating',
  explanation_field_name: 'why',
  metric_few_shot_examples: [{ generation_prompt_and_response: 'a', evaluating_response: 'b' }],
  response_schema: { type: 'object' },
};
const version = {
  model_name: 'judge-1',
  num_judges: 3,
  cot_enabled: false,
  output_type: null,
  input_type: 'trace_io_only',
  scoreable_node_types: ['trace'],
  generated_scorer: null,
  chain_poll_template: template,
} as unknown as ScorerVersion;

describe('the draft of a judge', () => {
  it('begins with what the latest version says, then with what the scorer does', () => {
    expect(toJudgeDraft(scorer, version)).toMatchObject({
      model_name: 'judge-1',
      num_judges: 3,
      output_type: 'discrete',
      input_type: 'trace_io_only',
      scoreable_node_types: ['trace'],
      question: 'Polite? {{output}}',
      role: '',
      criterion: 'Manners.',
    });
  });

  it('begins with a question to be filled in where there is no version', () => {
    const draft = toJudgeDraft(scorer, null);
    expect(draft).toMatchObject({ model_name: '', scoreable_node_types: ['llm'], input_type: 'basic' });
    expect(draft.question).toContain('{{output}}');
  });

  it('keeps what of the template it does not show', () => {
    const draft = { ...toJudgeDraft(scorer, version), question: 'Rude?', role: 'You judge.', criterion: '' };
    expect(toJudgeTemplate(draft, template)).toEqual({
      ...template,
      template: 'Rude?',
      metric_system_prompt: 'You judge.',
      metric_description: null,
    });
  });

  it('is tried and saved as the same judge', () => {
    const draft = { ...toJudgeDraft(scorer, version), further: '{"temperature": 0.2}' };
    const saved = versionBody(draft, template);
    const tried = trialBody(draft, template, { log_stream_id: 'stream', limit: 5, ground_truth: true });
    expect(saved).toMatchObject({ temperature: 0.2, model_name: 'judge-1', num_judges: 3, input_type: 'trace_io_only' });
    expect(tried).toMatchObject({
      temperature: 0.2,
      log_stream_id: 'stream',
      input_type: 'trace_io_only',
      scorer_configuration: { model_alias: 'judge-1', num_judges: 3, ground_truth: true },
    });
    expect(tried).toHaveProperty('chain_poll_template', toJudgeTemplate(draft, template));
  });

  it('has a line for each juror of a jury, and is saved with the same ones', () => {
    const jurors = [
      { model_name: 'big', provider: 'acme', weight: 2 },
      { model_name: 'small', provider: null, weight: 0.5 },
      { model_name: 'other', provider: null, weight: 1 },
    ];
    const of = { ...version, generated_scorer: { scorer_configuration: { jurors } } } as unknown as ScorerVersion;
    const draft = toJudgeDraft(scorer, of);
    expect(draft.jurors).toBe('big, acme, 2\nsmall, , 0.5\nother');
    const sent = [jurors[0], { model_name: 'small', weight: 0.5 }, { model_name: 'other' }];
    expect(versionBody(draft, template)).toMatchObject({ jurors: sent });
    const tried = trialBody(draft, template, { log_stream_id: 'stream', limit: 5, ground_truth: true });
    expect(tried).toMatchObject({ scorer_configuration: { jurors: sent } });
    expect(versionBody({ ...draft, jurors: ' ' }, template)).not.toHaveProperty('jurors');
  });

  it.each([', acme', 'big, acme, heavy', 'big, acme, 0', 'big, acme, 1, 2'])('takes “%s” for no juror', (jurors) => {
    expect(() => versionBody({ ...toJudgeDraft(scorer, version), jurors }, template)).toThrow('is no juror');
  });

  it.each(['{', '[1]', '"text"', 'null'])('refuses further settings that are %s', (further) => {
    expect(() => getFurtherSettings({ ...toJudgeDraft(scorer, null), further })).toThrow();
  });
});
