/** An event of a stream of server-sent events. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: unknown;
}

/** A silent connection is taken for a dead one by proxies after half a minute or more. */
const HEARTBEAT_MS = 15_000;

/** Events in the form of `text/event-stream`, each with its data as one line of JSON, and a comment while there is none. */
export async function* toEventStream(
  events: AsyncIterable<ServerSentEvent>,
  heartbeatMs = HEARTBEAT_MS,
): AsyncGenerator<string, void> {
  const iterator = events[Symbol.asyncIterator]();
  try {
    for (let next = iterator.next(); ; ) {
      const got = await Promise.race([next, silence(heartbeatMs, next)]);
      if (got === undefined) {
        yield ': heartbeat\n\n';
        continue;
      }
      if (got.done) return;
      yield `event: ${got.value.event}\ndata: ${JSON.stringify(got.value.data)}\n\n`;
      next = iterator.next();
    }
  } finally {
    await iterator.return?.();
  }
}

/** Resolves after the time; its timer goes as soon as the event is there. */
function silence(ms: number, event: Promise<unknown>): Promise<undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, undefined);
    const clear = (): void => clearTimeout(timer);
    event.then(clear, clear);
  });
}
