import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reverse proxy that serves something else under a path of its own. */
export interface PrefixProxy {
  /** Ends with a slash. */
  readonly url: string;
  /** Requests outside the prefix: a page that makes them does not know where it is. */
  readonly strays: readonly string[];
  close(): Promise<void>;
}

/** Serves `target` under `prefix`, as `/some/prefix`, and nothing beside it. */
export async function startPrefixProxy(target: string, prefix: string): Promise<PrefixProxy> {
  const strays: string[] = [];
  const server = createServer((req, res) => {
    const path = req.url ?? '';
    if (!path.startsWith(`${prefix}/`)) {
      strays.push(path);
      res.writeHead(404).end();
      return;
    }
    const onward = request(`${target}${path.slice(prefix.length)}`, { method: req.method, headers: req.headers }, (reply) => {
      res.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(res);
    });
    onward.once('error', () => res.writeHead(502).end());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}/`,
    strays,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
