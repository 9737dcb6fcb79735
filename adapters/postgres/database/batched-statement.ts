import { retryOnConflict } from './retry-on-conflict.ts';

export interface BatchSettings {
  /** Questions that one statement takes at most. */
  readonly maxAtOnce: number;
  /** Statements under way at once. */
  readonly lanes: number;
}

interface Waiting<Question, Reply> {
  readonly question: Question;
  settle(reply: Reply): void;
  fail(error: unknown): void;
}

const SETTINGS: BatchSettings = { maxAtOnce: 100, lanes: 2 };

/**
 * Request coalescing: what is asked while statements are under way is asked together by the next one. No timer: a lone question goes
 * at once. When a batch fails, its questions are asked one by one, so that a bad one fails alone. MUST NOT be used inside
 * a transaction: the statement may run for others.
 */
export class BatchedStatement<Question, Reply> {
  readonly #run: (questions: readonly Question[]) => Promise<readonly Reply[]>;
  readonly #settings: BatchSettings;
  readonly #waiting: Waiting<Question, Reply>[] = [];
  #underWay = 0;

  /** `run` returns a reply for each question, in their order. */
  constructor(run: (questions: readonly Question[]) => Promise<readonly Reply[]>, settings: BatchSettings = SETTINGS) {
    this.#run = run;
    this.#settings = settings;
  }

  ask(question: Question): Promise<Reply> {
    return new Promise((settle, fail) => {
      this.#waiting.push({ question, settle, fail });
      this.#dispatch();
    });
  }

  #dispatch(): void {
    while (this.#underWay < this.#settings.lanes && this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#settings.maxAtOnce);
      this.#underWay += 1;
      void this.#settle(batch).finally(() => {
        this.#underWay -= 1;
        this.#dispatch();
      });
    }
  }

  async #settle(batch: readonly Waiting<Question, Reply>[]): Promise<void> {
    try {
      const replies = await retryOnConflict(() => this.#run(batch.map(({ question }) => question)));
      for (const [at, { settle }] of batch.entries()) settle(replies[at]!);
    } catch (error) {
      if (batch.length === 1) batch[0]!.fail(error);
      else for (const one of batch) await this.#settle([one]);
    }
  }
}
