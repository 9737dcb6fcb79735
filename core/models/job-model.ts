import { asPluginError, CircuitOpenError } from '../integrations/provider-failure.ts';
import { Deferred } from '../kernel/work-queue.ts';
import type { PluginError } from '../plugin-sdk/index.ts';
import type { ModelUsage } from './model-call.ts';
import type { ModelGateway, OpenModel } from './model-gateway.ts';

/** How often a job is handed back before the failure is for good: a quarter of an hour with a circuit breaker that stays open. */
export const MAX_HANDED_BACK = 10;
/** When a provider is asked again that did not say which models it has. */
const UNREACHABLE_MS = 15_000;

interface Begun {
  /** How often the job was begun before. */
  readonly retries: number;
}

/**
 * Opens a model for a background job. As `ModelSession.open`, but what may pass without the job rejects with `Deferred`, by which
 * the job is handed back: an open circuit breaker, and a provider that does not say which models it has.
 */
export async function openForJob(
  modelGateway: Pick<ModelGateway, 'session'>,
  { usage, alias, job }: { readonly usage: ModelUsage; readonly alias: string; readonly job: Begun },
): Promise<OpenModel> {
  const model = await modelGateway
    .session()
    .open(usage, alias)
    .catch((error: unknown) => {
      const failure = asPluginError(error);
      throw failure.retryable ? handedBack(failure, job) : failure;
    });
  return {
    ask: (question, options) =>
      model.ask(question, options).catch((error: unknown) => {
        throw error instanceof CircuitOpenError ? handedBack(error, job) : error;
      }),
  };
}

function handedBack(failure: PluginError, { retries }: Begun): Error {
  if (retries >= MAX_HANDED_BACK) return failure;
  const delayMs = failure instanceof CircuitOpenError ? failure.retryAfterMs : UNREACHABLE_MS;
  return new Deferred(undefined, delayMs, failure.message);
}
