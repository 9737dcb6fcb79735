import { checkHeader } from '../../core/datasets/files/column-names.ts';
import { invalid } from '../../core/datasets/files/file-refusal.ts';
import type { ImportTally } from '../../core/datasets/files/import-tally.ts';
import type { RawRow } from '../../core/datasets/files/row-reading.ts';
import { HEAD_BYTES } from '../../core/datasets/files/seen-format.ts';
import { checkedUtf8 } from './checked-utf8.ts';
import { listsByColumn, rowsAcross } from './json-columns.ts';
import { rowOfJson } from './json-row.ts';
import { JsonListSplitter } from './json-splitter.ts';
import type { OpenRows } from './opened-rows.ts';

/** A list of objects, one per row; or an object of equally long lists, one per column. */
export const openJson: OpenRows = async (file, { limits }, tally) => {
  const head = new TextDecoder().decode(await file.read(0, HEAD_BYTES)).trimStart();
  if (!head.startsWith('{'))
    return { columns: [], rows: rowsOfList(checkedUtf8(file.chunks(), tally), limits.max_row_length, tally) };
  const lists = await listsByColumn(checkedUtf8(file.chunks(), tally), limits);
  const columns = lists.map(({ name }) => name);
  checkHeader(columns, limits);
  const shift = tally.report().notes.some(({ type }) => type === 'bom_removed') ? 3 : 0;
  return { columns, rows: rowsAcross(file, lists, shift, limits, tally) };
};

async function* rowsOfList(chunks: AsyncIterable<Uint8Array>, maxLength: number, tally: ImportTally): AsyncGenerator<RawRow> {
  const splitter = new JsonListSplitter(maxLength);
  let row = 0;
  for await (const chunk of chunks) {
    const { elements, used } = splitter.push(chunk);
    for (const text of elements) {
      row += 1;
      const raw = rowOfJson(text, null, tally);
      // Where one element is not JSON the file is not, and where the next one begins is a guess.
      if ('problem' in raw && raw.problem === 'not_json') throw invalid('file_malformed', `row ${row} is ${raw.msg}`, { row });
      yield raw;
    }
    if (new TextDecoder().decode(chunk.subarray(used)).trim() !== '')
      throw invalid('file_malformed', 'something follows the list');
  }
  if (!splitter.ended) throw invalid('file_malformed', 'the file ends before its list does');
}
