import type { PageRequest } from '../kernel/query/page.ts';
import type { DatasetRow } from './content.ts';
import { toWarning } from './content.ts';
import type { StoredVersion } from './version.ts';

/** How many rows one reply may hold. */
export const MAX_ROWS_OF_REPLY = 100_000;
/** After this many bytes of rows a reply is cut and says where the next one begins. */
export const MAX_BYTES_OF_REPLY = 256 * 1024 * 1024;

/** After this many bytes of cells a page that is made at once is cut. Names and values of rows are told twice, so it is larger. */
export const MAX_BYTES_OF_PAGE = 8 * 1024 * 1024;

const PIECE = 64 * 1024;
const encoder = new TextEncoder();

/**
 * A page of content as the JSON text of a `DatasetContent`, in pieces of some 64 KiB that are made as they are asked for.
 * `rows` MUST hold the rows of the page, no more. The fields that say where the next page begins come after them: a page
 * is cut behind the row that makes it larger than `maxBytes`.
 */
export async function* contentJson(
  { columns, num_rows }: Pick<StoredVersion, 'columns' | 'num_rows'>,
  { starting_token, limit }: PageRequest,
  rows: AsyncIterable<readonly DatasetRow[]>,
  maxBytes = MAX_BYTES_OF_REPLY,
): AsyncGenerator<string> {
  const column_names = columns.map(({ name }) => name);
  const head = JSON.stringify({ starting_token, limit, column_names, warning_message: toWarning(column_names) });
  let piece = `${head.slice(0, -1)},"rows":[`;
  let [count, bytes] = [0, 0];
  for await (const row of each(rows)) {
    const text = JSON.stringify(row);
    piece += count === 0 ? text : `,${text}`;
    count += 1;
    bytes += encoder.encode(text).length;
    if (bytes >= maxBytes) break;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  const next = starting_token + count;
  const paginated = count > 0 && next < num_rows;
  yield `${piece}],"paginated":${paginated},"next_starting_token":${paginated ? next : null}}`;
}

async function* each<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const batch of batches) yield* batch;
}
