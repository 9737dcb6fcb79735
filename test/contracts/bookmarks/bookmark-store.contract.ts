import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Bookmark } from '../../../core/bookmarks/bookmark.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { newRun, type RecordStores, type RunKey, trace, write } from '../traces/record-stores.ts';

const MOST = 3;
const ALL = { offset: 0, limit: 100 };
const at = (second: number): string => `2026-11-22T10:00:0${second}.000Z`;

export function bookmarkStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`BookmarkStore, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    let record: LogRecord;
    let user_id: string;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      [run, user_id] = [await newRun(stores), randomUUID()];
      record = trace(run, { name: 'a\0b\ud800\uf8ff' });
      await write(stores, [record]);
    });
    afterAll(() => stores.close());

    const bookmark = (facts: Partial<Bookmark> = {}): Bookmark => ({
      ...{ project_id: run.project_id, run_id: run.run_id, record_id: record.id, user_id },
      ...{ is_shared: false, created_at: at(1), ...facts },
    });
    const put = (one: Bookmark) => stores.bookmarkStore.put(one, MOST);
    const list = (facts: object = {}, slice = ALL) =>
      stores.bookmarkStore.list({ project_id: run.project_id, run_id: undefined, user_id, own_only: false, ...facts }, slice);
    const ofTrace = (one: LogRecord) => ({ record_type: 'trace', trace_id: one.id, name: one.name });

    it('keeps one bookmark of a user and a record, newest first, with what the record is called', async () => {
      const other = trace(run);
      await write(stores, [other]);
      const [first, second] = [bookmark(), bookmark({ record_id: other.id, created_at: at(2) })];
      for (const one of [first, second]) expect(await put(one)).toBe('kept');
      const shown = [
        { ...second, ...ofTrace(other) },
        { ...first, ...ofTrace(record) },
      ];
      expect(await list()).toStrictEqual(shown);
      expect(await list({ run_id: run.run_id }, { offset: 1, limit: 1 })).toStrictEqual([shown[1]]);
      expect(await list({ run_id: randomUUID() })).toEqual([]);
      expect(await list({ project_id: randomUUID() })).toEqual([]);
      expect(await put(bookmark({ is_shared: true, created_at: at(5) }))).toBe('kept');
      expect(await stores.bookmarkStore.find(first)).toStrictEqual({ ...shown[1], is_shared: true });
      expect(await stores.bookmarkStore.find({ ...first, user_id: randomUUID() })).toBeUndefined();
    });

    it('shows those of others where they are shared', async () => {
      const [hidden, shared] = [bookmark({ user_id: randomUUID() }), bookmark({ user_id: randomUUID(), is_shared: true })];
      for (const one of [hidden, shared, bookmark({ created_at: at(3) })]) await put(one);
      expect((await list()).map((one) => one.user_id)).toEqual([user_id, shared.user_id]);
      expect((await list({ own_only: true })).map((one) => one.user_id)).toEqual([user_id]);
      expect(await stores.bookmarkStore.recordIds(run.project_id, run.run_id, user_id)).toEqual([record.id]);
      expect(await stores.bookmarkStore.recordIds(run.project_id, randomUUID(), user_id)).toEqual([]);
      expect(await stores.bookmarkStore.recordIds(run.project_id, run.run_id, randomUUID())).toEqual([]);
    });

    it('takes none on what is not there, and no more than there may be, also of those that come at once', async () => {
      expect(await put(bookmark({ record_id: randomUUID() }))).toBe('record_missing');
      expect(await put(bookmark({ run_id: randomUUID() }))).toBe('record_missing');
      const others = Array.from({ length: MOST + 2 }, () => trace(run));
      await write(stores, others);
      const outcomes = await Promise.all(others.map(({ id }) => put(bookmark({ record_id: id }))));
      expect(outcomes.sort()).toEqual(['full', 'full', 'kept', 'kept', 'kept']);
      const [kept] = await list();
      expect(await put(bookmark({ record_id: kept!.record_id, is_shared: true }))).toBe('kept');
      expect(await put(bookmark({ user_id: randomUUID() }))).toBe('kept');
    });

    it('removes one, those of a user, and those of records that go', async () => {
      const other = trace(run);
      await write(stores, [other]);
      const [first, second] = [bookmark(), bookmark({ record_id: other.id })];
      const strangers = bookmark({ record_id: other.id, user_id: randomUUID(), is_shared: true });
      for (const one of [first, second, strangers]) await put(one);
      expect(await stores.bookmarkStore.remove({ ...first, user_id: randomUUID() })).toBe(false);
      expect(await stores.bookmarkStore.remove(first)).toBe(true);
      expect(await stores.bookmarkStore.remove(first)).toBe(false);
      await put(first);
      await stores.recordRemoval.removeTraces(run.project_id, run.run_id, [record.id]);
      expect((await list()).map(({ record_id }) => record_id)).toEqual([other.id, other.id]);
      await stores.bookmarkStore.removeAllOf(user_id);
      expect((await list()).map((one) => one.user_id)).toEqual([strangers.user_id]);
      await stores.traceStore.removeAll(run.project_id, run.run_id);
      expect(await list()).toEqual([]);
    });

    it('tells spans and sessions from traces', async () => {
      const span = { ...trace(run, { name: 'ask' }), type: 'llm' as const, trace_id: record.id, session_id: record.session_id };
      const session_id = randomUUID();
      await write(stores, [span, trace(run, { session_id })]);
      for (const [second, record_id] of [span.id, session_id].entries())
        expect(await put(bookmark({ record_id, created_at: at(second) }))).toBe('kept');
      expect(await list()).toMatchObject([
        { record_id: session_id, record_type: 'session', trace_id: null, name: '' },
        { record_id: span.id, record_type: 'span', trace_id: record.id, name: 'ask' },
      ]);
      await stores.sessionStore.remove({
        ...run,
        where: { filter: { type: 'id', column_id: 'id', operator: 'eq', value: session_id } },
      });
      expect((await list()).map(({ record_id }) => record_id)).toEqual([span.id]);
    });
  });
}
