import { expect, it } from 'vitest';
import { StreamingRowFileReader } from '../../../adapters/files/streaming-row-file-reader.ts';
import { MemoryImportProgress } from '../../../adapters/memory/datasets/memory-import-progress.ts';
import { gathered, inChunks, readWhole, request } from '../../../test/fixtures/datasets/read-whole.ts';
import { advanced, asWatched, ended, startedImport } from './import-job.ts';
import { watchedReading } from './watched-reading.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 2, 3, 4, second)).toISOString();
const job = startedImport('i1', 'u1', at(0));
const step = (phase: 'receiving' | 'reading' | 'storing', rows_read: number, bytes_total: number | null = null) => ({
  phase,
  rows_read,
  bytes_read: rows_read * 10,
  bytes_total,
});
const failed = { phase: 'failed', error: { code: 'file_empty', message: 'the file is empty' }, report: null } as const;

it('goes forward only, in whatever order it is told of its steps', () => {
  const forward = advanced(advanced(job, step('reading', 5, 900), at(1)), step('storing', 9), at(2));
  expect(forward).toMatchObject({ phase: 'storing', rows_read: 9, bytes_read: 90, bytes_total: 900, updated_at: at(2) });
  expect(advanced(forward, step('reading', 7), at(1))).toEqual(forward);
});

it('ends once: neither a late step nor another end changes it', async () => {
  const { report } = await readWhole('a\n1\n2\n', { format: 'csv' });
  const done = ended(advanced(job, step('storing', 1), at(1)), { phase: 'finished', dataset_id: 'd1', report }, at(2));
  expect(done).toMatchObject({
    phase: 'finished',
    dataset_id: 'd1',
    rows_read: 2,
    bytes_read: 6,
    error: null,
    finished_at: at(2),
  });
  expect(advanced(done, step('storing', 99), at(3))).toEqual(done);
  expect(ended(done, failed, at(3))).toEqual(done);
});

it('has failed for whoever watches it once it was silent for two minutes', () => {
  expect(asWatched(job, at(119))).toEqual(job);
  expect(asWatched(job, at(120))).toMatchObject({ phase: 'failed', error: { code: 'import_interrupted' }, finished_at: at(0) });
  const end = ended(job, failed, at(1));
  expect(asWatched(end, at(500))).toEqual(end);
});

it('tells its progress while rows are taken, twice a second at most, and gives the same rows', async () => {
  const progress = new MemoryImportProgress();
  await progress.start(job);
  const content = `a\n${'x\n'.repeat(5_500)}`;
  const reading = await new StreamingRowFileReader().open(inChunks(content, 1_000), request({ format: 'csv' }));
  let millis = 0;
  const clock = () => {
    millis += 200;
    return new Date(Date.parse(at(1)) + millis);
  };
  const watched = watchedReading(reading, { id: 'i1', bytes_total: content.length, progress, clock });
  const seen: number[] = [];
  let rows = 0;
  for await (const batch of watched.batches) {
    rows += batch.length;
    seen.push((await progress.find('i1'))!.rows_read);
  }
  expect(rows).toBe(5_500);
  expect(seen).toEqual([0, 1000, 1000, 1000, 4000, 4000]);
  expect(await progress.find('i1')).toMatchObject({ phase: 'storing', bytes_total: content.length });
});

it('goes on when its progress cannot be told', async () => {
  const progress = new MemoryImportProgress();
  progress.update = () => Promise.reject(new Error('no connection'));
  const reading = await new StreamingRowFileReader().open(inChunks('a\n1\n', 10), request({ format: 'csv' }));
  const watched = watchedReading(reading, { id: 'i1', bytes_total: 4, progress, clock: () => new Date() });
  expect((await gathered(watched.batches)).flat()).toEqual([{ a: '1' }]);
});
