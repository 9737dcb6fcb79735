import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { advanced, ended, startedImport } from '../../../core/datasets/files/import-job.ts';
import type { ImportProgress } from '../../../core/datasets/files/import-progress.ts';
import type { Transactions } from '../../../core/kernel/ports.ts';
import type { Opened } from '../opened.ts';

export interface OpenedProgress extends Opened<ImportProgress> {
  /** Those of the stores beside it. */
  readonly transactions: Transactions;
}

const at = (second: number): string => `2026-01-02T03:04:${String(second).padStart(2, '0')}.000Z`;
const step = (rows_read: number) => ({ phase: 'storing', rows_read, bytes_read: rows_read * 100, bytes_total: 1_000 }) as const;

export function importProgressContract(adapter: string, open: () => Promise<OpenedProgress>): void {
  describe(`ImportProgress, ${adapter}`, () => {
    let opened: OpenedProgress;
    let port: ImportProgress;
    beforeEach(async () => {
      opened = await open();
      port = opened.port;
    });
    afterEach(() => opened.close());
    const started = async (second = 0) => {
      const job = startedImport(randomUUID(), randomUUID(), at(second));
      await port.start(job);
      return job;
    };

    it('finds what was started, and knows no other', async () => {
      const job = await started();
      expect(await port.find(job.id)).toStrictEqual(job);
      expect(await port.find(randomUUID())).toBeUndefined();
    });

    it('refuses a taken id, and keeps what was there', async () => {
      const job = await started();
      await expect(port.start({ ...job, rows_read: 7 })).rejects.toMatchObject({ kind: 'conflict', code: 'import_exists' });
      expect(await port.find(job.id)).toStrictEqual(job);
    });

    it('keeps an import up to its end with its error and whatever characters that holds', async () => {
      const job = await started();
      await port.update(job.id, (known) => advanced(known, step(5), at(1)));
      expect(await port.find(job.id)).toStrictEqual(advanced(job, step(5), at(1)));
      const outcome = { phase: 'failed', error: { code: 'file_malformed', message: 'a\0b\ud800' }, report: null } as const;
      await port.update(job.id, (known) => ended(known, outcome, at(2)));
      expect(await port.find(job.id)).toMatchObject({ phase: 'failed', rows_read: 5, error: outcome.error, finished_at: at(2) });
    });

    it('passes by an update of an unknown id', async () => {
      await port.update(randomUUID(), (job) => job);
    });

    it('takes updates one at a time', async () => {
      const job = await started();
      await Promise.all(
        Array.from({ length: 10 }, () => port.update(job.id, (known) => ({ ...known, rows_read: known.rows_read + 1 }))),
      );
      expect(await port.find(job.id)).toMatchObject({ rows_read: 10 });
    });

    it('is seen at once, and stays, when it is written within a transaction that is undone', async () => {
      const job = await started();
      const failing = opened.transactions.run(async () => {
        await port.update(job.id, (known) => advanced(known, step(5), at(1)));
        throw new Error('undone');
      });
      await expect(failing).rejects.toThrow('undone');
      expect(await port.find(job.id)).toMatchObject({ rows_read: 5 });
    });

    it('forgets what was last heard of before a time', async () => {
      const [old, recent] = [await started(0), await started(0)];
      await port.update(recent.id, (known) => advanced(known, step(1), at(5)));
      expect(await port.forgetBefore(at(5))).toBe(1);
      expect(await port.find(old.id)).toBeUndefined();
      expect(await port.find(recent.id)).toBeDefined();
    });
  });
}
