import type { RecordMetric } from '../record-index/hourly.ts';
import type { MetricSettingsStore } from '../scores/metric-settings-store.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import type { TrendStore } from '../trends/trend-store.ts';
import { type Finding, type InsightRecord, MAX_EVIDENCE } from './insight.ts';
import { figure, type Scan, type TimeRange, toEvidence } from './scan.ts';

interface Deps {
  readonly traceStore: TraceStore;
  readonly trendStore: TrendStore;
  readonly metricSettingsStore: MetricSettingsStore;
}

const LEAST = 20;
/** Scores that are looked at, of either time. */
const MAX_SCORES = 5_000;
/** Standard errors that the difference has to be away from nothing: once in about a thousand by chance. */
const CERTAINTY = 3;
/** Of the range of all values; smaller drops are certain, and nobody minds them. */
const LEAST_DROP = 0.05;

/** Scorers whose results are clearly lower than the week before, by Welch's test of two means. */
export async function scoreDrops(deps: Deps, look: Scan): Promise<Finding[]> {
  const settings = await deps.metricSettingsStore.find(look.project_id, look.run_id);
  const findings: Finding[] = [];
  for (const { name } of settings?.scorers ?? []) {
    const now = await toScores(deps.trendStore, look, name, look.window);
    const before = now.length < LEAST ? [] : await toScores(deps.trendStore, look, name, look.baseline);
    if (before.length < LEAST) continue;
    const drop = dropBetween(toValues(before), toValues(now));
    if (drop) findings.push(await toFinding(deps.traceStore, look, name, drop, now));
  }
  return findings;
}

function toScores(trendStore: TrendStore, { project_id, run_id }: Scan, name: string, time: TimeRange): Promise<RecordMetric[]> {
  return trendStore.metrics({ project_id, run_id, names: [name], ...time }, MAX_SCORES);
}

const toValues = (numbers: readonly RecordMetric[]): number[] => numbers.map(({ value }) => value);

interface Drop {
  readonly before: number;
  readonly now: number;
  readonly counts: readonly [number, number];
}

/** Undefined unless the second values are lower than the first, by more than chance and more than a trifle. */
export function dropBetween(before: readonly number[], now: readonly number[]): Drop | undefined {
  const [usual, fresh] = [computeMean(before), computeMean(now)];
  const fall = usual - fresh;
  const all = [...before, ...now];
  const range = all.reduce((a, b) => Math.max(a, b)) - all.reduce((a, b) => Math.min(a, b));
  const error = Math.sqrt(computeVariance(before) / before.length + computeVariance(now) / now.length);
  if (fall <= 0 || fall < LEAST_DROP * range || fall < CERTAINTY * error) return undefined;
  return { before: usual, now: fresh, counts: [before.length, now.length] };
}

const computeMean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function computeVariance(values: readonly number[]): number {
  const mean = computeMean(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

async function toFinding(
  traceStore: TraceStore,
  { project_id, run_id }: Scan,
  name: string,
  { before, now, counts }: Drop,
  scores: readonly RecordMetric[],
): Promise<Finding> {
  const lowest = scores.toSorted((a, b) => a.value - b.value).slice(0, MAX_EVIDENCE);
  const records = await Promise.all(lowest.map(({ record_id }) => traceStore.find(project_id, record_id, run_id)));
  return {
    key: `score_drop ${JSON.stringify(name)}`,
    kind: 'score_drop',
    title: `"${name}" has dropped`,
    observation: `The average of "${name}" fell from ${figure(before)} to ${figure(now)}.`,
    details: `${counts[1]} scores of the last 24 hours against ${counts[0]} of the week before; the difference is larger than chance explains.`,
    suggested_action: 'Scan at the records with the lowest scores, and at what changed: prompts, models, data.',
    priority_category: 'warning',
    occurrences: counts[1],
    records: records.filter((record) => record !== undefined).map((record): InsightRecord => toEvidence(record)),
  };
}
