import { mapInSlices } from '../kernel/slices.ts';
import type { MetricSettings, StoredEntry } from './metric-settings.ts';
import { getRecordTypes } from './record-types.ts';
import { type BelowQuery, computeRollUp, type ScoresBelow } from './roll-up.ts';
import type { MetricInfo } from './score.ts';

type Under = Omit<BelowQuery, 'scorer_ids'>;
type RollUp = NonNullable<ReturnType<typeof computeRollUp>>;

/** Results of scorers that are summed up without a turn for others: of a large trace each has thousands of values. */
const SLICE = 20;

/**
 * Roll-ups for traces or sessions, by their ids: of each scorer that looks at something below them. A session rolls up what
 * was said of its traces; what was said of spans only where the scorer does not look at traces.
 */
export async function rollUps(
  scoresBelow: ScoresBelow,
  { scorers }: MetricSettings,
  under: Under,
): Promise<ReadonlyMap<string, MetricInfo>> {
  const entries = scorers.filter((entry) => entry.roll_up_method !== 'none' && looksBelow(entry, under.level));
  if (entries.length === 0 || under.ids.length === 0) return new Map();
  const groups = await scoresBelow.list({ ...under, scorer_ids: entries.map(({ id }) => id) });
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const rolled = await mapInSlices(groups, SLICE, (group) => {
    const entry = byId.get(group.scorer_id);
    return entry && group.is_trace === looksAtTraces(entry, under.level) ? computeRollUp(entry, group) : undefined;
  });
  const info = new Map<string, Record<string, RollUp>>();
  for (const [at, { under_id, scorer_id }] of groups.entries()) {
    const [entry, rollUp] = [byId.get(scorer_id), rolled[at]];
    if (entry && rollUp) info.set(under_id, Object.assign(info.get(under_id) ?? {}, { [entry.name]: rollUp }));
  }
  return info;
}

const looksAtTraces = ({ scoreable_node_types }: StoredEntry, level: Under['level']): boolean =>
  level === 'session' && getRecordTypes(scoreable_node_types).has('trace');

function looksBelow({ scoreable_node_types }: StoredEntry, level: Under['level']): boolean {
  const types = [...getRecordTypes(scoreable_node_types)];
  return types.some((type) => type !== 'session' && (level === 'session' || type !== 'trace'));
}
