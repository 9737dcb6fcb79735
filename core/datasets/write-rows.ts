import type { NewId } from '../kernel/ports.ts';
import type { NextVersion } from './next-version.ts';
import type { RowSource } from './row.ts';

/** Appends all rows of a source, batch by batch. */
export async function writeRows(next: NextVersion, { columns, batches }: RowSource, newId: NewId): Promise<void> {
  for (const name of columns) next.columns.getKey(name);
  for await (const batch of batches) await next.append(batch.map((values) => ({ row_id: newId(), values })));
}
