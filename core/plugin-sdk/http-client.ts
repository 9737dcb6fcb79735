import type { z } from 'zod';
import { PluginError, type PluginHost } from './plugin.ts';

/** The longest reply that is read; answers of judges and lists of models are far shorter. */
export const MAX_REPLY_BYTES = 1024 * 1024;

/** The longest reply that is read while it comes: each word of a model travels in an object of its own. */
export const MAX_STREAM_BYTES = 4 * 1024 * 1024;

/** The upstream service of a plugin, asked through the host's `fetch`. */
export interface HttpClient {
  /**
   * For vendor packages that take a `fetch`: follows no redirect, reads at most MAX_REPLY_BYTES, returns only replies of the
   * 200s. Throws a PluginError otherwise, and the signal's reason when that is aborted.
   */
  readonly fetch: typeof globalThis.fetch;
  /** As `fetch`, with a body that is read while it comes, at most MAX_STREAM_BYTES; what breaks it off is a PluginError. */
  readonly stream: typeof globalThis.fetch;
  /** Asks and reads the reply by a schema; `bad_reply` when it is not JSON or has another shape. */
  json<S extends z.ZodType>(schema: S, url: string, init: RequestInit & { readonly signal: AbortSignal }): Promise<z.output<S>>;
}

/** `who` stands in the messages of errors: the plugin's id. */
export function httpClient(host: PluginHost, who: string): HttpClient {
  const asking =
    (readBody: (response: Response, signal: AbortSignal | undefined) => Promise<Response>): typeof globalThis.fetch =>
    async (input, init) => {
      const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
      try {
        const response = await host.fetch(input, { ...init, redirect: 'manual' });
        await requireGood(response, who, host.clock());
        return await readBody(response, signal);
      } catch (error) {
        signal?.throwIfAborted();
        throw toPluginError(error, who);
      }
    };
  const ask = asking((response) => readWhole(response, who));
  return {
    fetch: ask,
    stream: asking(async (response, signal) => readWhileItComes(response, who, signal)),
    async json(schema, url, init) {
      const text = await (await ask(url, init)).text();
      const parsed = schema.safeParse(toJson(text));
      if (!parsed.success) throw new PluginError('bad_reply', `${who}: reply has an unknown shape`);
      return parsed.data;
    },
  };
}

/** The error of `fetch` is not kept as the cause: it repeats a header it finds invalid. */
const toPluginError = (error: unknown, who: string): PluginError =>
  error instanceof PluginError ? error : new PluginError('unavailable', `${who}: could not be reached`);

async function requireGood(response: Response, who: string, now: Date): Promise<void> {
  if (response.ok) return;
  await response.body?.cancel();
  throw PluginError.fromStatus(response.status, who, retryAfter(response.headers, now));
}

async function readWhole(response: Response, who: string): Promise<Response> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const count = countBytes(who, MAX_REPLY_BYTES);
  for await (const chunk of response.body ?? []) {
    count(chunk);
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response(chunks.length === 0 ? null : new Blob(chunks), { status, headers });
}

function readWhileItComes({ body, status, headers }: Response, who: string, signal: AbortSignal | undefined): Response {
  if (!body) return new Response(null, { status, headers });
  const reader = body.getReader();
  const count = countBytes(who, MAX_STREAM_BYTES);
  const limited = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        count(value);
        controller.enqueue(value);
      } catch (error) {
        controller.error(signal?.aborted ? signal.reason : toPluginError(error, who));
        await reader.cancel().catch(() => undefined);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(limited, { status, headers });
}

/** Throws a PluginError when the chunks together are longer than `most`. */
function countBytes(who: string, most: number): (chunk: Uint8Array) => void {
  let size = 0;
  return (chunk) => {
    size += chunk.length;
    if (size > most) throw new PluginError('bad_reply', `${who}: reply is longer than ${most} bytes`);
  };
}

/** Seconds from `retry-after-ms`, or `retry-after` in seconds or as a date; undefined when there is neither. */
function retryAfter(headers: Headers, now: Date): number | undefined {
  const ms = headers.get('retry-after-ms');
  const after = headers.get('retry-after');
  const text = ms ?? after;
  if (text === null || text.trim() === '') return undefined;
  const number = Number(text) / (ms === null ? 1 : 1000);
  const seconds = Number.isNaN(number) ? (Date.parse(text) - now.getTime()) / 1000 : number;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
