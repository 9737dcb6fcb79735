import { AppError } from '../kernel/errors.ts';
import { Id } from '../kernel/text.ts';
import type { RunContext } from './run-context.ts';

/** How requests name a run: exactly one of the three, which `getRunId` checks. */
export const runIdFields = { log_stream_id: Id.nullish(), experiment_id: Id.nullish(), metrics_testing_id: Id.nullish() };

export interface RunIds {
  readonly log_stream_id?: string | null | undefined;
  readonly experiment_id?: string | null | undefined;
  readonly metrics_testing_id?: string | null | undefined;
}

/** The run a request is about. Throws AppError `invalid` unless exactly one is named. */
export function getRunId({ log_stream_id, experiment_id, metrics_testing_id }: RunIds): string {
  const named = [log_stream_id, experiment_id, metrics_testing_id].filter((id) => typeof id === 'string');
  const [only] = named;
  if (named.length === 1 && only) return only;
  const msg = 'exactly one of log_stream_id, experiment_id, metrics_testing_id has to be given';
  throw new AppError('invalid', 'run_ambiguous', msg, {
    issues: [{ loc: ['body', 'log_stream_id'], msg, type: 'run_ambiguous' }],
  });
}

/** How replies name a run. */
export function getRunIds({ kind, run_id }: RunContext) {
  return {
    log_stream_id: kind === 'log_stream' ? run_id : null,
    experiment_id: kind === 'experiment' ? run_id : null,
    metrics_testing_id: kind === 'metrics_testing' ? run_id : null,
  };
}
