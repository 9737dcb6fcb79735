import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { GaugeSource } from '../../adapters/http/metrics.ts';
import type { Clock, Log } from '../../core/kernel/ports.ts';
import { type BackupVerification, readBackupVerification } from '../storage/backup-verification.ts';
import type { BackgroundWork } from './background-loop.ts';

const COMMAND = fileURLToPath(new URL('../../cli/touchstone.js', import.meta.url));
const HOUR_MS = 3_600_000;
/** How soon it is tried again when it could not be tried, or was broken off. */
const AGAIN_MS = HOUR_MS;
const LOOK_MS = 30_000;
/** How long a verification has to take away what it made once it is asked to end. */
const END_MS = 8_000;
/** Characters of what a verification wrote to its standard error that are logged. */
const MOST_LOGGED = 2_000;

export interface BackupVerifierSettings {
  readonly dataDir: string;
  readonly folder: string;
  readonly hours: number;
  readonly log: Log;
  readonly clock?: Clock;
  /** Has a folder verified; by the command in a process of its own unless given. */
  readonly verify?: (folder: string, signal: AbortSignal) => Promise<EndedVerification>;
}

export interface EndedVerification {
  /** Exit code; null where a signal ended it. */
  readonly code: number | null;
  /** The end of what it wrote to its standard error. */
  readonly errors: string;
}

/**
 * Has the newest backup of a folder verified whenever the last verification is old enough. The work is that of the command
 * `touchstone backup --verify`, in a process of its own: restoring takes processor time and memory that requests would miss.
 */
export class BackupVerifier implements BackgroundWork {
  readonly name = 'verify backups';
  readonly idleDelayMs = LOOK_MS;
  readonly #settings: BackupVerifierSettings;
  readonly #clock: Clock;
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(settings: BackupVerifierSettings) {
    this.#settings = settings;
    this.#clock = settings.clock ?? (() => new Date());
  }

  async work(signal: AbortSignal): Promise<boolean> {
    if (!this.#isDue(await readBackupVerification(this.#settings.dataDir))) return false;
    this.#triedAt = this.#clock().getTime();
    const { dataDir, folder, hours, verify = runCommand } = this.#settings;
    const ended = await verify(folder, AbortSignal.any([signal, AbortSignal.timeout(hours * HOUR_MS)]));
    if (!signal.aborted) this.#tell(ended, await readBackupVerification(dataDir));
    return false;
  }

  #isDue(last: BackupVerification | undefined): boolean {
    const now = this.#clock().getTime();
    if (now < this.#triedAt + AGAIN_MS) return false;
    if (last === undefined) return true;
    const pauseMs = last.result === 'not_verified' ? AGAIN_MS : this.#settings.hours * HOUR_MS;
    return now >= Date.parse(last.finished_at) + pauseMs;
  }

  #tell({ code, errors }: EndedVerification, last: BackupVerification | undefined): void {
    const { log, folder } = this.#settings;
    const about = { folder, backup: last?.backup, made_at: last?.made_at, faults: last?.faults };
    if (code === 0) log.info('the newest backup is good', about);
    else if (code === 1) log.error('the newest backup is bad', about);
    else log.error('the newest backup could not be verified', { folder, code, why: errors.trim() || last?.faults.join('; ') });
  }
}

/** Settings are those of this process, by its environment. */
async function runCommand(folder: string, signal: AbortSignal): Promise<EndedVerification> {
  const child = spawn(process.execPath, [COMMAND, 'backup', '--verify', folder], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-MOST_LOGGED);
  });
  const ended = Promise.withResolvers<number | null>();
  child.once('error', ended.reject).once('close', ended.resolve);
  let killing: NodeJS.Timeout | undefined;
  const end = () => {
    child.kill('SIGTERM');
    killing = setTimeout(() => child.kill('SIGKILL'), END_MS);
  };
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  try {
    return { code: await ended.promise, errors };
  } finally {
    signal.removeEventListener('abort', end);
    clearTimeout(killing);
  }
}

/** Figures of the last verification of a data folder; not a number as long as there is none, which no alarm fires for. */
export const backupGauges = (dataDir: string): GaugeSource[] => {
  const figure = (pick: (last: BackupVerification) => string | number | undefined) => async (): Promise<number> => {
    const last = await readBackupVerification(dataDir);
    const value = last && pick(last);
    return typeof value === 'string' ? Date.parse(value) / 1000 : (value ?? Number.NaN);
  };
  return [
    {
      name: 'touchstone_backup_verification_success',
      help: 'Whether the last verification found a backup good: 1, or 0 when it is bad or could not be verified.',
      read: figure(({ result }) => (result === 'good' ? 1 : 0)),
    },
    {
      name: 'touchstone_backup_verification_timestamp_seconds',
      help: 'When the last verification of a backup ended.',
      read: figure(({ finished_at }) => finished_at),
    },
    {
      name: 'touchstone_good_backup_timestamp_seconds',
      help: 'When the newest backup that was found good was made.',
      read: figure(({ last_good }) => last_good?.made_at),
    },
  ];
};
