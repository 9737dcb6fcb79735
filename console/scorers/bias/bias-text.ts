import type { JudgeAudit, JudgeAuditPlan, JudgeAuditReport, JudgeAuditRequest } from '../../../core/health/bias/judge-audit.ts';
import { costText, numberText } from '../../kit/formatting.ts';

type ProbeResult = JudgeAuditReport['probes'][number];
type Probe = ProbeResult['probe'];

export const PROBE_LABELS: Readonly<Record<Probe, string>> = {
  position: 'Position',
  verbosity: 'Verbosity',
  self_preference: 'Self-preference',
  formatting: 'Formatting',
  language: 'Language',
  injection: 'Prompt injection',
  repeatability: 'Repeatability',
};

export const VERDICT_LABELS: Readonly<Record<ProbeResult['verdict'], string>> = {
  biased: 'Biased',
  not_shown: 'Not shown',
  not_enough_data: 'Not enough data',
};

/** One sentence on how an audit stands. */
export function statusText({ status, message, report, questions_asked, plan }: JudgeAudit): string {
  if (status === 'running') return `Running: ${numberText(questions_asked)} of ${numberText(plan.questions)} questions.`;
  if (status === 'cancelled') return 'Cancelled.';
  if (!report) return `Failed: ${message}.`;
  if (report.found.length === 0) return 'No bias was found.';
  return `Bias was found: ${report.found.map((probe) => PROBE_LABELS[probe].toLowerCase()).join(', ')}.`;
}

/** An effect with its interval. */
export function effectText({ effect, interval }: Pick<ProbeResult, 'effect' | 'interval'>): string {
  if (effect === null) return '–';
  return interval ? `${numberText(effect)} (${numberText(interval.low)} to ${numberText(interval.high)})` : numberText(effect);
}

/** Questions of an audit, and their cost. */
export function planText({ questions, calls, estimated_cost, unknown_because }: JudgeAuditPlan): string {
  const cost = estimated_cost === null ? `The cost is not known: ${unknown_because}` : `About ${costText(estimated_cost)}`;
  return `${numberText(questions)} questions, ${numberText(calls)} calls of models. ${cost}.`;
}

/** The audit that a form asks for. */
export function toAuditRequest(values: FormData, version: number): JudgeAuditRequest {
  const budget = String(values.get('max_cost') ?? '').trim();
  const dataset_id = String(values.get('dataset_id') ?? '') || null;
  return { version, probes: values.getAll('probes') as Probe[], dataset_id, max_cost: budget === '' ? null : Number(budget) };
}
