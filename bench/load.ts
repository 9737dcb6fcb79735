import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { interruption } from './interruption.ts';
import type { LoadJob, LoadReport } from './load-job.ts';

const MAIN = join(import.meta.dirname, 'load-main.ts');
const GRACE_MS = 30_000;

/** The process that sends requests. */
export class Load {
  readonly #child: ChildProcess = fork(MAIN, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });

  constructor() {
    interruption.addEventListener('abort', () => this.stop());
  }

  /** Rejects when any request was not answered by 200. */
  async run(job: LoadJob): Promise<LoadReport> {
    const { promise, resolve, reject } = Promise.withResolvers<LoadReport>();
    const late = setTimeout(() => reject(new Error('the load process does not answer')), job.forMs + GRACE_MS);
    const lost = (): void => reject(new Error('the load process ended'));
    this.#child.once('message', (report) => resolve(report as LoadReport));
    this.#child.once('exit', lost);
    if (!this.#child.connected) lost();
    else this.#child.send(job);
    const report = await promise.finally(() => {
      clearTimeout(late);
      this.#child.off('exit', lost);
    });
    if (report.failure !== undefined) throw new Error(`a request failed: ${report.failure}`);
    return report;
  }

  stop(): void {
    this.#child.kill();
  }
}
