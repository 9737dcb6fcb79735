import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Log } from '../../core/kernel/ports.ts';
import { type BackupVerification, keepBackupVerification } from '../storage/backup-verification.ts';
import { BackupVerifier, backupGauges } from './backup-verifier.ts';

const HOUR_MS = 3_600_000;
const STARTED = Date.parse('2026-11-25T00:00:00.000Z');

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'touchstone-verifier-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const verified = (result: BackupVerification['result'], hours: number): BackupVerification => ({
  result,
  backup: '/backups/one',
  made_at: '2026-11-24T00:00:00.000Z',
  version: '0.1.0',
  started_at: new Date(STARTED + hours * HOUR_MS).toISOString(),
  finished_at: new Date(STARTED + hours * HOUR_MS).toISOString(),
  tables: 3,
  rows: 7,
  faults: result === 'good' ? [] : ['table projects is gone'],
  last_good: { backup: '/backups/one', made_at: '2026-11-24T00:00:00.000Z', finished_at: '2026-11-24T01:00:00.000Z' },
});

/** A verifier at whose clock somebody turns; its verifications end as the test says, and are kept. */
function openVerifier() {
  const logged: string[] = [];
  const line = (level: string) => (message: string, fields?: object) =>
    logged.push(`${level}: ${message} ${JSON.stringify(fields)}`);
  const log: Log = { info: line('info'), warn: line('warn'), error: line('error') };
  const at = { hours: 0 };
  const runs: number[] = [];
  const next: { result: BackupVerification['result'] | undefined } = { result: 'good' };
  const verifier = new BackupVerifier({
    ...{ dataDir, log, folder: '/backups', hours: 24 },
    clock: () => new Date(STARTED + at.hours * HOUR_MS),
    verify: async () => {
      runs.push(at.hours);
      if (next.result === undefined) return { code: 2, errors: 'another verification is under way' };
      await keepBackupVerification(dataDir, verified(next.result, at.hours));
      return { code: { good: 0, bad: 1, not_verified: 2 }[next.result], errors: '' };
    },
  });
  const lookAt = async (hours: number) => {
    at.hours = hours;
    await verifier.work(new AbortController().signal);
  };
  return { runs, next, logged, lookAt };
}

describe('the verifier of backups', () => {
  it('verifies at once, then whenever the last one is old enough, by whomever it was made', async () => {
    const { runs, logged, lookAt } = openVerifier();
    for (const hours of [0, 1, 23, 24, 30]) await lookAt(hours);
    expect(runs).toEqual([0, 24]);
    await keepBackupVerification(dataDir, verified('good', 40));
    for (const hours of [48, 63, 64]) await lookAt(hours);
    expect(runs).toEqual([0, 24, 64]);
    expect(logged).toHaveLength(3);
    expect(logged[0]).toMatch(/^info: the newest backup is good .*\/backups\/one/);
  });

  it('logs what is bad about a backup, and waits as long for the next', async () => {
    const { runs, next, logged, lookAt } = openVerifier();
    next.result = 'bad';
    for (const hours of [0, 2, 24]) await lookAt(hours);
    expect(runs).toEqual([0, 24]);
    expect(logged[0]).toMatch(/^error: the newest backup is bad .*table projects is gone/);
  });

  it.each([['not_verified'], [undefined]] as const)('tries again after an hour what could not be tried (%s)', async (result) => {
    const { runs, next, logged, lookAt } = openVerifier();
    next.result = result;
    for (const hours of [0, 0.5, 1, 1.5]) await lookAt(hours);
    expect(runs).toEqual([0, 1]);
    expect(logged[0]).toMatch(/^error: the newest backup could not be verified/);
  });
});

describe('the figures of verifications', () => {
  const read = async () => Promise.all(backupGauges(dataDir).map(async (gauge) => gauge.read()));

  it('are no numbers before the first one, and then those of the last', async () => {
    expect(await read()).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    await keepBackupVerification(dataDir, verified('bad', 2));
    expect(await read()).toEqual([0, STARTED / 1000 + 7200, Date.parse('2026-11-24T00:00:00.000Z') / 1000]);
    await keepBackupVerification(dataDir, verified('good', 3));
    expect((await read())[0]).toBe(1);
  });
});
