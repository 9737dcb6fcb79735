import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IngestBatchStore, NewBatch } from '../../../core/traces/batches/ingest-batch-store.ts';
import { newRun, type RecordStores } from './record-stores.ts';

const AT = '2026-11-23T10:00:00.000Z';
const LATER = '2026-11-23T10:00:20.000Z';

/** The stores are opened once; every test works in a project of its own. */
export function ingestBatchStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`IngestBatchStore, ${adapter}`, () => {
    let stores: RecordStores;
    let store: IngestBatchStore;
    let project_id: string;
    beforeAll(async () => {
      stores = await open();
      store = stores.ingestBatchStore;
    });
    beforeEach(async () => {
      ({ project_id } = await newRun(stores));
    });
    afterAll(() => stores.close());

    const batch = (facts: Partial<NewBatch> = {}): NewBatch => ({
      ...{ project_id, key: 'night/1', digest: 'of the body', received_at: AT, lapsed_before: '2026-11-23T09:59:45.000Z' },
      ...facts,
    });
    const again = (facts: Partial<NewBatch> = {}) =>
      batch({ received_at: LATER, lapsed_before: '2026-11-23T10:00:05.000Z', ...facts });
    const key = () => ({ project_id, key: 'night/1' });
    const pending = () => ({ ...key(), digest: 'of the body', status: 'pending', received_at: AT, stored_at: null, reply: null });

    it('lets one of those who claim a batch at the same time have it', async () => {
      const claims = await Promise.all(Array.from({ length: 8 }, () => store.claim(batch())));
      expect(claims.filter(({ kind }) => kind === 'claimed')).toEqual([{ kind: 'claimed', received_at: AT }]);
      expect(claims.find(({ kind }) => kind === 'known')).toEqual({ kind: 'known', batch: pending() });
      expect(await store.find(key())).toEqual(pending());
    });

    it('keeps the keys of projects apart', async () => {
      const { project_id: other } = await newRun(stores);
      await store.claim(batch());
      expect(await store.find({ project_id: other, key: 'night/1' })).toBeUndefined();
      expect(await store.claim(batch({ project_id: other }))).toEqual({ kind: 'claimed', received_at: AT });
    });

    it('shows a stored batch with its reply, and does not let it be claimed again', async () => {
      await store.claim(batch());
      const reply = { trace_ids: ['a'], text: 'a\u0000\ud800 lone' };
      await store.complete(key(), reply, LATER);
      const stored = { ...pending(), status: 'stored', stored_at: LATER, reply };
      expect(await store.find(key())).toEqual(stored);
      expect(await store.claim(again())).toEqual({ kind: 'known', batch: stored });
      await store.complete(key(), { other: true }, AT);
      await store.forget(key());
      expect(await store.find(key())).toEqual(stored);
    });

    it('gives a pending batch to the next when its claim has lapsed or was given up, with the time of the first', async () => {
      await store.claim(batch());
      expect((await store.claim(batch())).kind).toBe('known');
      expect(await store.claim(again())).toEqual({ kind: 'claimed', received_at: AT });
      expect((await store.claim(again())).kind).toBe('known');
      await store.giveUp(key());
      expect(await store.claim(again())).toEqual({ kind: 'claimed', received_at: AT });
    });

    it('never gives a batch to a request of another digest', async () => {
      await store.claim(batch());
      await store.giveUp(key());
      expect(await store.claim(again({ digest: 'of another' }))).toEqual({ kind: 'known', batch: pending() });
    });

    it('forgets a pending batch, whose key is free then', async () => {
      await store.claim(batch());
      await store.forget(key());
      expect(await store.find(key())).toBeUndefined();
      expect(await store.claim(again({ digest: 'of another' }))).toEqual({ kind: 'claimed', received_at: LATER });
    });

    it('removes batches older than a time, so many at once', async () => {
      for (const name of ['a', 'b', 'c']) await store.claim(batch({ key: name, received_at: '2001-01-01T00:00:00.000Z' }));
      await store.claim(batch());
      expect(await store.removeBefore('2001-01-02T00:00:00.000Z', 2)).toBe(2);
      expect(await store.removeBefore('2001-01-02T00:00:00.000Z', 2)).toBe(1);
      expect(await store.removeBefore('2001-01-02T00:00:00.000Z', 2)).toBe(0);
      expect(await store.find(key())).toEqual(pending());
    });

    it('loses the batches of a project with it', async () => {
      const { project_id: other } = await newRun(stores);
      for (const id of [project_id, other]) await store.claim(batch({ project_id: id }));
      await stores.traceStore.removeAll(project_id);
      await stores.projectStore.removeProject(project_id);
      expect(await store.find(key())).toBeUndefined();
      expect(await store.find({ project_id: other, key: 'night/1' })).toBeDefined();
    });
  });
}
