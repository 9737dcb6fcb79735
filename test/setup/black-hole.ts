import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface BlackHole {
  /** The same database, reached through here. */
  readonly url: string;
  /** From now on swallows what is sent, in both directions; connections stay open and new ones are taken. */
  open(): void;
  /** Ends the connections whose bytes are lost, and hands on again. */
  shut(): void;
  close(): void;
}

/** A network that stops carrying anything without saying so, as a cable that is pulled does. */
export async function blackHole(databaseUrl: string): Promise<BlackHole> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let swallows = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => void (swallows || to.write(chunk)));
      from.on('error', () => to.destroy());
      from.once('close', () => void (sockets.delete(from) && to.destroy()));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    open: () => {
      swallows = true;
    },
    shut: () => {
      endAll();
      swallows = false;
    },
    close: () => {
      endAll();
      server.close();
    },
  };
}
