import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Comment } from '../../../core/comments/comment.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { newRun, type RecordStores, type RunKey, trace, write } from '../traces/record-stores.ts';

const MOST = 3;
const ALL = { offset: 0, limit: 100 };
const at = (second: number): string => `2026-11-22T10:00:0${second}.000Z`;

export function commentStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`CommentStore, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    let record: LogRecord;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
      record = trace(run);
      await write(stores, [record]);
    });
    afterAll(() => stores.close());

    const comment = (facts: Partial<Comment> = {}): Comment => ({
      ...{ id: randomUUID(), project_id: run.project_id, run_id: run.run_id, record_id: record.id },
      ...{ text: 'why so slow?', created_by: randomUUID(), created_at: at(1), updated_at: at(1), ...facts },
    });
    const put = (one: Comment) => stores.commentStore.insert(one, MOST);
    const ofRun = () => stores.commentStore.list({ ...run, record_id: undefined }, ALL);

    it('keeps comments newest first, by project, run and record', async () => {
      const other = trace(run);
      await write(stores, [other]);
      const [first, second] = [comment({ text: 'a\0b\ud800\uf8ff' }), comment({ record_id: other.id, created_at: at(2) })];
      for (const one of [first, second]) expect(await put(one)).toBe('kept');
      expect(await ofRun()).toStrictEqual([second, first]);
      const { project_id, run_id } = run;
      const listed = (selection: object, slice = ALL) =>
        stores.commentStore.list({ project_id, run_id: undefined, record_id: undefined, ...selection }, slice);
      expect(await listed({})).toStrictEqual([second, first]);
      expect(await listed({}, { offset: 1, limit: 1 })).toStrictEqual([first]);
      expect(await listed({ run_id, record_id: other.id })).toStrictEqual([second]);
      expect(await listed({ run_id: randomUUID() })).toEqual([]);
      expect(await listed({ project_id: randomUUID() })).toEqual([]);
    });

    it('changes and removes a comment of its own project only', async () => {
      const one = comment();
      await put(one);
      const changes = { text: 'solved', updated_at: at(5) };
      expect(await stores.commentStore.update(randomUUID(), one.id, changes)).toBeUndefined();
      expect(await stores.commentStore.find(randomUUID(), one.id)).toBeUndefined();
      expect(await stores.commentStore.remove(randomUUID(), one.id)).toBe(false);
      expect(await stores.commentStore.update(run.project_id, one.id, changes)).toStrictEqual({ ...one, ...changes });
      expect(await stores.commentStore.find(run.project_id, one.id)).toStrictEqual({ ...one, ...changes });
      expect(await stores.commentStore.remove(run.project_id, one.id)).toBe(true);
      expect(await stores.commentStore.remove(run.project_id, one.id)).toBe(false);
    });

    it('tells how many each record has, as a column of traces, spans and sessions too', async () => {
      const other = { ...trace(run), created_at: '2026-11-22T09:00:00.000Z' };
      const silent = { ...trace(run), created_at: '2026-11-22T08:00:00.000Z' };
      await write(stores, [other, silent]);
      for (const one of [comment(), comment(), comment({ record_id: other.id })]) await put(one);
      const counts = await stores.commentStore.counts(run.project_id, run.run_id, [record.id, other.id, silent.id, randomUUID()]);
      expect(counts).toStrictEqual(
        new Map([
          [record.id, 2],
          [other.id, 1],
        ]),
      );
      const [ids, all] = [[record.id, other.id, silent.id], { ...run, level: 'trace' as const }];
      const number = (operator: 'gt' | 'gte' | 'eq' | 'ne' | 'lt' | 'between', value: number | number[]) =>
        ({ and: [{ filter: { type: 'number', column_id: 'num_comments', operator, value } }] }) as const;
      const page = { starting_token: 0, limit: 10, after: undefined };
      const found = async (where: ReturnType<typeof number>) => {
        const listing = { ...page, sort: { column_id: 'num_comments', ascending: false } };
        const listed = await stores.traceStore.list({ ...all, where, ...listing });
        expect(await stores.traceStore.count({ ...all, where })).toBe(listed.length);
        const sessions = await stores.sessionStore.list({ ...run, where, ...listing });
        expect(sessions.map(({ id }) => ids.indexOf(id))).toEqual(listed.map(({ id }) => ids.indexOf(id)));
        return listed.map(({ id }) => ids.indexOf(id));
      };
      expect(await found(number('gt', 0))).toEqual([0, 1]);
      expect(await found(number('gte', 0))).toEqual([0, 1, 2]);
      expect(await found(number('eq', 0))).toEqual([2]);
      expect(await found(number('ne', 1))).toEqual([0, 2]);
      expect(await found(number('lt', 2))).toEqual([1, 2]);
      expect(await found(number('between', [1, 1]))).toEqual([1]);
      const behind = { sort: { column_id: 'num_comments', ascending: true }, starting_token: 0, limit: 10, after: other.id };
      const rest = await stores.sessionStore.list({ ...run, where: { and: [] }, ...behind });
      expect(rest.map(({ id }) => ids.indexOf(id))).toEqual([0]);
      expect(await stores.traceStore.facet({ ...all, where: { and: [] } }, 'num_comments', 10)).toEqual(
        ['0', '1', '2'].map((value) => ({ value, count: 1 })),
      );
    });

    it('takes none about what is not there, and no more than there may be, also of those that come at once', async () => {
      expect(await put(comment({ record_id: randomUUID() }))).toBe('record_missing');
      expect(await put(comment({ run_id: randomUUID() }))).toBe('record_missing');
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => put(comment())));
      expect(outcomes.sort()).toEqual(['full', 'full', 'kept', 'kept', 'kept']);
      expect(await ofRun()).toHaveLength(MOST);
    });

    it('lets comments go with their record, and with their run', async () => {
      const kept = trace(run);
      await write(stores, [kept]);
      await put(comment());
      const left = comment({ record_id: kept.id });
      await put(left);
      await stores.recordRemoval.removeTraces(run.project_id, run.run_id, [record.id]);
      expect(await ofRun()).toStrictEqual([left]);
      await stores.traceStore.removeAll(run.project_id, run.run_id);
      expect(await ofRun()).toEqual([]);
    });
  });
}
