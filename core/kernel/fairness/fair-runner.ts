import { FairShare, type FairShareSettings } from './fair-share.ts';

/** Work of several owners, each piece to be done once. */
export interface FairWork {
  /** Owners that have something to do now, the one that waits longest first. */
  owners(): Promise<readonly string[]>;
  /** Takes a piece of the owner and returns what does it; undefined when there is none any more. */
  take(owner: string): Promise<(() => Promise<void>) | undefined>;
}

/** How often there is a look for work while some is under way, in milliseconds. */
const LOOK_EVERY_MS = 2_000;

/** Does work of several owners with bounded concurrency, the owners in turns, so that a piece that hangs holds up no other owner. */
export class FairRunner {
  readonly #share: FairShare;

  constructor(settings: FairShareSettings, now: () => number) {
    this.#share = new FairShare(settings, now);
  }

  /**
   * Resolves when there is nothing to do and nothing under way. Begins nothing once the signal is aborted. Rejects with the first
   * failure, when all that was begun has ended.
   */
  async run(work: FairWork, signal: AbortSignal): Promise<void> {
    const underWay = new Set<Promise<void>>();
    const failures: unknown[] = [];
    const begin = (owner: string, piece: () => Promise<void>): void => {
      const release = this.#share.begin(owner);
      const ended = piece()
        .catch((error: unknown) => void failures.push(error))
        .finally(() => {
          release();
          underWay.delete(ended);
        });
      underWay.add(ended);
    };
    try {
      for (;;) {
        if (!signal.aborted && failures.length === 0) await this.#fill(work, begin);
        if (underWay.size === 0) break;
        await firstOf(underWay);
      }
    } finally {
      await Promise.all(underWay);
    }
    if (failures.length > 0) throw failures[0];
  }

  async #fill(work: FairWork, begin: (owner: string, piece: () => Promise<void>) => void): Promise<void> {
    if (this.#share.free === 0) return;
    const owners = new Set(await work.owners());
    for (let owner = this.#share.pick(owners); owner !== undefined; owner = this.#share.pick(owners)) {
      const piece = await work.take(owner);
      if (piece) begin(owner, piece);
      else owners.delete(owner);
    }
  }
}

async function firstOf(underWay: ReadonlySet<Promise<void>>): Promise<void> {
  const look = Promise.withResolvers<void>();
  const timer = setTimeout(look.resolve, LOOK_EVERY_MS);
  await Promise.race([...underWay, look.promise]);
  clearTimeout(timer);
}
