import { clipped, costText, numberText, percentText } from '../kit/formatting.ts';
import type { ScoreInfo } from './score.ts';

/** How a score is shown: never by its colour alone. */
export interface ScoreState {
  readonly tone: 'plain' | 'yes' | 'no' | 'rolled-up' | 'waiting' | 'bad';
  readonly text: string;
  /** From 0 to 1, for a bar behind a share. */
  readonly share?: number;
  /** Who judged, why, and what it cost, for who points at it. */
  readonly detail: string;
}

const LONGEST = 100;

const WAITING: Readonly<Record<string, string>> = {
  pending: '… pending',
  not_computed: 'not computed',
  not_applicable: 'n/a',
};

const BAD: Readonly<Record<string, string>> = { failed: '⚠ failed', error: '⚠ error' };

/** `isPercentage`: numbers are shares of 1 and shown as such. */
export function scoreState(info: ScoreInfo, isPercentage = false): ScoreState {
  const { status_type, value } = info;
  const detail = toDetail(info);
  if (status_type === 'success') return { ...shownValue(value, isPercentage), detail };
  if (status_type === 'roll_up') return { tone: 'rolled-up', text: rolledUpText(info, isPercentage), detail };
  const bad = BAD[status_type];
  if (bad) return { tone: 'bad', text: bad, detail };
  return { tone: 'waiting', text: WAITING[status_type] ?? status_type.replaceAll('_', ' '), detail };
}

/** Short text for a score. */
export const scoreValueText = (value: unknown): string => shownValue(value, false).text;

function shownValue(value: unknown, isPercentage: boolean): Omit<ScoreState, 'detail'> {
  if (value === true) return { tone: 'yes', text: '✓ true' };
  if (value === false) return { tone: 'no', text: '✗ false' };
  if (typeof value === 'number' && isPercentage && value >= 0 && value <= 1)
    return { tone: 'plain', text: percentText(value), share: value };
  return { tone: 'plain', text: clipped(toText(value, isPercentage), LONGEST) };
}

/** The average where there is one, else the first of the ways in which it was rolled up: `avg 0.8`, or `yes × 3, no × 1`. */
function rolledUpText({ roll_up_metrics = {} }: ScoreInfo, isPercentage: boolean): string {
  const known = Object.entries(roll_up_metrics);
  const [method, value] = known.find(([name]) => name === 'average') ?? known[0] ?? [];
  if (method === undefined) return '–';
  if (typeof value !== 'object' || value === null)
    return `${method === 'average' ? 'avg' : method.replaceAll('_', ' ')} ${toText(value, isPercentage)}`;
  const counts = Object.entries(value).map(([name, count]) => `${name} × ${toText(count, false)}`);
  return clipped(counts.join(', '), LONGEST);
}

function toText(value: unknown, isPercentage: boolean): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return isPercentage ? percentText(value) : numberText(value);
  if (Array.isArray(value)) return value.map((one) => toText(one, isPercentage)).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function toDetail({ explanation, message, scorer_type, model_alias, num_judges, cost }: ScoreInfo): string {
  const rater = model_alias ? `by ${model_alias}` : scorer_type === null ? 'by code' : undefined;
  return [
    message,
    explanation,
    [rater, judgesText(num_judges), typeof cost === 'number' ? costText(cost) : undefined].filter(Boolean).join(', '),
  ]
    .filter(Boolean)
    .join('\n');
}

/** How many judges were asked; nothing is said of one. */
export const judgesText = (num_judges: number | null | undefined): string | undefined =>
  num_judges && num_judges > 1 ? `${num_judges} judges` : undefined;
