import type { Clock, Log } from '../../kernel/ports.ts';
import type { CodeOutcome } from '../../plugin-sdk/index.ts';
import { type ModelUse, NO_PROJECT } from './scorer-kits.ts';
import { isStrike, MAX_STRIKES, type SuspensionReason, suspensionMessage } from './suspension.ts';
import type { SuspensionStore } from './suspension-store.ts';

export interface StrikesDeps {
  readonly suspensionStore: SuspensionStore;
  readonly clock: Clock;
  readonly log: Log;
}

type Refused = Extract<CodeOutcome, { kind: 'refused' }>;
type Use = Pick<ModelUse, 'project_id' | 'scorer_id' | 'scorer_version_id'>;

const MAX_KEPT = 10_000;

/**
 * Circuit breaker of scorer versions: counts records in a row in which a version ran out of time or memory in a project, and
 * switches it off there after `MAX_STRIKES`. Counted in this process; what is switched off is stored.
 */
export class Strikes {
  readonly #deps: StrikesDeps;
  readonly #inRow = new Map<string, number>();

  constructor(deps: StrikesDeps) {
    this.#deps = deps;
  }

  /** For the runs of one version in one job. */
  watch(use: Use): StrikeWatch {
    let verdict: Refused | undefined;
    let stored: Promise<unknown> | undefined;
    return {
      after: (outcome) => {
        if (!verdict && this.#count(use, outcome) >= MAX_STRIKES) {
          verdict = { kind: 'refused', message: suspensionMessage('message' in outcome ? outcome.message : outcome.kind) };
          stored = this.#suspend(use, outcome.kind as SuspensionReason, verdict.message);
        }
        return verdict;
      },
      settled: async () => void (await stored),
    };
  }

  #count(use: Use, outcome: CodeOutcome): number {
    const key = `${use.project_id} ${use.scorer_version_id}`;
    const strikes = isStrike(outcome) ? (this.#inRow.get(key) ?? 0) + 1 : 0;
    this.#inRow.delete(key);
    if (strikes > 0 && strikes < MAX_STRIKES) this.#inRow.set(key, strikes);
    if (this.#inRow.size > MAX_KEPT) this.#inRow.delete(this.#inRow.keys().next().value!);
    return strikes;
  }

  /** A trial on samples belongs to no project: its run ends, and nothing is left to switch off. */
  async #suspend({ project_id, scorer_id, scorer_version_id }: Use, reason: SuspensionReason, message: string): Promise<void> {
    const where = { project_id, scorer_id, scorer_version_id };
    this.#deps.log.warn('a scorer version is switched off', { ...where, reason });
    if (project_id === NO_PROJECT) return;
    const suspended_at = this.#deps.clock().toISOString();
    await this.#deps.suspensionStore.insert({ ...where, reason, message, suspended_at });
  }
}

export interface StrikeWatch {
  /** To be called with each outcome, in order. Returns what all records to come are told, once the version is switched off. */
  after(outcome: CodeOutcome): Refused | undefined;
  /** Until what was switched off is stored. */
  settled(): Promise<void>;
}
