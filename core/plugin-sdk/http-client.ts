import type { z } from 'zod';
import { PluginError, type PluginHost } from './plugin.ts';

/** The longest reply that is read; answers of judges and lists of models are far shorter. */
export const MAX_REPLY_BYTES = 1024 * 1024;

/** The upstream service of a plugin, asked through the host's `fetch`. */
export interface HttpClient {
  /**
   * For vendor packages that take a `fetch`: follows no redirect, reads at most MAX_REPLY_BYTES, returns only replies of the
   * 200s. Throws a PluginError otherwise, and the signal's reason when that is aborted.
   */
  readonly fetch: typeof globalThis.fetch;
  /** Asks and reads the reply by a schema; `bad_reply` when it is not JSON or has another shape. */
  json<S extends z.ZodType>(schema: S, url: string, init: RequestInit & { readonly signal: AbortSignal }): Promise<z.output<S>>;
}

/** `who` stands in the messages of errors: the plugin's id. */
export function httpClient(host: PluginHost, who: string): HttpClient {
  const ask: typeof globalThis.fetch = async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    try {
      const response = await host.fetch(input, { ...init, redirect: 'manual' });
      return await read(response, who, host.clock());
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof PluginError) throw error;
      // The error of `fetch` is not kept as the cause: it repeats a header it finds invalid.
      throw new PluginError('unavailable', `${who}: could not be reached`);
    }
  };
  return {
    fetch: ask,
    async json(schema, url, init) {
      const text = await (await ask(url, init)).text();
      const parsed = schema.safeParse(toJson(text));
      if (!parsed.success) throw new PluginError('bad_reply', `${who}: reply has an unknown shape`);
      return parsed.data;
    },
  };
}

async function read(response: Response, who: string, now: Date): Promise<Response> {
  if (!response.ok) {
    await response.body?.cancel();
    throw PluginError.fromStatus(response.status, who, retryAfter(response.headers, now));
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_REPLY_BYTES) throw new PluginError('bad_reply', `${who}: reply is longer than ${MAX_REPLY_BYTES} bytes`);
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response(size === 0 ? null : new Blob(chunks), { status, headers });
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
