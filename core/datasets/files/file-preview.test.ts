import { expect, it } from 'vitest';
import { StreamingRowFileReader } from '../../../adapters/files/streaming-row-file-reader.ts';
import { request } from '../../../test/fixtures/datasets/read-whole.ts';
import { ColumnMapping } from '../column-mapping.ts';
import { previewOf } from './file-preview.ts';
import { bytesAsFile } from './file-source.ts';

const preview = async (content: string, limit: number, mapping?: object) => {
  const reading = await new StreamingRowFileReader().open(
    bytesAsFile(new TextEncoder().encode(content)),
    request({ refused_rows: 'skip' }),
  );
  return previewOf(reading, limit, mapping && ColumnMapping.parse(mapping));
};
const csv = 'question,topic,answer\nq1,t1,a1\nq2,,a2\nq3,t3,a3\n';

it('shows the first rows of a file with every column', async () => {
  expect(await preview(csv, 2)).toEqual({
    columns: ['question', 'topic', 'answer'],
    rows: [
      { question: 'q1', topic: 't1', answer: 'a1' },
      { question: 'q2', topic: null, answer: 'a2' },
    ],
  });
});

it('shows them as a mapping has them', async () => {
  const mapping = { input: ['question'], output: null, metadata: { columns: ['topic', 'answer'] } };
  expect(await preview(csv, 2, mapping)).toEqual({
    columns: ['input', 'metadata'],
    rows: [
      { input: 'q1', metadata: { topic: 't1', answer: 'a1' } },
      { input: 'q2', metadata: { answer: 'a2' } },
    ],
  });
});

it('finds columns that only later rows have', async () => {
  expect(await preview('{"a":1}\n{"b":2}\n{"c":3}\n', 2)).toEqual({
    columns: ['a', 'b'],
    rows: [
      { a: 1, b: null },
      { a: null, b: 2 },
    ],
  });
});

it('refuses a mapping of columns that are not there', async () => {
  await expect(preview(csv, 2, { input: ['nothing'] })).rejects.toMatchObject({ kind: 'invalid', code: 'mapping_invalid' });
});
