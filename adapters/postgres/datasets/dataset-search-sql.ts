import { sql } from 'kysely';
import type { PlacedBlock } from '../../../core/datasets/block.ts';
import type { RowPlace } from '../../../core/datasets/content.ts';
import type { CellFilter, CellSort } from '../../../core/datasets/dataset-content-store.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { allOf, type Condition, type Fragment } from '../database/sql.ts';
import { encodeText } from '../database/text-codec.ts';
import { cellNumberSql, cellTextSql } from './dataset-cells-codec.ts';

/** Index and revision of the rows that are looked for. All rows of the version are looked at, none is answered whole. */
export function searchSql(
  dataset_id: string,
  blocks: readonly PlacedBlock[],
  filters: readonly CellFilter[],
  sort: CellSort | undefined,
  { limit, offset }: Slice,
): Fragment<RowPlace> {
  return sql`
    select (b.start + e.at - 1)::int as index, r.revision
    from unnest(${blocks.map(({ id }) => id)}::int[], ${blocks.map(({ start }) => start)}::int[]) as b(id, start)
    join dataset_blocks k on k.dataset_id = ${dataset_id} and k.block_id = b.id
    cross join lateral unnest(k.revisions) with ordinality as e(revision, at)
    join dataset_rows r on r.dataset_id = ${dataset_id} and r.revision = e.revision
    where ${allOf(filters.map(toCondition))}
    order by ${sql.join([...computeOrder(sort), sql`index`])} limit ${limit} offset ${offset}`;
}

function toCondition({ key, operator, value }: CellFilter): Condition {
  const text = sql`${cellTextSql(sql`${String(key)}::text`)} collate "C"`;
  const wanted = sql`${encodeText(value)}::text`;
  if (operator === 'contains') return sql`strpos(${text}, ${wanted}) > 0`;
  return operator === 'eq' ? sql`${text} = ${wanted}` : sql`${text} is distinct from ${wanted}`;
}

function computeOrder(sort: CellSort | undefined): Fragment[] {
  if (!sort) return [];
  const key = sql`${String(sort.key)}::text`;
  const [text, number] = [cellTextSql(key), cellNumberSql(key)];
  const rank = sql`case when ${number} is not null then 0 when ${text} is not null then 1 else 2 end`;
  const direction = sort.ascending ? sql`asc` : sql`desc`;
  return [rank, number, sql`${text} collate "C"`].map((term) => sql`${term} ${direction}`);
}
