import type { DatasetContent } from '../../core/datasets/content.ts';
import type { DatasetDiff } from '../../core/datasets/diff.ts';
import { get, send } from '../api/client.ts';
import type { Base } from './draft.ts';

export interface RowSearch {
  readonly column_name: string;
  readonly value: string;
}

export interface WantedRows {
  readonly version_index: number;
  readonly starting_token: number;
  readonly limit: number;
  /** Of the current version only. */
  readonly search?: RowSearch | undefined;
}

export interface ReadRows {
  readonly content: DatasetContent;
  readonly base: Base;
}

/** Rows with the version that they are of: what edits of them are made against. */
export async function readRows(dataset_id: string, wanted: WantedRows, signal?: AbortSignal): Promise<ReadRows> {
  const { version_index, starting_token, limit, search } = wanted;
  const path = `/datasets/${dataset_id}`;
  const page = { query: { starting_token, limit }, signal };
  const reply = search
    ? await send('POST', `${path}/content/query`, { ...page, body: { filters: [{ ...search, operator: 'contains' }] } })
    : await send('GET', `${path}/versions/${version_index}/content`, page);
  return { content: (await reply.json()) as DatasetContent, base: { version_index, tag: reply.headers.get('ETag') ?? '*' } };
}

const MOST_AT_ONCE = 1000;

/** All that differs between two versions, however many pages that is. */
export async function wholeDiff(dataset_id: string, from: number, to: number): Promise<DatasetDiff> {
  const pageAt = (starting_token: number) =>
    get<DatasetDiff>(`/datasets/${dataset_id}/versions/${from}/diff/${to}`, { query: { starting_token, limit: MOST_AT_ONCE } });
  const first = await pageAt(0);
  const rows = [...first.rows];
  for (let next = first.next_starting_token; next !== null; ) {
    const page = await pageAt(next);
    rows.push(...page.rows);
    next = page.next_starting_token;
  }
  return { ...first, rows };
}
