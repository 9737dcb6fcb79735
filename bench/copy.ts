import type { Client, Connection, Submittable } from 'pg';

/** A connection as the driver hands it to what it runs; the published types leave these methods out. */
interface CopyConnection extends Connection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** The least that COPY needs. The driver calls these methods as the server's messages arrive. */
abstract class Copy implements Submittable {
  readonly #text: string;
  readonly #settled = Promise.withResolvers<void>();

  constructor(text: string) {
    this.#text = text;
  }

  async within(client: Client): Promise<void> {
    client.query(this);
    await this.#settled.promise;
  }

  submit(connection: Connection): void {
    (connection as CopyConnection).query(this.#text);
  }

  handleCommandComplete(): void {}
  handleError(error: Error): void {
    this.#settled.reject(error);
  }
  handleReadyForQuery(): void {
    this.#settled.resolve();
  }
}

class CopyIn extends Copy {
  readonly #chunks: readonly Buffer[];

  constructor(text: string, chunks: readonly Buffer[]) {
    super(text);
    this.#chunks = chunks;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    for (const chunk of this.#chunks) connection.sendCopyFromChunk(chunk);
    connection.endCopyFrom();
  }
}

class CopyOut extends Copy {
  readonly chunks: Buffer[] = [];

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.chunks.push(Buffer.from(chunk));
  }
}

/** `COPY … FROM STDIN`, committed when it resolves. */
export const copyIn = (client: Client, text: string, chunks: readonly Buffer[]): Promise<void> =>
  new CopyIn(text, chunks).within(client);

/** `COPY … TO STDOUT`: one chunk a row, and in the binary format the head before and the end behind them. */
export async function copyOut(client: Client, text: string): Promise<Buffer[]> {
  const copy = new CopyOut(text);
  await copy.within(client);
  return copy.chunks;
}
