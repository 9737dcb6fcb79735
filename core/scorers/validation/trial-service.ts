import type { Caller } from '../../access/caller.ts';
import { datasetNotFound } from '../../datasets/dataset.ts';
import type { DatasetContentStore } from '../../datasets/dataset-content-store.ts';
import { versionNotFound } from '../../datasets/version.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Sha256 } from '../../kernel/digest.ts';
import { AppError } from '../../kernel/errors.ts';
import type { ScorerKindPlugin } from '../../plugin-sdk/index.ts';
import { findOrInsert } from '../../projects/find-or-insert.ts';
import { insertProject, type NewProjectDeps } from '../../projects/new-project.ts';
import { projectNotFound } from '../../projects/project.ts';
import type { Run } from '../../projects/run.ts';
import { getRunId } from '../../projects/run-ids.ts';
import type { RunOriginStore } from '../../projects/run-origin-store.ts';
import { type RecordSearch, toRecordCondition, toRecordSort } from '../../traces/record-query.ts';
import { toSessionCondition, toSessionSort } from '../../traces/sessions/session-column.ts';
import type { ScorerKinds } from '../kinds/scorer-kinds.ts';
import { visibleRun } from '../settings/run-lookup.ts';
import { fitDefinition } from '../versions/new-version.ts';
import { asJson, type Plan, planFor } from './plan.ts';
import { type RowsOfDataset, type Tried, triedTypes } from './requests.ts';
import { definitionHash } from './sample-trial.ts';
import { SCORER_TRIAL } from './trial-job.ts';
import type { Candidate } from './validation.ts';
import type { ValidationStore } from './validation-store.ts';

export interface TrialServiceDeps extends NewProjectDeps {
  readonly validationStore: ValidationStore;
  readonly runOriginStore: RunOriginStore;
  readonly datasetContentStore: DatasetContentStore;
  readonly scorerKinds: ScorerKinds;
  readonly jobs: Jobs;
  readonly sha256: Sha256;
}

/** The run that a trial goes to, by the names of the interface. */
export interface StartedTrial {
  readonly metrics_experiment_id: string;
  readonly project_id: string;
}

type Chosen = Pick<Candidate, 'kind' | 'definition'>;
type Origin = { dataset_id: string | null; dataset_version_index: number | null; source_run_id: string | null };
type RecordsToTry = Pick<RecordSearch, 'filters' | 'sort' | 'limit' | 'starting_token'>;
type RecordsOfRun = RecordsToTry & Parameters<typeof getRunId>[0];

/** Starts trials of candidates on live records and on dataset rows, each in a metrics-testing run of its own. */
export class TrialService {
  readonly #deps: TrialServiceDeps;

  constructor(deps: TrialServiceDeps) {
    this.#deps = deps;
  }

  async tryOnRecords(caller: Caller, search: RecordsOfRun, plugin: ScorerKindPlugin, tried: Tried): Promise<StartedTrial> {
    const source = await this.#sourceRun(caller, search);
    const definition = fitDefinition(this.#deps.scorerKinds, plugin.id, tried.definition);
    const on = toRecords(source.id, search, triedTypes(tried.scoreable_node_types));
    return this.#start(caller, source.project_id, { kind: plugin.id, definition }, planFor(tried, on));
  }

  async tryOnRows(caller: Caller, rows: RowsOfDataset, plugin: ScorerKindPlugin, tried: Tried): Promise<StartedTrial> {
    const { dataset_id, limit, starting_token } = rows;
    await this.#deps.authorizer.authorize(caller, 'dataset', dataset_id, 'read');
    const version = await this.#deps.datasetContentStore.findVersion(dataset_id, rows.dataset_version_index);
    if (!version) throw rows.dataset_version_index ? versionNotFound(rows.dataset_version_index) : datasetNotFound(dataset_id);
    const definition = fitDefinition(this.#deps.scorerKinds, plugin.id, tried.definition);
    const { version_index } = version;
    const plan = planFor(tried, { source: 'rows', dataset_id, version_index, limit, starting_token });
    return this.#start(caller, await trialProject(this.#deps, caller, rows.project_id), { kind: plugin.id, definition }, plan);
  }

  /** A run that the caller sees, in a project where they may make another one. */
  async #sourceRun(caller: Caller, ids: Parameters<typeof getRunId>[0]): Promise<Run> {
    const run_id = getRunId(ids);
    const run = await visibleRun(this.#deps, caller, run_id, ['log_stream', 'experiment', 'metrics_testing']);
    if (!run) throw new AppError('not_found', 'run_not_found', `run ${run_id} does not exist`);
    await this.#deps.authorizer.authorize(caller, 'project', run.project_id, 'create_run');
    return run;
  }

  async #start(caller: Caller, project_id: string, { kind, definition }: Chosen, plan: Plan): Promise<StartedTrial> {
    const { projectStore, runOriginStore, validationStore, jobs, auditTrail, transactions, sha256, clock, newId } = this.#deps;
    const id = newId();
    const created_at = clock().toISOString();
    const made = { created_by: caller.user_id, created_at };
    const run = { ...made, project_id, id, kind: 'metrics_testing', name: `trial ${id}`, updated_at: created_at } as const;
    const stored = { kind, definition, definition_hash: definitionHash(kind, definition, sha256), plan: asJson(plan) };
    const steps_total = plan.on.source === 'samples' ? 0 : plan.on.limit;
    await transactions.run(async () => {
      if (!(await projectStore.holdProject(project_id))) throw projectNotFound(project_id);
      await projectStore.insertRun({ ...run, has_user_created_sessions: false });
      await runOriginStore.put({ ...getOrigin(plan), project_id, run_id: id, scorer_id: null, scorer_version_id: id });
      await validationStore.insert({ ...made, ...stored, id, project_id, run_id: id, evidence: null, scorer_version_id: null });
      const job = { job_name: SCORER_TRIAL, project_id, run_id: id, created_by: caller.user_id, steps_total };
      await jobs.start({ ...job, request_data: { validation_id: id } });
      const details = { run_id: id, source: plan.on.source };
      await auditTrail.note(caller, { action: 'scorer_trial.start', object_kind: 'project', object_id: project_id, details });
    });
    return { metrics_experiment_id: id, project_id };
  }
}

/** Refuses filters and sorts that records do not have, before anything is started. */
function toRecords(run_id: string, { filters, sort, limit, starting_token }: RecordsToTry, types: readonly string[]): Plan['on'] {
  const isOnSessions = types.includes('session');
  (isOnSessions ? toSessionCondition : toRecordCondition)({ filters, filter_tree: null });
  (isOnSessions ? toSessionSort : toRecordSort)(sort);
  return { source: 'records', run_id, filters, sort: sort ?? null, limit, starting_token };
}

function getOrigin({ on }: Plan): Origin {
  const nothing = { dataset_id: null, dataset_version_index: null, source_run_id: null };
  if (on.source === 'records') return { ...nothing, source_run_id: on.run_id };
  if (on.source === 'rows') return { ...nothing, dataset_id: on.dataset_id, dataset_version_index: on.version_index };
  return nothing;
}

/** Kept apart from the projects that applications log to. */
const TYPE = 'prompt_evaluation';

/**
 * Where a trial on dataset rows goes: the project that is named, else the one that the caller's key is made for, else a project of
 * the caller's own for trials, which is made when it is first needed. Rejects as creating a run there does.
 */
async function trialProject(deps: NewProjectDeps, caller: Caller, named: string | undefined): Promise<string> {
  const given = named ?? caller.project_id;
  if (given) {
    await deps.authorizer.authorize(caller, 'project', given, 'create_run');
    return given;
  }
  deps.authorizer.authorizeInOrganization(caller, 'create_object');
  const project = { name: `Scorer trials of ${caller.user_id}`, type: TYPE, created_by: caller.user_id } as const;
  const own = await findOrInsert(
    () => deps.projectStore.findProjectByName(TYPE, project.name),
    () => insertProject(deps, caller, project),
  );
  await deps.authorizer.authorize(caller, 'project', own.id, 'create_run');
  return own.id;
}
