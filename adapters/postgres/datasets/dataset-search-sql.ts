import type { PlacedBlock } from '../../../core/datasets/block.ts';
import type { CellFilter, CellSort } from '../../../core/datasets/dataset-content-store.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { encodeText } from '../database/text-codec.ts';
import { Parameters } from '../traces/filter-sql.ts';
import { cellNumberSql, cellTextSql } from './dataset-cells-codec.ts';

/** Index and revision of the rows that are looked for. All rows of the version are looked at, none is answered whole. */
export function searchSql(
  dataset_id: string,
  blocks: readonly PlacedBlock[],
  filters: readonly CellFilter[],
  sort: CellSort | undefined,
  { limit, offset }: Slice,
): { statement: string; parameters: unknown[] } {
  const parameters = new Parameters();
  const bind = (value: unknown) => parameters.bind(value);
  const dataset = bind(dataset_id);
  const placedBlocks = `unnest(${bind(blocks.map(({ id }) => id))}::int[], ${bind(blocks.map(({ start }) => start))}::int[])`;
  const conditions = filters.map((filter) => toCondition(filter, bind));
  const statement = `
    select (b.start + e.at - 1)::int as index, r.revision
    from ${placedBlocks} as b(id, start)
    join dataset_blocks k on k.dataset_id = ${dataset} and k.block_id = b.id
    cross join lateral unnest(k.revisions) with ordinality as e(revision, at)
    join dataset_rows r on r.dataset_id = ${dataset} and r.revision = e.revision
    where ${['true', ...conditions].join(' and ')}
    order by ${[...computeOrder(sort, bind), 'index'].join(', ')} limit ${bind(limit)} offset ${bind(offset)}`;
  return { statement, parameters: parameters.values };
}

type Bind = (value: unknown) => string;

function toCondition({ key, operator, value }: CellFilter, bind: Bind): string {
  const text = `${cellTextSql(`${bind(String(key))}::text`)} collate "C"`;
  const wanted = `${bind(encodeText(value))}::text`;
  if (operator === 'contains') return `strpos(${text}, ${wanted}) > 0`;
  return operator === 'eq' ? `${text} = ${wanted}` : `${text} is distinct from ${wanted}`;
}

function computeOrder(sort: CellSort | undefined, bind: Bind): string[] {
  if (!sort) return [];
  const key = `${bind(String(sort.key))}::text`;
  const [text, number] = [cellTextSql(key), cellNumberSql(key)];
  const rank = `case when ${number} is not null then 0 when ${text} is not null then 1 else 2 end`;
  return [rank, number, `${text} collate "C"`].map((term) => `${term} ${sort.ascending ? 'asc' : 'desc'}`);
}
