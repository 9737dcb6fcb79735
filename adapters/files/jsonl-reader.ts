import { invalid } from '../../core/datasets/files/file-refusal.ts';
import type { ImportTally } from '../../core/datasets/files/import-tally.ts';
import type { RawRow } from '../../core/datasets/files/row-reading.ts';
import { checkedUtf8 } from './checked-utf8.ts';
import { rowOfJson } from './json-row.ts';
import type { OpenRows } from './opened-rows.ts';

/** One JSON object per line; blank lines are none. A line that is not one refuses its row only. */
export const openJsonLines: OpenRows = async (file, { limits }, tally) => ({
  columns: [],
  rows: toRows(toLines(checkedUtf8(file.chunks(), tally), limits.max_row_length), tally),
});

async function* toRows(lines: AsyncIterable<readonly string[]>, tally: ImportTally): AsyncGenerator<RawRow> {
  let line = 0;
  for await (const some of lines) {
    for (const text of some) {
      line += 1;
      if (text.trim() === '') tally.note('blank_lines_skipped', 'blank lines are no rows');
      else yield rowOfJson(text, line, tally);
    }
  }
}

/** The lines that each chunk completes. What comes after the last line break is a line unless it is nothing. */
async function* toLines(chunks: AsyncIterable<Uint8Array>, maxLength: number): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let open = '';
  for await (const chunk of chunks) {
    const lines = (open + decoder.decode(chunk, { stream: true })).split('\n');
    open = lines.pop() ?? '';
    if (open.length > maxLength) throw invalid('file_malformed', `a line is longer than ${maxLength} characters`);
    yield lines;
  }
  if (open !== '') yield [open];
}
