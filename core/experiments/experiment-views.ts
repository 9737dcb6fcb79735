import type { AccessStore } from '../access/access-store.ts';
import { toUserSummary } from '../access/users/user.ts';
import type { Run } from '../projects/run.ts';
import type { RecordCounts } from '../projects/run-records.ts';
import { toPromptText } from '../prompts/prompt-text.ts';
import { getModel } from '../prompts/run-settings.ts';
import { type RunRatingDeps, type RunRatings, runRatings } from '../ratings/run-ratings.ts';
import type { Experiment } from './experiment.ts';
import { type ExperimentFacts, plainFacts } from './experiment-facts.ts';
import type { ExperimentStore } from './experiment-store.ts';
import { type Contender, ranked, type Standing } from './ranking.ts';
import type { RunTag } from './run-tag.ts';
import type { RunTagStore } from './run-tag-store.ts';
import { computeAverages, type RunTotals } from './run-totals.ts';

export interface ExperimentViewDeps extends RunRatingDeps {
  readonly experimentStore: ExperimentStore;
  readonly runTagStore: RunTagStore;
  readonly runTotals: RunTotals;
  readonly accessStore: AccessStore;
}

interface Around {
  readonly facts: ReadonlyMap<string, ExperimentFacts>;
  readonly averages: ReadonlyMap<string, Record<string, number>>;
  readonly standings: ReadonlyMap<string, Standing>;
  readonly tags: ReadonlyMap<string, RunTag[]>;
  readonly users: ReadonlyMap<string, ReturnType<typeof toUserSummary>>;
  readonly counts: ReadonlyMap<string, RecordCounts> | undefined;
  readonly ratings: ReadonlyMap<string, RunRatings>;
}

/** Shows experiments with their averages, and where they stand among others. However many: a fixed number of queries. */
export class ExperimentViews {
  readonly #deps: ExperimentViewDeps;

  constructor(deps: ExperimentViewDeps) {
    this.#deps = deps;
  }

  async one(run: Run, include_counts = false): Promise<Experiment> {
    const [shown] = await this.many(run.project_id, [run], include_counts);
    return shown!;
  }

  /** Runs of one project. */
  async many(project_id: string, runs: readonly Run[], include_counts: boolean): Promise<Experiment[]> {
    if (runs.length === 0) return [];
    const { experimentStore, runTagStore, runRecords } = this.#deps;
    const ids = runs.map(({ id }) => id);
    const facts = new Map((await experimentStore.list(project_id, ids)).map((one) => [one.run_id, one]));
    const [rivals, tags, users, counts, ratings] = await Promise.all([
      this.#rivals(project_id, ids, facts),
      runTagStore.list(project_id, ids),
      this.#users(runs),
      include_counts ? runRecords.counts(project_id, ids) : undefined,
      runRatings(this.#deps, project_id, ids),
    ]);
    const averages = new Map(rivals.map((one) => [one.run_id, { ...one.averages }]));
    const around = {
      facts,
      averages,
      standings: ranked(rivals),
      tags: Map.groupBy(tags, ({ run_id }) => run_id),
      users,
      counts,
      ratings,
    };
    return runs.map((run) => toView(run, around));
  }

  /** The runs themselves, and all others of the project that went through the same datasets. */
  async #rivals(project_id: string, ids: readonly string[], facts: ReadonlyMap<string, ExperimentFacts>): Promise<Contender[]> {
    const datasets = new Set([...facts.values()].flatMap(({ dataset }) => (dataset ? [dataset.dataset_id] : [])));
    const others = datasets.size > 0 ? await this.#deps.experimentStore.listByDatasets(project_id, [...datasets]) : [];
    const toDataset = new Map(others.map(({ run_id, dataset_id }) => [run_id, dataset_id]));
    const all = [...new Set([...ids, ...toDataset.keys()])];
    const totals = Map.groupBy(await this.#deps.runTotals.totals(project_id, all), ({ run_id }) => run_id);
    return all.map((run_id) => {
      return { run_id, dataset_id: toDataset.get(run_id) ?? null, averages: computeAverages(totals.get(run_id) ?? []) };
    });
  }

  async #users(runs: readonly Run[]) {
    const ids = new Set(runs.map(({ created_by }) => created_by).filter((id) => id !== null));
    const users = ids.size > 0 ? await this.#deps.accessStore.listUsers([...ids]) : [];
    return new Map(users.map((user) => [user.id, toUserSummary(user)]));
  }
}

function toView({ kind: _kind, has_user_created_sessions: _own, ...run }: Run, around: Around): Experiment {
  const facts = around.facts.get(run.id) ?? plainFacts(run.project_id, run.id);
  const counts = around.counts?.get(run.id);
  const { dataset, prompt, prompt_run_settings } = facts;
  return {
    ...run,
    task_type: facts.task_type,
    created_by_user: around.users.get(run.created_by ?? '') ?? null,
    num_spans: around.counts ? (counts?.num_spans ?? 0) : null,
    num_traces: around.counts ? (counts?.num_traces ?? 0) : null,
    dataset,
    aggregate_metrics: around.averages.get(run.id) ?? {},
    aggregate_feedback: {},
    rating_aggregates: { ...around.ratings.get(run.id) },
    ...around.standings.get(run.id)!,
    playground_id: facts.playground_id,
    playground: null,
    prompt_run_settings: prompt_run_settings && { ...prompt_run_settings },
    prompt_model: prompt_run_settings && getModel(prompt_run_settings),
    prompt: prompt && {
      prompt_template_id: prompt.prompt_template_id,
      version_index: prompt.version_index,
      name: prompt.name,
      content: toPromptText(prompt.content),
    },
    tags: Object.fromEntries(Map.groupBy(around.tags.get(run.id) ?? [], ({ key }) => key)),
    status: { log_generation: { progress_percent: facts.generated ?? 1 } },
  };
}
