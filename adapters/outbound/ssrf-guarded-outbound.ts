import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { type BlockList, isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, fetch as undiciFetch } from 'undici';
import type { Outbound } from '../../core/integrations/outbound.ts';
import { PluginError } from '../../core/plugin-sdk/index.ts';
import { AllowList, bare } from './allow-list.ts';
import { toIpFamily } from './blocked-addresses.ts';
import { refused, toOutboundFailure } from './outbound-failure.ts';

type Lookup = (
  hostname: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface OutboundSettings {
  /** Addresses that may be called though they are not public, or not by https, or at another port. */
  readonly allowed: readonly string[];
  readonly maxReplyBytes?: number;
  readonly connectMs?: number;
  /** How long the upstream service may think before its reply begins, and pause while it sends. */
  readonly replyMs?: number;
  /** Finds the addresses of a name; the system's by default. */
  readonly lookup?: Lookup;
}

const CONNECT_MS = 5_000;
const REPLY_MS = 180_000;
const MAX_REPLY_BYTES = 4 * 1024 * 1024;

/** Calls addresses that users gave, by undici's own `fetch`: only that takes an agent which looks at each connection. */
export class SsrfGuardedOutbound implements Outbound {
  readonly #allowList: AllowList;
  readonly #lookup: Lookup;
  readonly #maxReplyBytes: number;
  readonly #guarded: Agent;
  readonly #trusted: Agent;

  constructor({ allowed, lookup, connectMs, replyMs, maxReplyBytes }: OutboundSettings) {
    this.#allowList = new AllowList(allowed);
    this.#lookup = lookup ?? (systemLookup as unknown as Lookup);
    this.#maxReplyBytes = maxReplyBytes ?? MAX_REPLY_BYTES;
    const ms = { headersTimeout: replyMs ?? REPLY_MS, bodyTimeout: replyMs ?? REPLY_MS };
    const connectorTo = (blockList: BlockList | undefined) =>
      guardedConnector({ timeoutMs: connectMs ?? CONNECT_MS, lookup: lookup as LookupFunction | undefined, blockList });
    this.#guarded = new Agent({ ...ms, connect: connectorTo(this.#allowList.blocked) });
    this.#trusted = new Agent({ ...ms, connect: connectorTo(undefined) });
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const request = toRequest(input, init);
    const url = new URL(request.url);
    const passage = this.#allowList.getEgressPolicy(url);
    if (passage === 'refused') throw refused();
    try {
      return await this.#ask(request, passage === 'trusted' ? this.#trusted : this.#guarded);
    } catch (error) {
      request.signal.throwIfAborted();
      throw toOutboundFailure(error);
    }
  };

  async allows(text: string): Promise<boolean> {
    const url = URL.parse(text);
    if (!url) return false;
    const passage = this.#allowList.getEgressPolicy(url);
    if (passage !== 'guarded') return passage === 'trusted';
    const host = bare(url.hostname);
    const addresses = isIP(host) > 0 ? [host] : await this.#getAddresses(host);
    return addresses.length > 0 && addresses.every((address) => !this.#allowList.blocked.check(address, toIpFamily(address)));
  }

  close(): Promise<void> {
    return Promise.all([this.#guarded.destroy(), this.#trusted.destroy()]).then(() => undefined);
  }

  async #ask(request: Request, dispatcher: Agent): Promise<Response> {
    const body = request.body === null ? undefined : await request.arrayBuffer();
    const { method, headers, signal } = request;
    const sent = { method, headers: [...headers], signal, redirect: 'manual' as const, dispatcher, ...(body && { body }) };
    const answer = await undiciFetch(request.url, sent);
    if (answer.status >= 300 && answer.status < 400) {
      await answer.body?.cancel();
      throw new PluginError('bad_reply', 'the URL redirects to another one, which is not followed', {
        status: answer.status,
      });
    }
    const content = answer.body && limited(answer.body as ReadableStream<Uint8Array>, this.#maxReplyBytes, request);
    const { status, statusText } = answer;
    return new Response(content, { status, statusText, headers: [...answer.headers] });
  }

  #getAddresses(host: string): Promise<string[]> {
    return new Promise((resolve) => {
      this.#lookup(host, { all: true }, (error, found) => resolve(error ? [] : found.map(({ address }) => address)));
    });
  }
}

/** A URL with a user in it, or none at all, is refused here already, by an error that repeats it. */
function toRequest(input: Parameters<typeof globalThis.fetch>[0], init: RequestInit | undefined): Request {
  try {
    return new Request(input, { ...init, redirect: 'manual' });
  } catch {
    throw refused();
  }
}

/**
 * Stream of a reply's body, limited after inflating; breaks off with a PluginError when it is too much, or when the sender breaks off.
 * It holds the request, not its signal alone: nothing else would, and a request that is collected hears its caller's signal no more.
 */
export function limited(body: ReadableStream<Uint8Array>, maxBytes: number, request: Request): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let size = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        size += value.byteLength;
        if (size > maxBytes) throw new PluginError('bad_reply', `the reply is longer than ${maxBytes} bytes`);
        controller.enqueue(value);
      } catch (error) {
        controller.error(request.signal.aborted ? request.signal.reason : toOutboundFailure(error));
        await reader.cancel().catch(() => undefined);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

interface ConnectorSettings {
  readonly timeoutMs: number;
  readonly lookup: LookupFunction | undefined;
  /** Addresses that no connection is made to; undefined: none is asked about. */
  readonly blockList: BlockList | undefined;
}

/**
 * Connects in two steps, because `tls.connect` does not ask the block list that it is given: only the plain connection below it
 * does, for every address that it tries, so that a name cannot change what it stands for after it was looked at.
 */
function guardedConnector({ timeoutMs, lookup, blockList }: ConnectorSettings): buildConnector.connector {
  const plain = buildConnector({ timeout: timeoutMs, ...(lookup && { lookup }), ...(blockList && { blockList }) } as object);
  const secure = buildConnector({ timeout: timeoutMs, allowH2: false });
  return (options, callback) => {
    const { hostname, protocol } = options;
    const port = options.port || (protocol === 'https:' ? '443' : '80');
    plain({ hostname, protocol: 'http:', port }, (...[error, socket]) => {
      if (error) callback(error, null);
      else if (protocol === 'https:') secure({ ...options, httpSocket: socket }, callback);
      else callback(null, socket);
    });
  };
}
