import { sortableTime } from '../../../core/kernel/timestamp.ts';
import type { ScoreValue } from '../../../core/plugin-sdk/index.ts';
import type { BelowQuery, ScoreBelow, ScoresBelow } from '../../../core/scorers/scores/roll-up.ts';
import type { ScoredRecords } from './scored-records.ts';

export class MemoryScoresBelow implements ScoresBelow {
  readonly #deps: ScoredRecords;

  constructor(deps: ScoredRecords) {
    this.#deps = deps;
  }

  async list({ project_id, run_id, level, ids, scorer_ids }: BelowQuery): Promise<ScoreBelow[]> {
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
    return inTime.flatMap(({ id, trace_id, type }) =>
      (byRecord.get(id) ?? []).map(({ scorer_id, value, effort }): ScoreBelow => {
        const place = { under_id: under.get(trace_id)!, record_id: id, is_trace: type === 'trace' };
        return { ...place, scorer_id, value: value as ScoreValue, effort: effort && getSpent(effort) };
      }),
    );
  }
}

function getSpent({ model, cost = null, input_tokens, output_tokens }: NonNullable<ScoreBelow['effort']>): ScoreBelow['effort'] {
  return {
    ...(model === undefined ? {} : { model }),
    cost,
    ...(input_tokens === undefined ? {} : { input_tokens }),
    ...(output_tokens === undefined ? {} : { output_tokens }),
  };
}
