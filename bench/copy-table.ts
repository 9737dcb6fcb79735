import type { Client } from 'pg';
import { copyIn, copyOut } from './copy.ts';

const BATCH_ROWS = 700;
const CHUNK_BYTES = 64 * 1024;
/** Before the rows of the binary format, and behind them. */
const HEAD_BYTES = 19;

export type CopyFormat = 'text' | 'binary';

/**
 * What the service is measured against: the rows that it stored, taken out of its table as they are and put, in
 * batches and each batch durable, into an empty table that is equal in every way. They are encoded beforehand, so this
 * is the most that one connection can do.
 */
export class CopyTable {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async create(client: Client): Promise<CopyTable> {
    await client.query('create table records_copy (like records including all)');
    return new CopyTable(client);
  }

  /** Up to `maxRows` rows of the service's table, ready to be sent. */
  async batches(format: CopyFormat, maxRows: number): Promise<Buffer[][]> {
    const rows = await copyOut(this.#client, `copy (select * from records limit ${maxRows}) to stdout (format ${format})`);
    if (format === 'text') return inBatches(rows).map(inChunks);
    return binaryBatches(rows);
  }

  /** Rows per second. */
  async write(format: CopyFormat, batches: readonly Buffer[][]): Promise<number> {
    await this.#client.query('truncate records_copy');
    await settle(this.#client);
    const began = performance.now();
    for (const chunks of batches) await copyIn(this.#client, `copy records_copy from stdin (format ${format})`, chunks);
    const seconds = (performance.now() - began) / 1000;
    const { rows } = await this.#client.query<{ rows: string }>('select count(*) as rows from records_copy');
    return Number(rows[0]!.rows) / seconds;
  }
}

/** A checkpoint, so that no side pays for what the other one wrote. */
export async function settle(client: Client): Promise<void> {
  await client.query('checkpoint');
}

/** The head comes with the first row, the end is a message of its own; each batch needs both. */
function binaryBatches(messages: readonly Buffer[]): Buffer[][] {
  const head = messages[0]!.subarray(0, HEAD_BYTES);
  const rows = [messages[0]!.subarray(HEAD_BYTES), ...messages.slice(1, -1)].filter(({ length }) => length > 0);
  const end = messages.at(-1)!;
  return inBatches(rows).map((batch) => inChunks([head, ...batch, end]));
}

function inBatches(rows: readonly Buffer[]): Buffer[][] {
  const batches = Math.ceil(rows.length / BATCH_ROWS);
  return Array.from({ length: batches }, (_, at) => rows.slice(at * BATCH_ROWS, (at + 1) * BATCH_ROWS));
}

function inChunks(rows: readonly Buffer[]): Buffer[] {
  const whole = Buffer.concat(rows);
  const chunks = Math.ceil(whole.length / CHUNK_BYTES);
  return Array.from({ length: chunks }, (_, at) => whole.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES));
}
