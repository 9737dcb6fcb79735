import { getRecordTypes } from '../scorer.ts';
import type { MetricSettings, StoredEntry } from '../settings/metric-settings.ts';
import { type BelowQuery, computeRollUp, type ScoreBelow, type ScoresBelow } from './roll-up.ts';
import type { MetricInfo } from './score.ts';

type Under = Omit<BelowQuery, 'scorer_ids'>;

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
  const scores = await scoresBelow.list({ ...under, scorer_ids: entries.map(({ id }) => id) });
  const byRecord = Map.groupBy(scores, ({ under_id }) => under_id);
  return new Map([...byRecord].map(([id, below]) => [id, toInfo(entries, below, under.level)]));
}

function toInfo(entries: readonly StoredEntry[], below: readonly ScoreBelow[], level: Under['level']): MetricInfo {
  const info: Record<string, Readonly<Record<string, unknown>>> = {};
  const byScorer = Map.groupBy(below, ({ scorer_id }) => scorer_id);
  for (const entry of entries) {
    const ofTraces = level === 'session' && getRecordTypes(entry.scoreable_node_types).has('trace');
    const own = byScorer.get(entry.id) ?? [];
    const rolled = computeRollUp(
      entry,
      own.filter(({ is_trace }) => is_trace === ofTraces),
    );
    if (rolled) info[entry.name] = rolled;
  }
  return info;
}

function looksBelow({ scoreable_node_types }: StoredEntry, level: Under['level']): boolean {
  const types = [...getRecordTypes(scoreable_node_types)];
  return types.some((type) => type !== 'session' && (level === 'session' || type !== 'trace'));
}
