import type { JsonValue } from '../kernel/json.ts';
import type { OutputType } from '../plugin-sdk/index.ts';
import { bootstrapInterval } from './bootstrap.ts';
import type { Health } from './health-score.ts';
import { HEALTH_TYPE_OF } from './health-type.ts';
import { joinRows, type TruthRow } from './join-rows.ts';
import { measureRows } from './measure-rows.ts';

/** How well scores fit what is right, row by row; see `joinRows`. Pauses on the way when there is much to count. */
export async function getHealth(
  output_type: OutputType,
  rows: readonly TruthRow[],
  scores: ReadonlyMap<string, readonly JsonValue[]>,
  pause: () => Promise<void>,
): Promise<Health> {
  const { pairs, ...counters } = joinRows(output_type, rows, scores);
  const measure = pairs.length > 0 ? measureRows(output_type, pairs) : undefined;
  return {
    health_score_type: HEALTH_TYPE_OF[output_type],
    value: measure?.value ?? null,
    secondary: measure?.secondary ?? {},
    ...counters,
    interval: measure ? await bootstrapInterval(pairs.length, measure.over, pause) : null,
    baseline: measure?.baseline ?? null,
    confusion_table: measure?.confusion_table ?? null,
  };
}
