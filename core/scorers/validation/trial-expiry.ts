import type { Clock, Log, Transactions } from '../../kernel/ports.ts';
import type { ProjectStore } from '../../projects/project-store.ts';
import type { RunRecords } from '../../projects/run-records.ts';
import type { ValidationStore } from './validation-store.ts';

export interface TrialExpiryDeps {
  readonly validationStore: ValidationStore;
  readonly projectStore: ProjectStore;
  readonly runRecords: RunRecords;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly log: Log;
}

const KEPT_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
const AT_ONCE = 20;

/** Removes the runs of trials that are over for long, and trials that led to no version. What led to one stays. */
export class TrialExpiry {
  readonly #deps: TrialExpiryDeps;

  constructor(deps: TrialExpiryDeps) {
    this.#deps = deps;
  }

  /** Some at a time. Returns how many there were, and whether more may be waiting. */
  async run(): Promise<{ readonly removed: number; readonly more: boolean }> {
    const { validationStore, projectStore, runRecords, transactions, clock, log } = this.#deps;
    const before = new Date(clock().getTime() - KEPT_DAYS * DAY_MS).toISOString();
    const old = await validationStore.listWithRunBefore(before, AT_ONCE);
    for (const { id, project_id, run_id } of old) {
      await transactions.run(async () => {
        if (project_id !== null && run_id !== null) {
          await projectStore.removeRun(project_id, 'metrics_testing', run_id);
          await runRecords.removeAll(project_id, run_id);
        }
        await validationStore.forgetRun(id);
      });
    }
    await validationStore.removeUnusedBefore(before);
    if (old.length > 0) log.info('runs of trials expired', { runs: old.length });
    return { removed: old.length, more: old.length === AT_ONCE };
  }
}
