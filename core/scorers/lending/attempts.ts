import type { PluginError } from '../../plugin-sdk/index.ts';

export const MAX_TRIES = 4;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** Time and chance, which come from outside. */
export interface Patience {
  /** Rejects with the signal's reason when that is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 up to, not including, 1. */
  random(): number;
}

/**
 * How long to wait after a failed try, counted from 0: what the provider asks for; else a second, doubled with each try
 * and spread between half of that and all of it, so that calls that failed together do not come back together.
 */
export function waitAfter(
  tries: number,
  { retry_after_seconds }: Pick<PluginError, 'retry_after_seconds'>,
  random: number,
): number {
  if (retry_after_seconds !== undefined) return Math.min(retry_after_seconds * 1_000, LONGEST_WAIT_MS);
  return Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS) * (0.5 + random / 2);
}
