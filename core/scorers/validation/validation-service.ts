import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import type { JobStore } from '../../jobs/job-store.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Sha256 } from '../../kernel/digest.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Clock, NewId, Transactions } from '../../kernel/ports.ts';
import type { ScorerKindPlugin } from '../../plugin-sdk/index.ts';
import { AUTOGEN } from '../autogen/autogen-job.ts';
import type { ScorerKinds } from '../kinds/scorer-kinds.ts';
import type { ScorerStore } from '../scorer-store.ts';
import { fitDefinition } from '../versions/new-version.ts';
import { scorerWithVersion } from '../versions/version-lookup.ts';
import { getMetricName } from './metric-key.ts';
import { asJson, type Plan, planFor } from './plan.ts';
import type { Tried } from './requests.ts';
import { definitionHash } from './sample-trial.ts';
import { type TaskResult, toTaskResult } from './task-result.ts';
import type { Evidence, Validation } from './validation.ts';
import type { ValidationStore } from './validation-store.ts';

export interface ValidationDeps {
  readonly validationStore: ValidationStore;
  readonly scorerStore: ScorerStore;
  readonly scorerKinds: ScorerKinds;
  readonly jobs: Jobs;
  readonly jobStore: JobStore;
  readonly authorizer: Authorizer;
  readonly transactions: Transactions;
  readonly sha256: Sha256;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** The work of others is not told here. */
const isTold = (job_name: string): boolean => job_name.endsWith(getMetricName('')) || job_name === AUTOGEN;

/** Trying candidates on samples, and what trials have come to. */
export class ValidationService {
  readonly #deps: ValidationDeps;

  constructor(deps: ValidationDeps) {
    this.#deps = deps;
  }

  /** Tries a definition on one record of each type. Rejects with AppError `invalid` what the kind does not take. */
  async try(caller: Caller, plugin: ScorerKindPlugin, tried: Tried): Promise<string> {
    this.#deps.authorizer.authorizeInOrganization(caller, 'create_object');
    const definition = fitDefinition(this.#deps.scorerKinds, plugin.id, tried.definition);
    return this.#start(caller, plugin.id, definition, planFor(tried, { source: 'samples', ...toTexts(tried) }));
  }

  /** Of whoever asked for it alone. */
  async result(caller: Caller, task_id: string): Promise<TaskResult> {
    const job = await this.#deps.jobStore.find(task_id);
    if (job?.created_by === caller.user_id && isTold(job.job_name)) return toTaskResult(job);
    throw new AppError('not_found', 'task_not_found', `task ${task_id} does not exist`);
  }

  /** Returns the evidence of the trial that a version was made from. */
  async evidence(caller: Caller, scorer_id: string, number: number) {
    const { version } = await scorerWithVersion(this.#deps.scorerStore, scorer_id, number);
    const validation = await this.#deps.validationStore.findByVersion(version.id);
    if (!validation?.evidence) throw versionUntried(number);
    return { ...(await this.#getRun(caller, validation)), ...shownEvidence(validation.evidence), validation_id: validation.id };
  }

  async #getRun(caller: Caller, { project_id, run_id }: Validation) {
    const isSeen = project_id !== null && (await this.#deps.authorizer.roleOn(caller, 'project', project_id)) !== undefined;
    return isSeen ? { project_id, metrics_testing_id: run_id } : { project_id: null, metrics_testing_id: null };
  }

  #start(caller: Caller, kind: string, definition: Validation['definition'], plan: Plan): Promise<string> {
    const { validationStore, jobs, transactions, clock, newId, sha256 } = this.#deps;
    const validation: Validation = {
      id: newId(),
      kind,
      definition,
      definition_hash: definitionHash(kind, definition, sha256),
      plan: asJson(plan),
      project_id: null,
      run_id: null,
      evidence: null,
      scorer_version_id: null,
      created_by: caller.user_id,
      created_at: clock().toISOString(),
    };
    const job_name = getMetricName(kind);
    const request_data = { validation_id: validation.id };
    return transactions.run(async () => {
      await validationStore.insert(validation);
      const job = await jobs.start({ job_name, project_id: null, run_id: null, created_by: caller.user_id, request_data });
      return job.id;
    });
  }
}

const shownEvidence = ({ outputs, errors, ...evidence }: Evidence) => ({
  ...evidence,
  outputs: [...outputs],
  errors: [...errors],
});

const toTexts = ({ input = null, output = null }: Tried) => ({ input, output });

const versionUntried = (number: number): AppError =>
  new AppError('not_found', 'validation_not_found', `no trial of version ${number} is known`);
