import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import type { Express } from 'express';

/** Slow senders are cut off; a proxy's idle connections are kept longer than proxies keep them. */
const HEADERS_MS = 10_000;
/** For a large file on a slow line; other bodies have less, see `inTime`. */
const REQUEST_MS = 15 * 60_000;
const KEEP_ALIVE_MS = 75_000;
const CHECK_MS = 1_000;
const MAX_HEADERS = 100;
const MAX_CONNECTIONS = 10_000;
const BACKLOG_MS = 1_000;
const SHORT_TURN_MS = 0.3;

export interface DrainTimes {
  readonly leaveMs: number;
  readonly idleMs: number;
  readonly limitMs: number;
}

/** The listening socket and its orderly end. */
export class HttpServer {
  readonly url: string;
  readonly #server: Server;
  readonly #replies: OpenReplies;

  private constructor(server: Server, url: string, replies: OpenReplies) {
    this.#server = server;
    this.url = url;
    this.#replies = replies;
  }

  /** Rejects with a readable Error when the address cannot be had. */
  static async listen(app: Express, { host, port }: { host: string; port: number }): Promise<HttpServer> {
    const server = createServer({
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: CHECK_MS,
    });
    const replies = new OpenReplies();
    server.on('request', (_req, res) => replies.add(res));
    server.on('request', app);
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.maxHeadersCount = MAX_HEADERS;
    server.maxConnections = MAX_CONNECTIONS;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(getReason(error, host, port), { cause: error })));
      server.listen(port, host, resolve);
    });
    const { port: actual } = server.address() as AddressInfo;
    return new HttpServer(server, `http://${host.includes(':') ? `[${host}]` : host}:${actual}`, replies);
  }

  /**
   * Serves whoever still comes for `leaveMs`, on connections that end with the response; then takes no new ones. Whoever
   * holds a connection may use it once more for `idleMs`. Requests under way may end; what is left is cut off `limitMs`
   * later. Closing at once would reset connections that the system has accepted and we have not, and those on which a
   * request is on its way.
   */
  async drain({ leaveMs, idleMs, limitMs }: DrainTimes): Promise<void> {
    this.#replies.closeConnections();
    await sleep(leaveMs);
    await this.#nobodyWaits();
    // Not `close` of the HTTP server, which would end idle connections too.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(this.#server, () => resolve()));
    await Promise.race([closed, sleep(idleMs)]);
    this.#server.close();
    const idle = setInterval(() => this.#server.closeIdleConnections(), 50);
    const limit = setTimeout(() => this.#server.closeAllConnections(), limitMs);
    await closed;
    clearInterval(idle);
    clearTimeout(limit);
  }

  /**
   * Resolves, soon in any case, in a moment when no connection waits to be taken: the system hands over one in each turn
   * of the event loop, so a turn without any says so, when it was too short for others to have come meanwhile.
   */
  async #nobodyWaits(): Promise<void> {
    let came = 0;
    const note = (): void => {
      came += 1;
    };
    this.#server.on('connection', note);
    for (const deadline = performance.now() + BACKLOG_MS; performance.now() < deadline; ) {
      await immediate();
      const began = performance.now();
      came = 0;
      await immediate();
      if (came === 0 && performance.now() - began < SHORT_TURN_MS) break;
    }
    this.#server.off('connection', note);
  }
}

/** Replies not finished yet, so that they can still say that their connection will end. */
class OpenReplies {
  readonly #open = new Set<ServerResponse>();
  #isClosing = false;

  add(reply: ServerResponse): void {
    if (this.#isClosing) reply.setHeader('Connection', 'close');
    this.#open.add(reply);
    reply.once('close', () => this.#open.delete(reply));
  }

  closeConnections(): void {
    this.#isClosing = true;
    for (const reply of this.#open) if (!reply.headersSent) reply.setHeader('Connection', 'close');
  }
}

function getReason({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is taken by another program; set PORT to a free one`;
  if (code === 'EACCES') return `port ${port} on ${host} may not be used by this user`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST ${host} is no address of this machine`;
  return `cannot listen on ${host}:${port}: ${message}`;
}
