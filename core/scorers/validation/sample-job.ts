import type { JobRecord } from '../../jobs/job.ts';
import type { JobContext, JobHandler } from '../../jobs/job-handler.ts';
import { DeadlineExceeded } from '../../kernel/deadline.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { PluginError } from '../../plugin-sdk/index.ts';
import { getMetricName } from './metric-key.ts';
import { computePlan, getValidationId, toCandidate, validationNotFound } from './plan.ts';
import { definitionHash, type SampleTrialDeps, tryOnSamples } from './sample-trial.ts';
import { Tally } from './tally.ts';
import { toVerdict } from './task-result.ts';
import type { TrialLimits } from './trial-scorers.ts';
import type { Evidence, Validation } from './validation.ts';
import type { ValidationStore } from './validation-store.ts';

export interface SampleJobDeps extends SampleTrialDeps {
  readonly trialLimits: Pick<TrialLimits, 'candidate_ms'>;
  readonly validationStore: ValidationStore;
}

/** Tries a candidate on one record of each type that it scores. One that gives no result in time is invalid, with this as the reason. */
export class SampleTrialJob implements JobHandler {
  readonly job_name: string;
  readonly #deps: SampleJobDeps;

  constructor(deps: SampleJobDeps, kind: string) {
    this.#deps = deps;
    this.job_name = getMetricName(kind);
  }

  async run(job: JobRecord, _desk: JobContext, signal: AbortSignal): Promise<JsonValue> {
    const validation = await this.#deps.validationStore.find(getValidationId(job));
    if (!validation) throw validationNotFound(getValidationId(job));
    const evidence = await this.#try(validation, signal);
    await this.#deps.validationStore.finish(validation.id, evidence);
    return { result: toVerdict(validation, evidence) };
  }

  async #try(validation: Validation, signal: AbortSignal): Promise<Evidence> {
    const { on } = computePlan(validation);
    const texts = on.source === 'samples' ? on : { input: null, output: null };
    const ms = this.#deps.trialLimits.candidate_ms;
    const late = AbortSignal.timeout(ms);
    try {
      return await tryOnSamples(this.#deps, toCandidate(validation), texts, AbortSignal.any([signal, late]));
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) return this.#refused(validation, new DeadlineExceeded(ms));
      if (!(error instanceof PluginError) || error.retryable) throw error;
      return this.#refused(validation, error);
    }
  }

  /** A candidate that cannot judge at all. */
  #refused({ kind, definition }: Validation, { message }: Error): Evidence {
    const { sha256, clock } = this.#deps;
    const tally = new Tally(sha256);
    tally.add('', 'failed', { node_type: 'trace', record_id: null, score: null, message });
    const definition_hash = definitionHash(kind, definition, sha256);
    return tally.evidence({ verdict: 'invalid', definition_hash, elapsed_ms: 0, finished_at: clock().toISOString() });
  }
}
