import { LEAVES, type RecordType } from '../traces/catalogue/span-types.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import type { NumbersOfBucket, SeriesStore } from '../trends/series-store.ts';
import { type Finding, MAX_EVIDENCE } from './insight.ts';
import { figure, isText, type Scan, stepName, type TimeRange, toEvidence, within } from './scan.ts';

interface Deps {
  readonly traceStore: TraceStore;
  readonly seriesStore: SeriesStore;
}

/** Weight of a step, by which it counts as heavy. */
interface Weight {
  readonly kind: 'slow_step' | 'costly_step';
  readonly metric: string;
  /** Compared with the week before: this share of its numbers lies below; undefined compares averages. */
  readonly quantile: number | undefined;
  readonly grew: string;
  readonly takes: string;
  show(value: number): string;
}

const WEIGHTS: readonly Weight[] = [
  {
    kind: 'slow_step',
    metric: 'duration_ns',
    quantile: 0.95,
    grew: 'has become slow',
    takes: 'of the time of all steps',
    show: (value) => `${figure(value / 1e6)} ms`,
  },
  {
    kind: 'costly_step',
    metric: 'cost',
    quantile: undefined,
    grew: 'has become costly',
    takes: 'of the cost of all steps',
    show: figure,
  },
];

const LEAST = 20;
const GROWTH = 2;
const SHARE = 0.6;
const MAX_STEPS = 50;

interface Step {
  readonly type: RecordType;
  readonly name: string;
  readonly now: NumbersOfBucket;
  readonly before: NumbersOfBucket | undefined;
}

/** Steps that take at least twice what they took the week before, and those that take most of all. */
export async function heavySteps(deps: Deps, look: Scan): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const weight of WEIGHTS) {
    const steps = await toSteps(deps.seriesStore, look, weight);
    const total = steps.reduce((sum, { now }) => sum + now.sum, 0);
    for (const step of steps) {
      const found = grown(step, weight) ?? (steps.length > 1 ? dominant(step, weight, total) : undefined);
      if (found) findings.push({ ...found, records: await heaviest(deps.traceStore, look, step, weight) });
    }
  }
  return findings;
}

async function toSteps(seriesStore: SeriesStore, look: Scan, weight: Weight): Promise<Step[]> {
  const steps = await Promise.all(
    LEAVES.map(async (type) => {
      const now = await byName(seriesStore, look, look.window, type, weight);
      const before = now.length > 0 ? await byName(seriesStore, look, look.baseline, type, weight) : [];
      const known = new Map(before.map((row) => [row.group, row]));
      return now.map((row): Step => ({ type, name: row.group ?? '', now: row, before: known.get(row.group) }));
    }),
  );
  return steps.flat();
}

async function byName(
  seriesStore: SeriesStore,
  { project_id, run_id }: Scan,
  time: TimeRange,
  type: RecordType,
  { metric, quantile }: Weight,
): Promise<readonly NumbersOfBucket[]> {
  const slice = { name: metric, types: [type], where: { and: [] }, group_by: 'name', max_groups: MAX_STEPS, quantile };
  return (await seriesStore.fromRecords({ project_id, run_id, ...time, minutes: null }, slice)).rows;
}

type Unproven = Omit<Finding, 'records'>;

function grown({ type, name, now, before }: Step, weight: Weight): Unproven | undefined {
  if (!before || now.count < LEAST || before.count < LEAST) return undefined;
  const [fresh, usual] = [typical(now, weight), typical(before, weight)];
  if (usual <= 0 || fresh < GROWTH * usual) return undefined;
  const step = stepName(type, name);
  const measure = weight.quantile === undefined ? 'on average' : 'in the slowest 5 %, at least';
  return {
    key: `${weight.kind} grown ${JSON.stringify([type, name])}`,
    kind: weight.kind,
    title: `${step} ${weight.grew}`,
    observation: `${step} takes ${figure(fresh / usual)} times what it took in the week before.`,
    details: `Now ${weight.show(fresh)} ${measure}, of ${now.count} records; before ${weight.show(usual)}, of ${before.count}.`,
    suggested_action: 'Compare the records below with earlier ones of the same step: inputs, models and what they call.',
    priority_category: 'warning',
    occurrences: now.count,
  };
}

function dominant({ type, name, now }: Step, weight: Weight, total: number): Unproven | undefined {
  if (now.count < LEAST || total <= 0 || now.sum < SHARE * total) return undefined;
  const step = stepName(type, name);
  const share = `${Math.round((100 * now.sum) / total)} %`;
  return {
    key: `${weight.kind} share ${JSON.stringify([type, name])}`,
    kind: weight.kind,
    title: `${step} takes ${share} ${weight.takes}`,
    observation: `Of what calls of models, tools and retrievers took in the last 24 hours, ${share} went to ${step}.`,
    details: `${weight.show(now.sum)} in ${now.count} records, ${weight.show(now.sum / now.count)} on average, ${weight.show(now.max)} at most.`,
    suggested_action: 'This is where an improvement pays most: a smaller model, fewer calls, or answers kept for later.',
    priority_category: 'info',
    occurrences: now.count,
  };
}

const typical = (numbers: NumbersOfBucket, { quantile }: Weight): number =>
  quantile === undefined ? numbers.sum / numbers.count : (numbers.quantile ?? 0);

async function heaviest(traceStore: TraceStore, look: Scan, { type, name }: Step, { metric }: Weight) {
  const where = within(look.window, isText('type', type), isText('name', name));
  const { project_id, run_id } = look;
  const sort = { column_id: `metrics/${metric}`, ascending: false };
  const selection = { project_id, run_id, level: 'span', where: withNumber(where, metric) } as const;
  const fields = new Set(['id', 'trace_id', 'type', 'name'] as const);
  const records = await traceStore.list({
    ...selection,
    sort,
    starting_token: 0,
    limit: MAX_EVIDENCE,
    after: undefined,
    fields,
  });
  return records.slice(0, MAX_EVIDENCE).map(toEvidence);
}

/** Records without the number would come first. */
const withNumber = (where: ReturnType<typeof within>, metric: string): ReturnType<typeof within> => ({
  and: [where, { filter: { type: 'number', column_id: `metrics/${metric}`, operator: 'gte', value: Number.MIN_SAFE_INTEGER } }],
});
