import { describe, expect, it } from 'vitest';
import type { JudgeAudit, JudgeAuditReport } from '../../../core/health/bias/judge-audit.ts';
import { effectText, planText, statusText, toAuditRequest } from './bias-text.ts';

const plan: JudgeAudit['plan'] = {
  ...{ dataset: null, texts: 24, probes: ['position'], output_type: 'boolean', place: 'answer', model_family: null },
  ...{ questions: 416, calls: 1248, models: [], estimated_cost: 0.5, unknown_because: null, max_cost: null },
};
const report: JudgeAuditReport = {
  ...{ found: [], probes: [], questions: 416, unanswered: 0, input_tokens: 1, output_tokens: 1, cost: 0.5 },
};
const audit: JudgeAudit = {
  ...{
    id: 'a',
    scorer_id: 's',
    scorer_version_id: 'v',
    scorer_version_number: 1,
    created_by: 'u',
    created_at: '',
    finished_at: null,
  },
  ...{ status: 'running', message: null, questions_asked: 8, plan, report: null },
};

describe('an audit', () => {
  it('is told in a sentence, however it stands', () => {
    expect(statusText(audit)).toBe('Running: 8 of 416 questions.');
    expect(statusText({ ...audit, status: 'cancelled' })).toBe('Cancelled.');
    expect(statusText({ ...audit, status: 'failed', message: 'the provider failed' })).toBe('Failed: the provider failed.');
    expect(statusText({ ...audit, status: 'completed', report })).toBe('No bias was found.');
    const found: JudgeAuditReport = { ...report, found: ['self_preference', 'injection'] };
    expect(statusText({ ...audit, status: 'completed', report: found })).toBe(
      'Bias was found: self-preference, prompt injection.',
    );
  });

  it('tells its effect with the interval, and what it would cost', () => {
    expect(effectText({ effect: 0.25, interval: { low: 0.1, high: 0.4, level: 0.95 } })).toBe('0.25 (0.1 to 0.4)');
    expect(effectText({ effect: 0, interval: null })).toBe('0');
    expect(effectText({ effect: null, interval: null })).toBe('–');
    expect(planText(plan)).toBe('416 questions, 1,248 calls of models. About $0.50.');
    expect(planText({ ...plan, estimated_cost: null, unknown_because: 'no price' })).toBe(
      '416 questions, 1,248 calls of models. The cost is not known: no price.',
    );
  });

  it('is asked for by the probes that are ticked', () => {
    const values = new FormData();
    values.append('probes', 'position');
    values.append('max_cost', ' ');
    expect(toAuditRequest(values, 3)).toEqual({ version: 3, probes: ['position'], dataset_id: null, max_cost: null });
    values.set('max_cost', '1.5');
    expect(toAuditRequest(values, 3).max_cost).toBe(1.5);
  });
});
