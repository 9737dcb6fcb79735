import { Socket } from 'node:net';

/** The sockets of many connections to the database, so that all can be given up at once. */
export class DatabaseSockets {
  readonly #open = new Set<Socket>();

  /** For the setting `stream` of a connection or a pool. */
  readonly make = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return socket;
  };

  /** Ends them all: what is under way on them rejects with `why`, and the next statement opens a new connection. */
  cut(why: Error): void {
    for (const socket of this.#open) socket.destroy(why);
  }
}
