import type { JobRecord } from '../../jobs/job.ts';
import type { JobDesk, JobHandler } from '../../jobs/job-handler.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { PluginError } from '../../plugin-sdk/index.ts';
import { refusalOf } from '../versions/source-file.ts';
import { candidateOf, planOf, validationIdOf, validationNotFound } from './plan.ts';
import { definitionHash, type SampleTrialDeps, tryOnSamples } from './sample-trial.ts';
import { Tally } from './tally.ts';
import { verdictOf } from './task-result.ts';
import type { Evidence, Validation } from './validation.ts';
import type { ValidationStore } from './validation-store.ts';

export const SAMPLE_TRIALS = { registered: 'registered_scorer_validation', generated: 'generated_scorer_validation' } as const;

export interface SampleJobDeps extends SampleTrialDeps {
  readonly validationStore: ValidationStore;
}

/** Tries a candidate on one record of each type that it scores. */
export class SampleTrialJob implements JobHandler {
  readonly job_name: string;
  readonly #deps: SampleJobDeps;

  constructor(deps: SampleJobDeps, kind: keyof typeof SAMPLE_TRIALS) {
    this.#deps = deps;
    this.job_name = SAMPLE_TRIALS[kind];
  }

  async run(job: JobRecord, _desk: JobDesk, signal: AbortSignal): Promise<JsonValue> {
    const validation = await this.#deps.validationStore.find(validationIdOf(job));
    if (!validation) throw validationNotFound(validationIdOf(job));
    const evidence = await this.#try(validation, signal);
    await this.#deps.validationStore.finish(validation.id, evidence);
    return { result: verdictOf(validation, evidence) };
  }

  async #try(validation: Validation, signal: AbortSignal): Promise<Evidence> {
    const { on } = planOf(validation);
    const texts = on.source === 'samples' ? on : { input: null, output: null };
    try {
      const evidence = await tryOnSamples(this.#deps, candidateOf(validation), texts, signal);
      return { ...evidence, errors: evidence.errors.map((error) => inWords(validation, error)) };
    } catch (error) {
      if (!(error instanceof PluginError) || error.retryable) throw error;
      return this.#refused(validation, error);
    }
  }

  /** A candidate that cannot judge at all. */
  #refused({ kind, definition }: Validation, { message }: PluginError): Evidence {
    const { sha256, clock } = this.#deps;
    const tally = new Tally(sha256);
    tally.add('', 'failed', { node_type: 'trace', record_id: null, score: null, message });
    const definition_hash = definitionHash(kind, definition, sha256);
    return tally.evidence({ verdict: 'invalid', definition_hash, elapsed_ms: 0, finished_at: clock().toISOString() });
  }
}

function inWords({ kind, definition }: Pick<Validation, 'kind' | 'definition'>, error: string): string {
  return kind === 'registered' ? refusalOf(definition.source, error) : error;
}
