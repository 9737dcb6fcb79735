/** A call did not end in time. Its name is that of the errors of `AbortSignal.timeout`. */
export class DeadlineExceeded extends Error {
  override readonly name = 'TimeoutError';

  constructor(ms: number) {
    super(`no answer within ${ms / 1_000} seconds`);
  }
}

export interface Deadline {
  /** How long the call may take; no limit but the signal where absent. */
  readonly ms?: number;
  /** Ends the call early. */
  readonly signal?: AbortSignal;
}

/**
 * Calls foreign code under a deadline. Settles as the call does, or rejects at the deadline (DeadlineExceeded) or on an abort (the
 * signal's reason), whether the call heeds the signal that it is handed or not. A call that throws before it returns a promise
 * rejects like any other. Whatever the call comes to afterwards is dropped: no promise is left without a handler, no timer and
 * no listener stays behind.
 */
export async function withDeadline<T>(
  { ms, signal }: Deadline,
  call: (signal: AbortSignal) => T | PromiseLike<T>,
): Promise<Awaited<T>> {
  signal?.throwIfAborted();
  const over = new AbortController();
  const late = Promise.withResolvers<never>();
  const end = (reason: unknown): void => {
    late.reject(reason);
    over.abort(reason);
  };
  const onAbort = (): void => end(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer = ms === undefined ? undefined : setTimeout(() => end(new DeadlineExceeded(ms)), ms);
  try {
    return await Promise.race([Promise.try(call, over.signal), late.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
