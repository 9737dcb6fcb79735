import type { Clock } from '../../kernel/ports.ts';
import type { RowValues } from '../row.ts';
import { advanced } from './import-job.ts';
import type { ImportProgress } from './import-progress.ts';
import type { FileReading } from './row-file-reader.ts';

/** As often as somebody watching wants to see a number change. */
const EVERY_MS = 500;

/**
 * The same rows, and the progress of the job with this id told as they are taken, not more often than twice a second. Nobody
 * waits for it: rows are taken inside a transaction, and what is told goes by another connection, of which there may be
 * none for now. A failure to tell is no failure of the import.
 */
export function watchedReading(
  reading: FileReading,
  { id, bytes_total, progress, clock }: { id: string; bytes_total: number; progress: ImportProgress; clock: Clock },
): FileReading {
  let told = Number.NEGATIVE_INFINITY;
  let telling = false;
  const tell = (now: Date): void => {
    if (telling || now.getTime() - told < EVERY_MS) return;
    told = now.getTime();
    telling = true;
    const step = { phase: 'storing', ...reading.progress(), bytes_total } as const;
    void progress
      .update(id, (job) => advanced(job, step, now.toISOString()))
      .catch(() => {})
      .finally(() => {
        telling = false;
      });
  };
  async function* batches(): AsyncGenerator<readonly RowValues[]> {
    for await (const batch of reading.batches) {
      yield batch;
      tell(clock());
    }
  }
  const { format, columns } = reading;
  return { format, columns, batches: batches(), progress: () => reading.progress(), report: () => reading.report() };
}
