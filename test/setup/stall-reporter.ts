import { readFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Longer than any test may take by its own limit: without an end of any of them for so long, none will come. */
const STALL_MS = 12 * 60_000;

/**
 * Ends workers that hang where no limit of a test reaches: in a loop without a pause, or while a file is loaded. Names the
 * files that were under way; the run then goes on, and these files have failed.
 */
export default class StallReporter implements Reporter {
  readonly #underWay = new Map<string, string>();
  readonly #stallMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor({ stallMs = STALL_MS }: { readonly stallMs?: number } = {}) {
    this.#stallMs = stallMs;
  }

  onTestModuleQueued({ id, relativeModuleId }: TestModule): void {
    this.#underWay.set(id, relativeModuleId);
    this.#wait();
  }

  onTestCaseResult(): void {
    this.#wait();
  }

  onTestModuleEnd({ id }: TestModule): void {
    this.#underWay.delete(id);
    this.#wait();
  }

  onTestRunEnd(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#endStalled(), this.#stallMs).unref();
  }

  #endStalled(): void {
    const files = [...this.#underWay.values()].join(', ');
    process.stdout.write(`stalled: no test has ended for ${this.#stallMs / 1000} s: ${files}\n`);
    for (const pid of workerPids()) process.kill(pid, 'SIGKILL');
    this.#wait();
  }
}

/** The processes in which this run's tests are; none where the system has no `/proc`. */
function workerPids(): number[] {
  const isWorker = (pid: string): boolean => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('vitest/dist/workers/forks');
  try {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ');
    return children.filter((pid) => pid !== '' && isWorker(pid)).map(Number);
  } catch {
    return [];
  }
}
