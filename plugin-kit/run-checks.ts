import { setTimeout as sleep } from 'node:timers/promises';
import type { Check, CheckList } from './check.ts';

export interface CheckResult {
  readonly name: string;
  /** What was wrong; undefined when nothing was. */
  readonly failure: string | undefined;
}

const LIMIT_MS = 10_000;

/** Runs checks one after the other, each in limited time. */
export async function runChecks({ checks, open, reset, close }: CheckList): Promise<CheckResult[]> {
  const verdicts: CheckResult[] = [];
  await open();
  for (const check of checks) {
    reset();
    verdicts.push({ name: check.name, failure: await failureIn(check) });
  }
  await close();
  return verdicts;
}

async function failureIn({ run }: Check): Promise<string | undefined> {
  const inTime = new AbortController();
  const late = sleep(LIMIT_MS, undefined, { signal: inTime.signal }).then(() => `took more than ${LIMIT_MS / 1000} s`);
  try {
    return await Promise.race([Promise.resolve(run()).then(() => undefined), late]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    inTime.abort();
    late.catch(() => {});
  }
}
