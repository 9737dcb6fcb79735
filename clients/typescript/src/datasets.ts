import { type Api, dataOf, TouchstoneError } from './service.ts';

export interface StoredRow<Row> {
  readonly id: string;
  readonly values: Row;
}

export interface DatasetHandle {
  readonly id: string;
  readonly name: string;
  readonly current_version_index: number;
}

const PAGE = 1_000;

export class Datasets {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Makes a dataset of rows. Cells are text, numbers, null, or maps of these. */
  async create(name: string, rows: readonly object[]): Promise<DatasetHandle> {
    const form = new FormData();
    form.set('name', name);
    form.set('file', new Blob([rows.map((row) => `${JSON.stringify(row)}\n`).join('')]), 'rows.jsonl');
    const bodySerializer = () => form;
    return dataOf(this.#api.POST('/v2/datasets', { body: { name }, bodySerializer }));
  }

  /** By its name. Throws a TouchstoneError when there is none. */
  async get(name: string): Promise<DatasetHandle> {
    const filters = [{ name: 'name' as const, operator: 'eq' as const, value: name, case_sensitive: true }];
    const { datasets } = await dataOf(this.#api.POST('/v2/datasets/query', { body: { filters } }));
    if (!datasets[0]) throw new TouchstoneError(`there is no dataset called ${name}`, 404);
    return datasets[0];
  }

  /** All rows of the newest version, page by page. */
  async *rows<Row = Record<string, unknown>>(dataset_id: string): AsyncGenerator<StoredRow<Row>> {
    for (let starting_token: number | null = 0; starting_token !== null; ) {
      const params: { path: { dataset_id: string }; query: { starting_token: number; limit: number } } = {
        path: { dataset_id },
        query: { starting_token, limit: PAGE },
      };
      const page = await dataOf(this.#api.GET('/v2/datasets/{dataset_id}/content', { params }));
      for (const { row_id, values_dict } of page.rows) yield { id: row_id, values: values_dict as Row };
      starting_token = page.next_starting_token;
    }
  }
}
