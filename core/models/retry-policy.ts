import type { PluginError } from '../plugin-sdk/index.ts';

/** Of one call, the first one included. */
export const MAX_ATTEMPTS = 4;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;

/** Time and chance, which come from outside. */
export interface RetryClock {
  /** Rejects with the signal's reason when that is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 up to, not including, 1. */
  random(): number;
}

/**
 * Exponential backoff with jitter: how long to wait, in milliseconds, after the failed attempt of this index, counted from 0. What
 * the provider asks for, and up to a second more; else a second, doubled with each attempt and spread between half of that
 * and all of it. So calls that failed together do not come back together.
 */
export function retryDelay(
  attempt: number,
  { retry_after_seconds }: Pick<PluginError, 'retry_after_seconds'>,
  random: number,
): number {
  if (retry_after_seconds !== undefined)
    return Math.min(retry_after_seconds * 1_000, MAX_DELAY_MS) + Math.round(random * FIRST_DELAY_MS);
  return Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS) * (0.5 + random / 2);
}
