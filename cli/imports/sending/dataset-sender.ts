import { toCell } from '../../../core/datasets/files/cell.ts';
import { type DatasetValue, MAX_COLUMNS } from '../../../core/datasets/row.ts';
import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { ServiceRefusal } from '../../commands/command-error.ts';
import { readRows } from '../../commands/datasets.ts';
import { lookUpDataset } from '../../commands/places.ts';
import type { ServiceClient } from '../../commands/service-client.ts';
import type { ImportTally } from '../import-report.ts';
import type { DatasetRow } from './target.ts';

const BATCH_ROWS = 2_000;
const BATCH_CHARS = 4 * 1024 * 1024;
const MAX_NAME = 255;

interface Edit {
  readonly edit_type: 'append_row';
  readonly row_id: string;
  readonly values: Readonly<Record<string, DatasetValue>>;
}

/** Appends rows under ids that follow from those of the other product: a row that is there stays as it is. */
export class DatasetSender {
  readonly #client: ServiceClient;
  readonly #project_id: string;
  readonly #tally: ImportTally;

  constructor(client: ServiceClient, project_id: string, tally: ImportTally) {
    this.#client = client;
    this.#project_id = project_id;
    this.#tally = tally;
  }

  async send(dataset: string, rows: AsyncIterable<DatasetRow>): Promise<void> {
    const name = dataset.slice(0, MAX_NAME);
    const existing = await lookUpDataset(this.#client, name);
    const there = existing === undefined ? new Set<string>() : await this.#idsIn(existing);
    let id = existing;
    let before = 0;
    let batch: Edit[] = [];
    let chars = 0;
    const flush = async () => {
      if (batch.length === 0) return;
      // The first rows name the columns; made only now, so that a dataset without rows is none.
      const edits = batch;
      batch = [];
      chars = 0;
      if (id !== undefined) await this.#append(id, name, edits);
      else id = await this.#make(name, edits);
    };
    for await (const { row_id, values } of rows) {
      if (there.has(row_id)) {
        before += 1;
        continue;
      }
      there.add(row_id);
      const edit: Edit = { edit_type: 'append_row', row_id, values: this.#toValues(values) };
      batch.push(edit);
      chars += JSON.stringify(edit).length;
      if (batch.length >= BATCH_ROWS || chars >= BATCH_CHARS) await flush();
    }
    await flush();
    this.#tally.thereBefore('rows', before);
  }

  async #idsIn(id: string): Promise<Set<string>> {
    const ids = new Set<string>();
    for await (const { row_id } of readRows(this.#client, id)) ids.add(row_id);
    return ids;
  }

  /** Datasets are made of files, whose rows get ids of their own: the one row of the file gives way to the rows that have theirs. */
  async #make(name: string, edits: readonly Edit[]): Promise<string> {
    const columns = [...new Set(edits.flatMap(({ values }) => Object.keys(values)))].slice(0, MAX_COLUMNS);
    const body = new FormData();
    body.set('name', name);
    body.set('project_id', this.#project_id);
    const row = Object.fromEntries(columns.map((column) => [column, '']));
    body.set('file', new File([`${JSON.stringify(row)}\n`], 'rows.jsonl'));
    const { id } = await this.#client.call<{ id: string }>('POST', '/v2/datasets', { body });
    this.#tally.arrived('datasets');
    for await (const { row_id } of readRows(this.#client, id)) await this.#append(id, name, edits, [row_id]);
    return id;
  }

  /** One request, one version. Rows that are refused stand alone in the end. */
  async #append(id: string, name: string, rows: readonly Edit[], removed: readonly string[] = []): Promise<void> {
    const deletions = removed.map((row_id) => ({ edit_type: 'delete_row', row_id }));
    try {
      await this.#client.open('PATCH', `/v2/datasets/${id}/content`, { json: { edits: [...deletions, ...rows] } });
      this.#tally.arrived('rows', rows.length);
    } catch (error) {
      if (!(error instanceof ServiceRefusal) || ![400, 413, 422].includes(error.status)) throw error;
      if (rows.length === 1 && removed.length === 0)
        this.#tally.refused(error.reason, `row ${rows[0]!.row_id} of dataset ${name}`);
      else if (rows.length === 1) throw error;
      else {
        const middle = Math.ceil(rows.length / 2);
        await this.#append(id, name, rows.slice(0, middle), removed);
        await this.#append(id, name, rows.slice(middle));
      }
    }
  }

  #toValues(values: JsonObject): Edit['values'] {
    const cells = Object.entries<JsonValue>(values).flatMap(([column, value]): [string, DatasetValue][] => {
      const cell = toCell(value);
      if (typeof cell !== 'string') return [[column.slice(0, MAX_NAME), cell.value]];
      this.#tally.leftOut(`a cell that is ${cell.replaceAll('_', ' ')}`);
      return [];
    });
    return Object.fromEntries(cells);
  }
}
