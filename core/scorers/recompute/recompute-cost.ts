import type { MetricSettings } from '../../scores/metric-settings.ts';
import type { ScoreStore } from '../../scores/score-store.ts';
import type { RecordScan } from '../../traces/read/record-scan.ts';
import type { RecordSelection } from '../../traces/record-query.ts';
import { asksModels } from '../kinds/scorer-kinds.ts';

/** Traces whose scores are looked at: the newest that match. */
const LOOKED_AT = 100;

export interface CostDeps {
  readonly recordScan: RecordScan;
  readonly scoreStore: ScoreStore;
}

/**
 * About how many US dollars scorers would take for so many traces, by what they took for the newest of them: 0 where no
 * model is asked, null where nothing is known.
 */
export async function estimatedCost(
  { recordScan, scoreStore }: CostDeps,
  selection: RecordSelection,
  { scorers }: MetricSettings,
  scorer_ids: readonly string[],
  traces: number,
): Promise<number | null> {
  const asked = new Set(scorer_ids);
  const asking = new Set(scorers.filter(({ id, model_type }) => asked.has(id) && asksModels(model_type)).map(({ id }) => id));
  if (asking.size === 0 || traces === 0) return 0;
  const { project_id, run_id } = selection;
  const newest = (await takeFirst(recordScan.keys(selection, LOOKED_AT))).map(({ id }) => id);
  const records = new Map((await recordScan.outlines(project_id, run_id, newest)).map(({ id, trace_id }) => [id, trace_id]));
  const scores = (await scoreStore.list(project_id, run_id, [...records.keys()])).filter(({ scorer_id }) =>
    asking.has(scorer_id),
  );
  const costs = scores.flatMap(({ effort }) => (effort?.cost === undefined ? [] : [effort.cost]));
  const judged = new Set(scores.map(({ record_id }) => records.get(record_id)));
  if (costs.length === 0 || costs.includes(null)) return null;
  return (costs.reduce<number>((sum, cost) => sum + cost!, 0) / judged.size) * traces;
}

async function takeFirst<T>(pages: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  for await (const page of pages) return page;
  return [];
}
