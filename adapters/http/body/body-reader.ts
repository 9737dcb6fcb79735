import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../core/kernel/errors.ts';
import { FairBudget, type Hold, type Party } from '../../../core/kernel/fairness/fair-budget.ts';
import { findJsonExcess, type JsonBounds, type JsonExcess } from '../../../core/kernel/json-scan.ts';
import { collectBody } from './collect-body.ts';
import { EventLoopScheduler } from './event-loop-scheduler.ts';
import { SlowBodies, type SlowBodyLimits } from './slow-body.ts';

export interface BodyReaderSettings {
  /** Bytes of request bodies, received and inflated, that may be in memory at once; more is refused with 503. */
  readonly maxBytesInFlight: number;
  readonly slowBodyLimits?: SlowBodyLimits | undefined;
}

/** Who sends a body: a user who has shown credentials, or somebody of whom nothing is known but the network. */
export interface Sender {
  readonly user_id: string | undefined;
  readonly network: string;
}

export interface HeldBody<T> {
  readonly body: T;
  /**
   * Frees the bytes that the body held. To be called when the body is not needed any more. To be called when the body
   * is not needed any more.
   */
  release(): void;
}

const KIBIBYTE = 1024;
/** In bytes. Each thing that is done with such a body takes long enough for others to have their turn before the next one. */
export const LARGE_BODY = 256 * KIBIBYTE;
/** Bodies of people without credentials are logins: small, and sent at once. */
const MAX_ANONYMOUS_BODY = 64 * KIBIBYTE;
const MAX_ANONYMOUS_TOTAL = 8 * 1024 * KIBIBYTE;
const ANONYMOUS_PART = 16;
const BODY_MS = 60_000;
const ANONYMOUS_BODY_MS = 10_000;
/** A network may be many people: three quarters of all, where one user is let have half. */
const NETWORK_WEIGHT = 3;

/**
 * Admission control of request bodies: bounded in bytes after inflating, bounded in sum with a fair share for each user and
 * network, valid UTF-8, shallow enough to be walked, with no more names and values than are worked on at once. What counts is what has come, not what was announced; who has shown no
 * credentials shares a small budget apart. JSON.parse alone would accept millions of nested arrays, and broken UTF-8 as
 * replacement characters.
 */
export class BodyReader {
  readonly slowBodies: SlowBodies;
  readonly #scheduler = new EventLoopScheduler();
  readonly #known: FairBudget;
  readonly #anonymous: FairBudget;
  /**
   * Bytes that each user has announced of the bodies under way. They count against nobody but themselves. It counts
   * against nobody but themselves.
   */
  readonly #announced = new Map<string, number>();

  constructor(settings: BodyReaderSettings) {
    const total = settings.maxBytesInFlight;
    this.slowBodies = new SlowBodies(settings.slowBodyLimits);
    this.#known = new FairBudget(total);
    this.#anonymous = new FairBudget(Math.min(MAX_ANONYMOUS_TOTAL, Math.ceil(total / ANONYMOUS_PART)));
  }

  get bytesInFlight(): number {
    return this.#known.held + this.#anonymous.held;
  }

  /**
   * Throws when a body as long as this one says would be refused by `read` now, whoever sent it: a flood is refused before
   * anything is done for it. Not for forms with files: those may be meant for the disk.
   */
  admit(req: IncomingMessage): void {
    if (this.#known.held === 0 || this.#known.fits([], announcedBytes(req))) return;
    if (!/^multipart\//i.test(req.headers['content-type'] ?? '')) throw overloaded();
  }

  /** Reads a body whole and waits until it may be worked on. */
  async read(req: IncomingMessage, maxBytes: number, sender: Sender): Promise<HeldBody<Buffer>> {
    const held = await this.#held(req, maxBytes, sender, (grow, { signal }) => collectBody(req, grow, signal));
    await this.#scheduler.mine();
    return held;
  }

  /** Holds the bytes of a body that was read by other means, until what this returns is called; waits until it may be worked on. */
  async hold(sender: Sender, bytes: number): Promise<() => void> {
    const { budget, parties } = this.#termsFor(sender, bytes);
    const hold = budget.open(parties);
    if (!hold.grow(bytes)) throw overloaded();
    await this.#scheduler.mine();
    return () => hold.release();
  }

  /** Holds the bytes of a body that `work` reads into memory by itself, until `signal` is aborted. */
  count<T>(
    req: IncomingMessage,
    maxBytes: number,
    sender: Sender,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<HeldBody<T>> {
    return this.#held(req, maxBytes, sender, async (grow, stop) => {
      let size = 0;
      const take = (chunk: Buffer): void => {
        size += chunk.length;
        try {
          grow(size);
        } catch (error) {
          stop.abort(error);
        }
      };
      req.on('data', take);
      try {
        return await work(stop.signal);
      } finally {
        req.off('data', take);
      }
    });
  }

  async #held<T>(
    req: IncomingMessage,
    maxBytes: number,
    sender: Sender,
    work: (grow: (size: number) => void, stop: AbortController) => Promise<T>,
  ): Promise<HeldBody<T>> {
    const { budget, parties, limitBytes, limitMs } = this.#termsFor(sender, maxBytes);
    const announced = announcedBytes(req);
    if (announced > limitBytes) throw tooLarge(limitBytes);
    if (budget === this.#known && !budget.fits(parties, announced)) throw overloaded();
    const withdraw = this.#announce(sender, announced);
    const stop = new AbortController();
    const hold = budget.open(parties, budget === this.#anonymous ? () => stop.abort(overloaded()) : undefined);
    const release = once(() => {
      withdraw();
      hold.release();
    });
    try {
      const grow = growing(hold, limitBytes);
      const body = await this.slowBodies.during(req, stop, limitMs, () => work(grow, stop));
      hold.settle();
      return { body, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Of many bodies that one user sends at once those are read that have room, instead of a part of each. */
  #announce({ user_id }: Sender, bytes: number): () => void {
    if (user_id === undefined || bytes === 0) return () => {};
    const before = this.#announced.get(user_id) ?? 0;
    if (before + bytes > this.#known.total / 2) throw overloaded();
    this.#announced.set(user_id, before + bytes);
    return () => {
      const left = this.#announced.get(user_id)! - bytes;
      if (left > 0) this.#announced.set(user_id, left);
      else this.#announced.delete(user_id);
    };
  }

  /** Nobody can ever hold more than half, so a larger body is too large rather than one to come again with. */
  #termsFor({ user_id, network }: Sender, maxBytes: number) {
    if (user_id === undefined) {
      const parties: Party[] = [{ name: network, weight: 1 }];
      const limitBytes = Math.min(maxBytes, MAX_ANONYMOUS_BODY, Math.floor(this.#anonymous.total / 2));
      return { budget: this.#anonymous, parties, limitBytes, limitMs: ANONYMOUS_BODY_MS };
    }
    const user = { name: `user ${user_id}`, weight: 1 };
    const parties: Party[] = [user, { name: `network ${network}`, weight: NETWORK_WEIGHT }];
    return { budget: this.#known, parties, limitBytes: Math.min(maxBytes, Math.floor(this.#known.total / 2)), limitMs: BODY_MS };
  }

  /** Parses JSON text, after the checks that JSON.parse does not make; of a large one with a turn for others in between. */
  async parseJson(bytes: Buffer, bounds: JsonBounds): Promise<unknown> {
    if (!isUtf8(bytes)) throw invalid('body_not_utf8', 'the body is not valid UTF-8');
    const excess = findJsonExcess(bytes, bounds);
    if (excess) throw beyond(excess, bounds);
    if (bytes.length > LARGE_BODY) await nextTurn();
    try {
      return JSON.parse(bytes.toString('utf8'));
    } catch (error) {
      throw invalid('json_invalid', error instanceof Error ? error.message.slice(0, 200) : 'not JSON');
    }
  }
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

const announcedBytes = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0);

const growing =
  (hold: Hold, limitBytes: number) =>
  (size: number): void => {
    if (size > limitBytes) throw tooLarge(limitBytes);
    if (!hold.grow(size)) throw overloaded();
  };

const tooLarge = (maxBytes: number): AppError =>
  new AppError('too_large', 'body_too_large', `the body is larger than ${maxBytes} bytes`);

const overloaded = (): AppError =>
  new AppError('unavailable', 'overloaded', 'too many request bytes are in flight', { retryAfterSeconds: 1 });

function beyond(excess: JsonExcess, { maxDepth, maxNames, maxValues, maxForms }: JsonBounds): AppError {
  if (excess === 'depth') return invalid('body_too_deep', `the body nests deeper than ${maxDepth} levels`);
  const what = {
    names: `an object of more than ${maxNames} names`,
    values: `more than ${maxValues} values`,
    forms: `more than ${maxForms} different names, or the same ones in as many orders`,
  };
  return invalid('body_too_many_values', `the body has ${what[excess]}`);
}

const invalid = (code: string, msg: string): AppError =>
  new AppError('invalid', code, msg, { issues: [{ loc: ['body'], msg, type: code }] });
