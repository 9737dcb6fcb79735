import { sortableTime } from '../../../core/kernel/timestamp.ts';
import type { ScoreValue } from '../../../core/plugin-sdk/index.ts';
import { type BelowQuery, hasSpent, type ScoresBelow, type ScoresOfScorer, type Spent } from '../../../core/scores/roll-up.ts';
import type { Score } from '../../../core/scores/score.ts';
import type { ScoredRecords } from './scored-records.ts';

export class MemoryScoresBelow implements ScoresBelow {
  readonly #deps: ScoredRecords;

  constructor(deps: ScoredRecords) {
    this.#deps = deps;
  }

  async list({ project_id, run_id, level, ids, scorer_ids }: BelowQuery): Promise<ScoresOfScorer[]> {
    const records = this.#deps.traceStore.toRecords(project_id, run_id);
    const traces = records.filter(
      ({ type, id, session_id }) => type === 'trace' && ids.includes(level === 'trace' ? id : session_id),
    );
    const under = new Map(traces.map(({ id, session_id }) => [id, level === 'trace' ? id : session_id]));
    const below = records.filter(({ trace_id }) => under.has(trace_id));
    const inTime = below.toSorted((a, b) => (sortableTime(a.created_at) < sortableTime(b.created_at) ? -1 : 1));
    const scores = await this.#deps.scoreStore.list(
      project_id,
      run_id,
      inTime.map(({ id }) => id),
    );
    const wanted = scores.filter(({ scorer_id, status_type }) => status_type === 'success' && scorer_ids.includes(scorer_id));
    const byRecord = Map.groupBy(wanted, ({ record_id }) => record_id);
    const groups = new Map<string, Group>();
    for (const { id, trace_id, type } of inTime)
      for (const [scorer_id, { value, effort }] of pickNewest(byRecord.get(id) ?? [])) {
        const place = { under_id: under.get(trace_id)!, scorer_id, is_trace: type === 'trace' };
        const key = JSON.stringify(place);
        const group = groups.get(key) ?? { ...place, values: [], spent: [] };
        groups.set(key, group);
        group.values.push(value as ScoreValue);
        if (effort && hasSpent(effort)) group.spent.push(getSpent(effort));
      }
    return [...groups.values()];
  }
}

type Group = Omit<ScoresOfScorer, 'values' | 'spent'> & { readonly values: ScoreValue[]; readonly spent: Spent[] };

/** By scorer; the list is in time. */
const pickNewest = (scores: readonly Score[]): ReadonlyMap<string, Score> =>
  new Map(scores.map((score) => [score.scorer_id, score]));

function getSpent({ model, cost = null, input_tokens, output_tokens }: Spent): Spent {
  return {
    ...(model === undefined ? {} : { model }),
    cost,
    ...(input_tokens === undefined ? {} : { input_tokens }),
    ...(output_tokens === undefined ? {} : { output_tokens }),
  };
}
