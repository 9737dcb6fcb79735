import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { z } from 'zod';
import { toDisposition } from '../../core/files/content-disposition.ts';

const MOST_LISTENERS = 20;

/** A reply that is sent while it is made. */
export interface StreamedReply {
  readonly content_type: string;
  /** Of a file; what the sender of the request called it: made safe before it is sent. */
  readonly file_name?: string;
  /** Whether a browser may show the file in place of saving it. */
  readonly isInline?: boolean;
  readonly chunks: AsyncIterable<string | Uint8Array>;
}

/** A reader that takes nothing for so long is gone. */
const STALLED_MS = 120_000;

/**
 * Sends the reply, no faster than it is read. Until the first chunk is there nothing is sent, so a failure up to then can
 * still be answered. A later one ends the connection in the middle, which every client sees, and rejects. A reader that
 * goes away stops the work and is no failure.
 */
export async function sendStream(
  res: ServerResponse,
  { content_type, file_name, isInline, chunks }: StreamedReply,
): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const first = await iterator.next();
    if (res.destroyed) return;
    res.statusCode = 200;
    res.setHeader('Content-Type', content_type);
    if (file_name !== undefined) res.setHeader('Content-Disposition', toDisposition(file_name, isInline));
    res.setTimeout(STALLED_MS, () => res.destroy());
    // With those of a pipeline there are more listeners than the ten at which Node suspects a leak.
    res.setMaxListeners(MOST_LISTENERS);
    await pipeline(Readable.from(resumed(first, iterator)), res).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
  } finally {
    await iterator.return?.();
  }
}

/** The same chunks; rejects at their end when together they are no JSON of the schema. It holds all of them: for tests. */
export async function* checkedJson(
  chunks: AsyncIterable<string | Uint8Array>,
  schema: z.ZodType,
): AsyncGenerator<string | Uint8Array> {
  let text = '';
  for await (const chunk of chunks) {
    text += chunk;
    yield chunk;
  }
  schema.parse(JSON.parse(text));
}

async function* resumed<T>(first: IteratorResult<T>, iterator: AsyncIterator<T>): AsyncGenerator<T> {
  for (let next = first; !next.done; next = await iterator.next()) yield next.value;
}
