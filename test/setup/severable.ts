import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Severable {
  /** The same database, reached through here. */
  readonly url: string;
  /** Ends all connections and takes no new ones. */
  sever(): Promise<void>;
  mend(): Promise<void>;
  close(): Promise<void>;
}

/** Stands between a service and its database, and can be cut. */
export async function severable(databaseUrl: string): Promise<Severable> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy());
      socket.once('close', () => void (open.delete(socket) && other.destroy()));
      socket.pipe(other);
    }
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const sever = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of open) socket.destroy();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return { url: url.href, sever, mend: () => listen(port), close: sever };
}
