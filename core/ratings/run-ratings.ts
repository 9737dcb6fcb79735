import type { RunRecords } from '../projects/run-records.ts';
import { computeAggregate, type RatingAggregate } from './aggregate.ts';
import type { RatingType } from './rating.ts';
import type { RatingStore } from './rating-store.ts';

export interface RunRatingDeps {
  readonly ratingStore: RatingStore;
  readonly runRecords: RunRecords;
}

/** By template: what its answers about a run come to, under the type of the template. */
export type RunRatings = Readonly<Record<string, Readonly<Partial<Record<RatingType, RatingAggregate>>>>>;

/** Of each run that has answers. Traces without one count as unrated. */
export async function runRatings(
  { ratingStore, runRecords }: RunRatingDeps,
  project_id: string,
  run_ids: readonly string[],
): Promise<ReadonlyMap<string, RunRatings>> {
  const annotations = await ratingStore.listByRuns(project_id, run_ids);
  if (annotations.length === 0) return new Map();
  const byRun = Map.groupBy(annotations, ({ run_id }) => run_id);
  const [templates, counts] = await Promise.all([
    ratingStore.listTemplates(project_id),
    runRecords.counts(project_id, [...byRun.keys()]),
  ]);
  const ofRun = (run_id: string): RunRatings => {
    const byTemplate = Map.groupBy(byRun.get(run_id)!, ({ template_id }) => template_id);
    const shown = templates.flatMap(({ id, annotation_type }) => {
      const given = byTemplate.get(id);
      if (!given) return [];
      const rated = new Set(given.map(({ record_id }) => record_id)).size;
      const unrated = Math.max(0, (counts.get(run_id)?.num_traces ?? 0) - rated);
      const values = given.map(({ value }) => value);
      return [[id, { [annotation_type]: computeAggregate(annotation_type, values, unrated) }] as const];
    });
    return Object.fromEntries(shown);
  };
  return new Map([...byRun.keys()].map((run_id) => [run_id, ofRun(run_id)]));
}
