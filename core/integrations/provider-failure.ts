import { AppError } from '../kernel/errors.ts';
import { type ModelParameter, PluginError, type PluginFailure } from '../plugin-sdk/index.ts';

const RETRY_SECONDS = 5;

/**
 * Messages for users. They hold nothing of the provider's reply: whoever may give URLs must not read by them. Nothing
 * of the provider's reply: whoever may give URLs must not read by them.
 */
const WORDS: Readonly<Record<PluginFailure, string>> = {
  credentials_rejected: 'the provider refused the credentials',
  rate_limited: 'the provider asks to be left alone for a while',
  unavailable: 'the provider could not be reached, or did not answer in time',
  bad_reply: 'the provider answered something that cannot be read',
  unsupported: 'the provider does not take this call, or its URL may not be called',
};

/** The circuit breaker of an integration is open: the call was not made, nor any other for now. */
export class CircuitOpenError extends PluginError {
  readonly retryAfterMs: number;
  /** Message for users. */
  readonly reason: string;

  constructor(provider: string, retryAfterMs: number) {
    const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
    const reason = `did not answer several calls in a row, and is not called for another ${seconds} s`;
    super('unavailable', `${provider}: ${reason}`, { retry_after_seconds: seconds });
    this.retryAfterMs = retryAfterMs;
    this.reason = `the provider ${reason}`;
  }
}

/** A call that was not made because nobody knows what it would cost. The message is for users. */
export class UnpricedModelError extends PluginError {
  constructor(model: string) {
    super('unsupported', `the price of the model "${model}" is not known, and calls of models without a price are forbidden`);
  }
}

/** A call that was not made because a budget is spent. The message is for users. */
export class BudgetSpentError extends PluginError {
  constructor(message: string) {
    super('unsupported', message);
  }
}

/** A call that was not made because the provider has no way to send a part of it. The message is for users. */
export class UnsupportedPartError extends PluginError {
  constructor(message: string) {
    super('unsupported', message);
  }
}

export function wordsFor(error: PluginError): string {
  if (error instanceof CircuitOpenError) return error.reason;
  const isOurs =
    error instanceof UnpricedModelError || error instanceof BudgetSpentError || error instanceof UnsupportedPartError;
  if (isOurs) return error.message;
  return error.parameter ? notTaken('model', error.parameter) : WORDS[error.failure];
}

/** The message for users of a call that is not made without a parameter. */
export const notTaken = (who: 'model' | 'provider', parameter: ModelParameter): string =>
  `the ${who} does not take the parameter "${parameter}"${who === 'model' ? ', or not with this value or beside the others' : ', or not as it is set up'}`;

/** The failure of a request that the provider, or a rule of ours, refused for good. */
export function toRefusal(error: PluginError): AppError {
  if (error instanceof BudgetSpentError) return new AppError('bad_request', 'budget_spent', error.message, { cause: error });
  return error instanceof UnpricedModelError
    ? new AppError('bad_request', 'model_unpriced', wordsFor(error), { cause: error })
    : new AppError('bad_request', 'provider_refused', wordsFor(error), { cause: error });
}

/** A plugin throws only PluginErrors; what else comes out of a call is the end of the time that it had. */
export const asPluginError = (error: unknown): PluginError =>
  error instanceof PluginError ? error : new PluginError('unavailable', 'the call failed', { cause: error });

/** The failure of a request that cannot do without the provider. */
export function providerFailure(error: PluginError): AppError {
  if (error.failure === 'credentials_rejected' || error.failure === 'unsupported') return toRefusal(error);
  const retryAfterSeconds = Math.ceil(error.retry_after_seconds ?? RETRY_SECONDS);
  return new AppError('unavailable', 'provider_unavailable', wordsFor(error), { cause: error, retryAfterSeconds });
}
