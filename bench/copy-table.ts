import type { Client } from 'pg';
import { copyIn, copyOut } from './copy.ts';

const BATCH_ROWS = 700;
const CHUNK_BYTES = 64 * 1024;
/** Before the rows of the binary format, and behind them. */
const HEAD_BYTES = 19;

export type CopyFormat = 'text' | 'binary';

/** A row as a client has it before it sends it: every column as text. */
export type Values = readonly (string | null)[];

/**
 * Baseline of the service: the rows that it stored, taken out of its table as they are and put, in batches and each
 * batch durable, into an empty table that is equal in every way. `writeValues` is what a client can do that has the
 * rows as values and encodes them as it goes; `write` sends rows that were encoded beforehand, which is the most that
 * one connection can do.
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

  /** Up to `maxRows` rows of the service's table, as values. */
  async values(maxRows: number): Promise<Values[]> {
    const { rows } = await this.#client.query<Values>({
      text: `select * from records limit ${maxRows}`,
      rowMode: 'array',
      types: { getTypeParser: () => (text: string) => text },
    } as never);
    return rows as unknown as Values[];
  }

  /** Rows per second. */
  write(format: CopyFormat, batches: readonly Buffer[][]): Promise<number> {
    return this.#timed(async () => {
      for (const chunks of batches) await copyIn(this.#client, `copy records_copy from stdin (format ${format})`, chunks);
    });
  }

  /** Rows per second. */
  writeValues(rows: readonly Values[]): Promise<number> {
    return this.#timed(async () => {
      for (let at = 0; at < rows.length; at += BATCH_ROWS) {
        const text = rows
          .slice(at, at + BATCH_ROWS)
          .map(copyLine)
          .join('');
        await copyIn(this.#client, 'copy records_copy from stdin (format text)', [Buffer.from(text)]);
      }
    });
  }

  async #timed(work: () => Promise<void>): Promise<number> {
    await this.#client.query('truncate records_copy');
    await settle(this.#client);
    const began = performance.now();
    await work();
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

const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const NEEDS_ESCAPE = /[\\\n\r\t]/;

/** One line of COPY's text format, made as fast as a client can: it is what we are measured against. */
export function copyLine(values: Values): string {
  let line = '';
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at]!;
    if (at > 0) line += '\t';
    if (value === null) line += '\\N';
    else line += NEEDS_ESCAPE.test(value) ? value.replaceAll(/[\\\n\r\t]/g, (unit) => ESCAPED[unit]!) : value;
  }
  return `${line}\n`;
}
