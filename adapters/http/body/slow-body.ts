import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { AppError } from '../../../core/kernel/errors.ts';

export interface SlowBodyLimits {
  /** How often senders are looked at. */
  readonly tickMs: number;
  /** So many ticks make a window, in each of which a sender who is listened to has to send `minBytes`. */
  readonly windowTicks: number;
  readonly minBytes: number;
}

/** 1 KiB/s over ten seconds: less than any line in use, and more than it costs nothing to keep up. */
export const SLOW_BODY_LIMITS: SlowBodyLimits = { tickMs: 1_000, windowTicks: 10, minBytes: 10 * 1024 };

interface Watched {
  readonly req: IncomingMessage;
  cutOff(): void;
  ticks: number;
  bytes: number;
}

/**
 * Cuts off slow and silent senders (slowloris): a body has to make progress, and to be there within its time. Only ticks in
 * which we wait for the sender count, so neither our own back-pressure nor a busy event loop is held against anybody.
 */
export class SlowBodies {
  readonly #limits: SlowBodyLimits;
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: SlowBodyLimits = SLOW_BODY_LIMITS) {
    this.#limits = limits;
  }

  /**
   * Does the work that reads a body, which has to end when `stop` is aborted. That is done with AppError `timeout` when
   * the sender is too slow, or not done after `limitMs`.
   */
  async during<T>(req: IncomingMessage, stop: AbortController, limitMs: number, work: () => Promise<T>): Promise<T> {
    const cutOff = (): void => stop.abort(tooSlow());
    const timer = setTimeout(cutOff, limitMs);
    const forget = this.#watch(req, cutOff);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      forget();
    }
  }

  /** Sees to it that what is left of a body after the reply does not keep its connection for long either. */
  afterReply(): RequestHandler {
    return (req, res, next) => {
      if (hasBody(req)) res.once('finish', () => void this.#watch(req, () => req.socket.destroy()));
      next();
    };
  }

  #watch(req: IncomingMessage, cutOff: () => void): () => void {
    const one: Watched = { req, cutOff, ticks: 0, bytes: req.socket.bytesRead };
    this.#watched.add(one);
    this.#timer ??= setInterval(() => this.#tick(), this.#limits.tickMs).unref();
    return () => this.#forget(one);
  }

  #tick(): void {
    const { windowTicks, minBytes } = this.#limits;
    for (const one of this.#watched) {
      const { complete, destroyed, readableFlowing, socket } = one.req;
      if (complete || destroyed) this.#forget(one);
      else if (readableFlowing) one.ticks += 1;
      if (one.ticks < windowTicks) continue;
      if (socket.bytesRead - one.bytes < minBytes) {
        this.#forget(one);
        one.cutOff();
      }
      one.ticks = 0;
      one.bytes = socket.bytesRead;
    }
  }

  #forget(one: Watched): void {
    this.#watched.delete(one);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const tooSlow = (): AppError => new AppError('timeout', 'body_too_slow', 'the body came too slowly');
