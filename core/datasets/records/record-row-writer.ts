import { computeDigest, type Sha256 } from '../../kernel/digest.ts';
import type { Clock, NewId } from '../../kernel/ports.ts';
import type { RecordScan } from '../../traces/read/record-scan.ts';
import type { RecordSelection } from '../../traces/record-query.ts';
import { datasetNotFound } from '../dataset.ts';
import type { DatasetContentStore } from '../dataset-content-store.ts';
import type { RecordColumns } from '../edit.ts';
import { NextVersion } from '../next-version.ts';
import { toRecordRow } from '../record-rows.ts';
import type { RowValues } from '../row.ts';
import type { SessionRows } from './session-rows.ts';

export interface RecordRowWriterDeps {
  readonly datasetContentStore: DatasetContentStore;
  readonly recordScan: RecordScan;
  readonly sessionRows: SessionRows;
  readonly sha256: Sha256;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly datasetBlockSize: number;
}

/** Rows to be made of records. */
export interface RowsOfRecords extends Pick<RecordSelection, 'project_id' | 'run_id'> {
  readonly dataset_id: string;
  readonly level: RecordSelection['level'] | 'session';
  /** Who adds them. */
  readonly user_id: string;
  readonly columns: RecordColumns | null;
  /** Whether a record that was ever added so is left out. */
  readonly once: boolean;
}

/** Whose records, and of which kind, are known to which dataset. */
type KnownRecords = Pick<RowsOfRecords, 'dataset_id' | 'project_id' | 'level'>;

/** A row with the id of what it was made of. */
interface MadeRow {
  readonly id: string;
  readonly values: RowValues;
}

/** Result of an addition; without a version where there was nothing to add. */
export interface AddedRows {
  readonly added: number;
  readonly version_index: number | null;
}

/** Whole records may be of megabytes; pages are cut by size as well. */
const IDS_AT_ONCE = 500;
const OLDEST_FIRST = { column_id: 'created_at', ascending: true } as const;

/**
 * Writes rows made of records. A row that a record has once has an id made from that of the record: ids of rows that a dataset
 * ever had are known to it, so that nothing else has to be remembered of what was added.
 */
export class RecordRowWriter {
  readonly #deps: RecordRowWriterDeps;

  constructor(deps: RecordRowWriterDeps) {
    this.#deps = deps;
  }

  /** Those of the records that the dataset never had. */
  async findNew(records: KnownRecords, ids: readonly string[]): Promise<string[]> {
    const rowIds = ids.map((id) => this.#rowId(records, id));
    const known = await this.#deps.datasetContentStore.computePositions(records.dataset_id, rowIds);
    return ids.filter((_, at) => !known.has(rowIds[at]!));
  }

  /**
   * Adds a row for each of the records that is still there, given newest first, as one version; `done` is called in the same
   * transaction. Rejects with AppError `not_found` when there is no such dataset.
   */
  add(rows: RowsOfRecords, ids: readonly string[], done: (result: AddedRows) => Promise<void>): Promise<AddedRows> {
    const { datasetContentStore: store, clock, newId, datasetBlockSize: blockSize } = this.#deps;
    const { dataset_id, user_id } = rows;
    return store.exclusively(dataset_id, async () => {
      const head = await store.findHead(dataset_id);
      if (!head) throw datasetNotFound(dataset_id);
      const next = new NextVersion(store, dataset_id, head, { user_id, at: clock().toISOString(), newId, blockSize });
      let added = 0;
      for (let end = ids.length; end > 0; end -= IDS_AT_ONCE) {
        added += await this.#append(next, rows, ids.slice(Math.max(0, end - IDS_AT_ONCE), end));
      }
      const version_index = added > 0 ? (await next.finish()).version_index : null;
      await done({ added, version_index });
      return { added, version_index };
    });
  }

  async #append(next: NextVersion, rows: RowsOfRecords, ids: readonly string[]): Promise<number> {
    const { once } = rows;
    // Somebody else may have added some of them until the dataset was held.
    const wanted = once ? await this.findNew(rows, ids) : [...ids];
    if (wanted.length === 0) return 0;
    let added = 0;
    for await (const made of rows.level === 'session'
      ? this.#ofSessions(rows, wanted)
      : this.#ofRecords(rows, rows.level, wanted)) {
      await next.append(made.map(({ id, values }) => ({ row_id: once ? this.#rowId(rows, id) : this.#deps.newId(), values })));
      added += made.length;
    }
    return added;
  }

  async *#ofRecords(rows: RowsOfRecords, level: RecordSelection['level'], ids: string[]): AsyncIterable<readonly MadeRow[]> {
    const { project_id, run_id, columns } = rows;
    const where = { filter: { type: 'id', column_id: 'id', operator: 'one_of', value: ids } } as const;
    const shape = { columns, link_to_record: true, use_generated_output_column: false };
    for await (const records of this.#deps.recordScan.records({ project_id, run_id, level, where }, OLDEST_FIRST))
      yield records.map((record) => ({ id: record.id, values: toRecordRow(record, shape) }));
  }

  /** One at a time: conversations may be of megabytes. */
  async *#ofSessions({ project_id, run_id, columns }: RowsOfRecords, ids: string[]): AsyncIterable<readonly MadeRow[]> {
    for (const id of ids.toReversed()) {
      const values = await this.#deps.sessionRows.row(project_id, run_id, id, columns);
      if (values) yield [{ id, values }];
    }
  }

  /** A trace that is a session by itself has one id as both, and a row as each. */
  #rowId({ project_id, level }: KnownRecords, id: string): string {
    const kind = level === 'session' ? 'session' : 'record';
    const digits = computeDigest(`row of ${kind} ${project_id} ${id}`, this.#deps.sha256);
    return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20, 32)].join('-');
  }
}
