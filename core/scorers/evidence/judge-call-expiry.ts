import type { Clock } from '../../kernel/ports.ts';
import type { JudgeCallStore } from './judge-call-store.ts';

export interface JudgeCallExpiryDeps {
  readonly judgeCallStore: Pick<JudgeCallStore, 'removeKeptBefore'>;
  /** How long calls of models are kept with the scores that were made of them. */
  readonly judgeCallDays: number;
  readonly clock: Clock;
}

const DAY_MS = 86_400_000;
const REMOVED_AT_ONCE = 1_000;

/** Removes calls of models that were kept long enough; their scores stay. */
export class JudgeCallExpiry {
  readonly #deps: JudgeCallExpiryDeps;

  constructor(deps: JudgeCallExpiryDeps) {
    this.#deps = deps;
  }

  async run(): Promise<{ more: boolean }> {
    const { judgeCallStore, judgeCallDays, clock } = this.#deps;
    const before = new Date(clock().getTime() - judgeCallDays * DAY_MS).toISOString();
    const removed = await judgeCallStore.removeKeptBefore(before, REMOVED_AT_ONCE);
    return { more: removed === REMOVED_AT_ONCE };
  }
}
