import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StoredQueue } from '../../../core/annotation/annotation-queue.ts';
import type { AnnotationQueueStore } from '../../../core/annotation/annotation-queue-store.ts';
import { newRun, type RecordStores, type RunKey } from '../traces/record-stores.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 2, 3, minute)).toISOString();
const ALL = { offset: 0, limit: 100 };

/** The stores are opened once; every test works on a queue of its own. */
export function annotationQueueStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`AnnotationQueueStore, ${adapter}`, () => {
    let stores: RecordStores;
    let store: AnnotationQueueStore;
    let run: RunKey;
    let queue: StoredQueue;
    beforeAll(async () => {
      stores = await open();
      store = stores.annotationQueueStore;
    });
    beforeEach(async () => {
      run = await newRun(stores);
      const facts = { id: randomUUID(), name: 'a queue', template_ids: [randomUUID()], created_by: null };
      queue = { ...run, ...facts, created_at: at(0) };
      await store.insert(queue);
    });
    afterAll(() => stores.close());

    const [ann, bob] = [randomUUID(), randomUUID()];
    const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
    const add = (...ids: string[]) => store.addItems(run.project_id, queue.id, ids);
    const claim = (who: string, now = 0) => store.claim(run.project_id, queue.id, who, at(now), at(now + 30));
    const end = (id: string, status: 'done' | 'skipped' = 'done') =>
      store.end(run.project_id, queue.id, id, { status, ended_by: ann, ended_at: at(1) });
    const found = () => store.find(run.project_id, queue.id);

    it('lists the queues of a project, the newest first, with how far they are', async () => {
      await add(one, two, three);
      await end(one);
      await end(two, 'skipped');
      const later = { ...queue, id: randomUUID(), created_at: at(5) };
      await store.insert(later);
      const nothing = { num_pending: 0, num_done: 0, num_skipped: 0 };
      const counted = { ...queue, num_pending: 1, num_done: 1, num_skipped: 1 };
      expect(await store.list(run.project_id)).toEqual([{ ...later, ...nothing }, counted]);
      expect(await found()).toEqual(counted);
      expect(await store.find(randomUUID(), queue.id)).toBeUndefined();
    });

    it('takes each record once', async () => {
      expect(await add(one, two, one)).toBe(2);
      expect(await add(two, three)).toBe(1);
      expect(await found()).toMatchObject({ num_pending: 3 });
    });

    it('gives records out in order, each to one annotator, who gets the same one again until it ends', async () => {
      await add(one, two);
      expect(await claim(ann)).toBe(one);
      expect(await claim(bob)).toBe(two);
      expect(await claim(ann)).toBe(one);
      expect(await claim(randomUUID())).toBeUndefined();
      expect(await end(one)).toBe(true);
      expect(await claim(ann)).toBeUndefined();
    });

    it('gives a record out again once nobody came back in time', async () => {
      await add(one);
      expect(await claim(ann, 0)).toBe(one);
      expect(await claim(bob, 29)).toBeUndefined();
      expect(await claim(bob, 31)).toBe(one);
      expect(await claim(ann, 32)).toBeUndefined();
    });

    it('gives no record to two annotators who ask at once', async () => {
      await add(...Array.from({ length: 5 }, () => randomUUID()));
      const given = await Promise.all(Array.from({ length: 8 }, () => claim(randomUUID())));
      const records = given.filter((id) => id !== undefined);
      expect(new Set(records).size).toBe(records.length);
    });

    it('ends an item once, and lists what is done in order', async () => {
      await add(one, two, three);
      for (const id of [three, one]) expect(await end(id)).toBe(true);
      expect(await end(one)).toBe(false);
      expect(await end(randomUUID())).toBe(false);
      await end(two, 'skipped');
      expect(await store.listDone(run.project_id, queue.id, ALL)).toEqual([one, three]);
      expect(await store.listDone(run.project_id, queue.id, { offset: 1, limit: 1 })).toEqual([three]);
    });

    it('goes with all its items', async () => {
      await add(one);
      expect(await store.remove(randomUUID(), queue.id)).toBe(false);
      expect(await store.remove(run.project_id, queue.id)).toBe(true);
      expect(await found()).toBeUndefined();
      expect(await claim(ann)).toBeUndefined();
    });
  });
}
