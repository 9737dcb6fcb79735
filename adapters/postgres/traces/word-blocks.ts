import type { PostgresSession } from '../database/postgres-session.ts';
import type { RunKey } from '../record-index/record-index-rows.ts';
import { BLOCK_RECORDS, SLICES, toSlices } from './word-postings.ts';

/** A record whose words are new to the index. */
export interface RecordWords {
  readonly record_id: string;
  /** With a space before and behind each. */
  readonly words: string;
}

interface OpenBlock {
  readonly block: string;
  readonly record_ids: readonly string[];
}

/**
 * The words of a run's records, in blocks. Records gather in the open block until it is full; only then its postings are
 * written. Until then its records are all looked at by a search. To be used inside a transaction that holds the indexer's lock.
 */
export class WordBlocks {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  /** Returns the block of each record, in the order given. */
  async add(run: RunKey, records: readonly RecordWords[]): Promise<string[]> {
    const open = records.length > 0 ? await this.#openBlock(run) : undefined;
    const room = open ? BLOCK_RECORDS - open.record_ids.length : 0;
    const blocks = records.slice(0, room).map(() => open!.block);
    if (open) await this.#append(run, open, records.slice(0, room));
    for (let at = room; at < records.length; at += BLOCK_RECORDS) {
      const own = records.slice(at, at + BLOCK_RECORDS);
      const block = await this.#insert(run, own);
      for (const _ of own) blocks.push(block);
    }
    return blocks;
  }

  /** Removes those of the given blocks that hold no words of any record any more. */
  async dropEmpty({ project_id, run_id }: RunKey, blocks: readonly string[]): Promise<void> {
    if (blocks.length === 0) return;
    await this.#session.sql(
      `with gone as (
         delete from word_blocks b where b.project_id = $1 and b.run_id = $2 and b.block = any($3::bigint[]) and not b.is_open
           and not exists (
             select from unnest(b.record_ids) as held(id)
             join indexed_records i on i.project_id = $1 and i.record_id = held.id and (i.run_id = $2) is true
             where i.block = b.block
           )
         returning block
       )
       delete from word_postings p using gone, generate_series(0, ${SLICES - 1}) as every(slice)
       where p.project_id = $1 and p.run_id = $2 and p.slice = every.slice::smallint and p.block = gone.block`,
      [project_id, run_id, blocks],
    );
  }

  async #openBlock({ project_id, run_id }: RunKey): Promise<OpenBlock | undefined> {
    const [open] = await this.#session.sql<OpenBlock>(
      'select block, record_ids from word_blocks where project_id = $1 and run_id = $2 and is_open',
      [project_id, run_id],
    );
    return open;
  }

  async #append(run: RunKey, { block, record_ids }: OpenBlock, added: readonly RecordWords[]): Promise<void> {
    const isFull = record_ids.length + added.length === BLOCK_RECORDS;
    await this.#session.sql(
      `update word_blocks set record_ids = record_ids || $4::uuid[], is_open = $5 where project_id = $1 and run_id = $2 and block = $3`,
      [run.project_id, run.run_id, block, added.map(({ record_id }) => record_id), !isFull],
    );
    if (isFull) await this.#writePostings(run, block, [...(await this.#toWords(run, record_ids)), ...added.map(wordsIn)]);
  }

  async #insert(run: RunKey, records: readonly RecordWords[]): Promise<string> {
    const isFull = records.length === BLOCK_RECORDS;
    const [made] = await this.#session.sql<{ block: string }>(
      `insert into word_blocks (project_id, run_id, record_ids, is_open) values ($1, $2, $3::uuid[], $4) returning block`,
      [run.project_id, run.run_id, records.map(({ record_id }) => record_id), !isFull],
    );
    if (isFull) await this.#writePostings(run, made!.block, records.map(wordsIn));
    return made!.block;
  }

  /** None for a record that is gone. */
  async #toWords({ project_id, run_id }: RunKey, record_ids: readonly string[]): Promise<string[]> {
    if (record_ids.length === 0) return [];
    const rows = await this.#session.sql<RecordWords>(
      'select record_id, words from indexed_records where project_id = $1 and record_id = any($2::uuid[]) and (run_id = $3) is true',
      [project_id, record_ids, run_id],
    );
    const byRecord = new Map(rows.map(({ record_id, words }) => [record_id, words]));
    return record_ids.map((id) => byRecord.get(id) ?? '');
  }

  async #writePostings({ project_id, run_id }: RunKey, block: string, records: readonly string[]): Promise<void> {
    const slices = toSlices(records);
    await this.#session.sql(
      `insert into word_postings (project_id, run_id, slice, block, postings)
       select $1, $2, slice, $3, postings from rows from (unnest($4::smallint[]), string_to_table($5, E'\\n')) as row(slice, postings)`,
      [project_id, run_id, block, slices.map(({ slice }) => slice), slices.map(({ postings }) => postings).join('\n')],
    );
  }
}

const wordsIn = ({ words }: RecordWords): string => words;
