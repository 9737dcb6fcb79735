import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Client } from 'pg';

/** A pooler in transaction mode, as PgBouncer is with `pool_mode = transaction`. */
export interface TransactionPooler {
  /** The same database, reached through here. */
  readonly url: string;
  /** Transactions so far, how many clients there were at once at most, and on how many server connections a client's transactions ran. */
  figures(): { readonly transactions: number; readonly most_clients: number; readonly most_servers_of_client: number };
  close(): Promise<void>;
}

const SSL_REQUEST = 80877103;
const IDLE = 'I';

/**
 * Speaks PostgreSQL's protocol, https://www.postgresql.org/docs/current/protocol-message-formats.html, as far as it says where
 * transactions end. Each transaction is given to the server connection that has rested longest, so that a client seldom meets the
 * same one again and nothing that it left in a session is there. A client that asks for settings of a session is refused, as
 * PgBouncer does unless it is told otherwise.
 */
export async function startTransactionPooler(databaseUrl: string, size: number): Promise<TransactionPooler> {
  const servers = await Promise.all(Array.from({ length: size }, () => connectServer(databaseUrl)));
  const idle = [...servers];
  const waiting: ((server: ServerLink) => void)[] = [];
  const clients = new Set<Socket>();
  const usedBy = new Map<Socket, Set<ServerLink>>();
  let transactions = 0;
  let most_clients = 0;

  const take = async (): Promise<ServerLink> => idle.shift() ?? new Promise((resolve) => waiting.push(resolve));
  const giveBack = (server: ServerLink): void => {
    transactions += 1;
    const next = waiting.shift();
    if (next) next(server);
    else idle.push(server);
  };

  const listener = createServer((socket) => {
    clients.add(socket);
    usedBy.set(socket, new Set());
    most_clients = Math.max(most_clients, clients.size);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => clients.delete(socket));
    void serve(socket, take, giveBack, (server) => usedBy.get(socket)!.add(server)).catch(() => socket.destroy());
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  return {
    url: Object.assign(new URL(databaseUrl), { port: String(port) }).href,
    figures: () => ({
      transactions,
      most_clients,
      most_servers_of_client: Math.max(0, ...[...usedBy.values()].map(({ size: used }) => used)),
    }),
    close: async () => {
      for (const socket of clients) socket.destroy();
      listener.close();
      for (const { socket } of servers) socket.destroy();
    },
  };
}

interface ServerLink {
  readonly socket: Socket;
  /** Told of the bytes that the server sends. */
  onData: (data: Buffer) => void;
}

/** A connection that the library has opened and authenticated, and reads no longer. */
async function connectServer(url: string): Promise<ServerLink> {
  const client = new Client({ connectionString: url, application_name: 'pooler of tests' });
  client.on('error', () => {});
  await client.connect();
  const { stream: socket } = (client as unknown as { connection: { stream: Socket } }).connection;
  socket.removeAllListeners('data');
  const link: ServerLink = { socket, onData: () => {} };
  socket.on('data', (data) => link.onData(data));
  return link;
}

async function serve(
  socket: Socket,
  take: () => Promise<ServerLink>,
  giveBack: (server: ServerLink) => void,
  note: (server: ServerLink) => void,
): Promise<void> {
  const frames = new Frames();
  let isStarted = false;
  let server: ServerLink | undefined;
  /** Requests for which the server has not said yet that it is ready again. */
  let open = 0;
  const ask = async (message: Buffer): Promise<void> => {
    const type = String.fromCharCode(message[0]!);
    if (type === 'X') return void socket.end();
    if (!server) {
      server = await take();
      note(server);
      const replies = new Frames();
      server.onData = (data) => {
        socket.write(data);
        for (const reply of replies.read(data)) {
          if (reply[0] !== 0x5a) continue;
          open -= 1;
          if (open > 0 || String.fromCharCode(reply[5]!) !== IDLE) continue;
          const free = server!;
          server = undefined;
          free.onData = () => {};
          giveBack(free);
        }
      };
    }
    if ('QSF'.includes(type)) open += 1;
    server.socket.write(message);
  };
  let last = Promise.resolve();
  socket.on('close', () => server?.socket.destroy());
  socket.on('data', (data) => {
    for (const message of isStarted ? frames.read(data) : frames.readStart(data)) {
      if (isStarted) {
        last = last.then(() => ask(message));
        last.catch(() => socket.destroy());
      } else if (message.readInt32BE(4) === SSL_REQUEST) socket.write('N');
      else if (message.includes('\0options\0')) return void socket.end(refusal('unsupported startup parameter: options'));
      else {
        isStarted = true;
        socket.write(GREETING);
      }
    }
  });
  await once(socket, 'close');
}

/** Cuts a stream of bytes into messages. */
class Frames {
  #rest: Buffer = Buffer.alloc(0);

  read(data: Buffer): Buffer[] {
    return this.#cut(data, 1);
  }

  /** Messages before the session has begun have no type. */
  readStart(data: Buffer): Buffer[] {
    return this.#cut(data, 0);
  }

  #cut(data: Buffer, typeBytes: number): Buffer[] {
    this.#rest = this.#rest.length === 0 ? data : Buffer.concat([this.#rest, data]);
    const found: Buffer[] = [];
    while (this.#rest.length >= typeBytes + 4) {
      const length = typeBytes + this.#rest.readInt32BE(typeBytes);
      if (this.#rest.length < length) break;
      found.push(this.#rest.subarray(0, length));
      this.#rest = this.#rest.subarray(length);
    }
    return found;
  }
}

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const parameter = (name: string, value: string): Buffer => message('S', Buffer.from(`${name}\0${value}\0`));
const refusal = (text: string): Buffer => message('E', Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`));

const GREETING = Buffer.concat([
  message('R', Buffer.alloc(4)),
  ...Object.entries({
    server_version: '18',
    client_encoding: 'UTF8',
    DateStyle: 'ISO, MDY',
    standard_conforming_strings: 'on',
  }).map(([name, value]) => parameter(name, value)),
  message('K', Buffer.alloc(8)),
  message('Z', Buffer.from(IDLE)),
]);
