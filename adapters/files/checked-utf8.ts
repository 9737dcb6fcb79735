import { invalid } from '../../core/datasets/files/file-refusal.ts';
import type { ImportTally } from '../../core/datasets/files/import-tally.ts';

const BOM = [0xef, 0xbb, 0xbf];

/**
 * The bytes without a byte order mark, counted, and refused as soon as they are no UTF-8: what would be replaced in a value is
 * never stored.
 */
export async function* checkedUtf8(chunks: AsyncIterable<Uint8Array>, tally: ImportTally): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const chunk of chunks) {
    const atStart = tally.bytes_read === 0;
    check(decoder, chunk, tally.bytes_read);
    tally.bytes_read += chunk.length;
    if (!atStart || !BOM.every((byte, index) => chunk[index] === byte)) yield chunk;
    else {
      tally.note('bom_removed', 'the byte order mark at the beginning was taken off');
      yield chunk.subarray(BOM.length);
    }
  }
  check(decoder, undefined, tally.bytes_read);
}

function check(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array | undefined, from: number): void {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
  } catch (cause) {
    throw invalid('file_not_utf8', `the file is not valid UTF-8, near byte ${from + 1}`, { cause });
  }
}
