import { setTimeout as sleep } from 'node:timers/promises';
import type { Check, CheckList } from './check.ts';

export interface CheckResult {
  readonly name: string;
  /** Reason of the failure; undefined when there was none. */
  readonly failure: string | undefined;
}

/** How long one check may take. */
export const CHECK_LIMIT_MS = 10_000;

/** Runs checks one after the other, each in limited time, in this process: `checkApart` is for plugins that nobody knows. */
export async function runChecks({ checks, open, reset, close }: CheckList): Promise<CheckResult[]> {
  const verdicts: CheckResult[] = [];
  await open();
  for (const check of checks) {
    reset();
    verdicts.push({ name: check.name, failure: (await failureIn(check, CHECK_LIMIT_MS)).failure });
  }
  await close();
  return verdicts;
}

/** Returns the reason of a failure; undefined when there is none. `isLate`: the check did not end, and what it tries may still be at work. */
export async function failureIn(
  { run }: Check,
  limitMs: number,
): Promise<{ readonly failure: string | undefined; readonly isLate: boolean }> {
  const inTime = new AbortController();
  const late = sleep(limitMs, { failure: `took more than ${limitMs / 1000} s`, isLate: true }, { signal: inTime.signal });
  try {
    return await Promise.race([Promise.resolve(run()).then(() => ({ failure: undefined, isLate: false })), late]);
  } catch (error) {
    return { failure: (error instanceof Error ? error.message : String(error)) || 'failed', isLate: false };
  } finally {
    inTime.abort();
    late.catch(() => {});
  }
}
