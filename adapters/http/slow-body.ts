import type { IncomingMessage } from 'node:http';

/** How long a body that is kept in memory may take to arrive. Files go to disk and have longer, see `HttpServer`. */
const BODY_MS = 60_000;

/** Does the work that reads a body; a sender who takes too long is cut off, which ends the body early. */
export async function inTime<T>(req: IncomingMessage, work: () => Promise<T>, limitMs = BODY_MS): Promise<T> {
  const timer = setTimeout(() => req.destroy(), limitMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
