import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import type { JobStore } from '../../jobs/job-store.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Sha256 } from '../../kernel/digest.ts';
import { AppError } from '../../kernel/errors.ts';
import type { PluginRegistry } from '../../kernel/plugin-registry.ts';
import type { Clock, NewId, Transactions } from '../../kernel/ports.ts';
import type { ScorerKindPlugin } from '../../plugin-sdk/index.ts';
import { KIND_OF } from '../scorer.ts';
import type { ScorerStore } from '../scorer-store.ts';
import { fitDefinition } from '../versions/new-version.ts';
import { type SourceFile, toProgram } from '../versions/source-file.ts';
import { scorerWithVersion } from '../versions/version-lookup.ts';
import { judgeDefinition } from './judge-definition.ts';
import { asJson, type Plan } from './plan.ts';
import { type JudgeTrial, type SampleForm, triedTypes } from './requests.ts';
import { SAMPLE_TRIALS } from './sample-job.ts';
import { definitionHash } from './sample-trial.ts';
import { type TaskResult, toTaskResult } from './task-result.ts';
import type { Evidence, Validation } from './validation.ts';
import type { ValidationStore } from './validation-store.ts';

export interface ValidationDeps {
  readonly validationStore: ValidationStore;
  readonly scorerStore: ScorerStore;
  readonly scorerKinds: PluginRegistry<ScorerKindPlugin>;
  readonly jobs: Jobs;
  readonly jobStore: JobStore;
  readonly authorizer: Authorizer;
  readonly transactions: Transactions;
  readonly sha256: Sha256;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** The work of others than these names is not told here. */
const TASKS: readonly string[] = [...Object.values(SAMPLE_TRIALS), 'auto_gen'];

/** Trying candidates on samples, and what trials have come to. */
export class ValidationService {
  readonly #deps: ValidationDeps;

  constructor(deps: ValidationDeps) {
    this.#deps = deps;
  }

  async tryCode(caller: Caller, file: SourceFile, form: SampleForm): Promise<{ task_id: string }> {
    this.#deps.authorizer.authorizeInOrganization(caller, 'create_object');
    const plan: Plan = {
      required_scorers: form.required_scorers ?? [],
      scoreable_node_types: [...triedTypes(form.scoreable_node_types)],
      output_type: null,
      on: { source: 'samples', input: form.test_input ?? null, output: form.test_output ?? null },
    };
    return { task_id: await this.#start(caller, KIND_OF.code, { ...toProgram(file) }, plan) };
  }

  async tryJudge(caller: Caller, trial: JudgeTrial): Promise<{ task_result_id: string }> {
    this.#deps.authorizer.authorizeInOrganization(caller, 'create_object');
    const definition = fitDefinition(this.#deps.scorerKinds, KIND_OF.llm, judgeDefinition(trial));
    const { output_type, scoreable_node_types } = trial.scorer_configuration ?? {};
    const plan: Plan = {
      required_scorers: [],
      scoreable_node_types: [...triedTypes(scoreable_node_types)],
      output_type: output_type ?? null,
      on: { source: 'samples', input: trial.query ?? null, output: trial.response ?? null },
    };
    return { task_result_id: await this.#start(caller, KIND_OF.llm, definition, plan) };
  }

  /** Of whoever asked for it alone. */
  async result(caller: Caller, task_id: string): Promise<TaskResult> {
    const job = await this.#deps.jobStore.find(task_id);
    if (job?.created_by === caller.user_id && TASKS.includes(job.job_name)) return toTaskResult(job);
    throw new AppError('not_found', 'task_not_found', `task ${task_id} does not exist`);
  }

  /** What the trial came to that a version was made from. */
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
    const job_name = kind === KIND_OF.code ? SAMPLE_TRIALS.registered : SAMPLE_TRIALS.generated;
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

const versionUntried = (number: number): AppError =>
  new AppError('not_found', 'validation_not_found', `no trial of version ${number} is known`);
