import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { PluginHost } from '../core/plugin-sdk/index.ts';

/** The real `fetch`, kept before a test replaces the global one. */
const realFetch = globalThis.fetch;
const ASKED = 'x-asked-address';

export interface SeenRequest {
  readonly method: string;
  /** The address the plugin asked, whatever it was. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Settles when the plugin hangs up before it has the whole reply. */
  readonly hungUp: Promise<void>;
}

/** `silence`: no reply; `stall`: the head and half a body, then nothing; `cut`: the same, then the connection is lost; `endless`: a body without end. */
export type FakeReply =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string }
  | 'silence'
  | 'stall'
  | 'cut'
  | 'endless';

/** A server on 127.0.0.1 that stands for every address a plugin may ask. */
export interface FakeProvider {
  /** Sends each request to the server over HTTP, with the address asked in a header. */
  readonly fetch: typeof globalThis.fetch;
  readonly port: number;
  readonly seen: SeenRequest[];
  answer: (request: SeenRequest) => FakeReply;
  close(): Promise<void>;
}

export async function startFakeProvider(): Promise<FakeProvider> {
  const server = createServer((request, response) => void serve(fake, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}/`;
  const fake: FakeProvider = {
    port,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set(ASKED, input instanceof Request ? input.url : String(input));
      return realFetch(origin, { ...init, headers });
    },
    seen: [],
    answer: () => ({ status: 404, body: '' }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return fake;
}

/** Host of a plugin in a test: the way to the fake, a fixed clock, and the services given. */
export const getHost = (fake: FakeProvider, more: Partial<PluginHost> = {}): PluginHost => ({
  fetch: fake.fetch,
  clock: () => new Date('2026-01-01T00:00:00Z'),
  log: () => {},
  ...more,
});

/** `POST https://example.org/path`, without the query. */
export const asks = ({ method, url }: SeenRequest): string => `${method} ${url.split('?')[0]}`;

/** Answers by what is asked; anything else is not found. */
export const answers =
  (bodies: Readonly<Record<string, unknown>>) =>
  (seen: SeenRequest): FakeReply => {
    const body = bodies[asks(seen)];
    if (body === undefined) return { status: 404, body: '' };
    return { body: typeof body === 'string' ? body : JSON.stringify(body) };
  };

async function serve(fake: FakeProvider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { [ASKED]: url, ...headers } = request.headers as Record<string, string>;
  const hungUp = new Promise<void>((resolve) => {
    response.on('close', () => response.writableFinished || resolve());
  });
  const body = await text(request);
  const seen = { method: request.method ?? '', url: url ?? '', headers, body, hungUp };
  fake.seen.push(seen);
  send(fake.answer(seen), response);
}

function send(reply: FakeReply, response: ServerResponse): void {
  if (reply === 'silence') return;
  if (typeof reply === 'object') {
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.body);
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"half": "', () => reply === 'cut' && response.destroy());
  if (reply === 'endless') pour(response);
}

function pour(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  };
  response.on('drain', more);
  more();
}
