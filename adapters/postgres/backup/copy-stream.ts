import { once } from 'node:events';
import { type Duplex, PassThrough, type Readable } from 'node:stream';
import type { Client, Connection, Submittable } from 'pg';

/** A connection as the driver hands it to what it runs; the published types leave these members out. */
interface CopyConnection extends Connection {
  readonly stream: Duplex;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  sendCopyFail(reason: string): void;
  endCopyFrom(): void;
}

/** `COPY … TO STDOUT` as a stream. Whoever reads slowly slows the server down. */
export function copyOut(client: Client, text: string): Readable {
  const rows = new PassThrough();
  const statement: Submittable & Record<string, unknown> = {
    submit: (opened: Connection) => {
      const connection = opened as CopyConnection;
      rows.on('drain', () => connection.stream.resume());
      rows.once('close', () => connection.stream.resume());
      connection.query(text);
    },
    handleCopyData: ({ chunk }: { chunk: Buffer }, connection: CopyConnection) => {
      if (!rows.destroyed && !rows.write(Buffer.from(chunk))) connection.stream.pause();
    },
    handleCommandComplete: () => undefined,
    handleError: (error: Error) => rows.destroy(error),
    handleReadyForQuery: () => rows.end(),
  };
  client.query(statement);
  return rows;
}

/** `COPY … FROM STDIN`. When the source fails, so does the statement, with the reason of the source. */
export async function copyIn(client: Client, text: string, source: AsyncIterable<Buffer>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let failure: unknown;
  const statement: Submittable & Record<string, unknown> = {
    submit: (connection: Connection) => (connection as CopyConnection).query(text),
    handleCopyInResponse: (connection: CopyConnection) =>
      void send(connection, source).catch((error: unknown) => {
        failure = error;
        connection.sendCopyFail('the source failed');
      }),
    handleCommandComplete: () => undefined,
    handleError: (error: Error) => reject(failure ?? error),
    handleReadyForQuery: () => resolve(),
  };
  client.query(statement);
  await promise;
}

async function send(connection: CopyConnection, source: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of source) {
    if (connection.stream.destroyed) return;
    connection.sendCopyFromChunk(chunk);
    if (connection.stream.writableNeedDrain)
      await Promise.race([once(connection.stream, 'drain'), once(connection.stream, 'close')]);
  }
  connection.endCopyFrom();
}
