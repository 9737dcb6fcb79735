import { AppError } from '../kernel/errors.ts';
import { PluginError, type PluginFailure } from '../plugin-sdk/index.ts';

const RETRY_SECONDS = 5;

/** What users are told. Nothing of the far side's reply: whoever may give addresses must not read by them. */
const WORDS: Readonly<Record<PluginFailure, string>> = {
  credentials_rejected: 'the provider refused the credentials',
  rate_limited: 'the provider asks to be left alone for a while',
  unavailable: 'the provider could not be reached, or did not answer in time',
  bad_reply: 'the provider answered something that cannot be read',
  unsupported: 'the provider does not take this call, or its address may not be called',
};

export const wordsFor = ({ failure }: PluginError): string => WORDS[failure];

/** A plugin throws only PluginErrors; what else comes out of a call is the end of the time that it had. */
export const asPluginError = (error: unknown): PluginError =>
  error instanceof PluginError ? error : new PluginError('unavailable', 'the call failed', { cause: error });

/** What a request answers that cannot do without the provider. */
export function providerFailure(error: PluginError): AppError {
  if (error.failure === 'credentials_rejected' || error.failure === 'unsupported')
    return new AppError('unusable', 'provider_refused', wordsFor(error), { cause: error });
  const retryAfterSeconds = Math.ceil(error.retry_after_seconds ?? RETRY_SECONDS);
  return new AppError('unavailable', 'provider_unavailable', wordsFor(error), { cause: error, retryAfterSeconds });
}
