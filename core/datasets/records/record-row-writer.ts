import { computeDigest, type Sha256 } from '../../kernel/digest.ts';
import type { Clock, NewId } from '../../kernel/ports.ts';
import type { RecordScan } from '../../traces/read/record-scan.ts';
import type { RecordSelection } from '../../traces/record-query.ts';
import { datasetNotFound } from '../dataset.ts';
import type { DatasetContentStore } from '../dataset-content-store.ts';
import type { RecordColumns } from '../edit.ts';
import { NextVersion } from '../next-version.ts';
import { toRecordRow } from '../record-rows.ts';

export interface RecordRowWriterDeps {
  readonly datasetContentStore: DatasetContentStore;
  readonly recordScan: RecordScan;
  readonly sha256: Sha256;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly datasetBlockSize: number;
}

/** Rows to be made of records. */
export interface RowsOfRecords extends Omit<RecordSelection, 'where'> {
  readonly dataset_id: string;
  /** Who adds them. */
  readonly user_id: string;
  readonly columns: RecordColumns | null;
  /** Whether a record that was ever added so is left out. */
  readonly once: boolean;
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
  async findNew(dataset_id: string, project_id: string, ids: readonly string[]): Promise<string[]> {
    const rowIds = ids.map((id) => this.#rowId(project_id, id));
    const known = await this.#deps.datasetContentStore.computePositions(dataset_id, rowIds);
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
    const { dataset_id, project_id, run_id, level, columns, once } = rows;
    // Somebody else may have added some of them until the dataset was held.
    const wanted = once ? await this.findNew(dataset_id, project_id, ids) : [...ids];
    if (wanted.length === 0) return 0;
    const where = { filter: { type: 'id', column_id: 'id', operator: 'one_of', value: wanted } } as const;
    let added = 0;
    for await (const records of this.#deps.recordScan.records({ project_id, run_id, level, where }, OLDEST_FIRST)) {
      const made = records.map((record) => ({
        row_id: once ? this.#rowId(project_id, record.id) : this.#deps.newId(),
        values: toRecordRow(record, { columns, link_to_record: true, use_generated_output_column: false }),
      }));
      await next.append(made);
      added += made.length;
    }
    return added;
  }

  #rowId(project_id: string, record_id: string): string {
    const digits = computeDigest(`row of record ${project_id} ${record_id}`, this.#deps.sha256);
    return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20, 32)].join('-');
  }
}
