import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { isBefore } from '../../../core/kernel/timestamp.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { DIFFICULT } from '../difficult-records.ts';
import { enableScorer, type Fixture, span, stored, trace, write } from './record-stores.ts';

const never = (): boolean => false;
const always = (): boolean => true;

/** The part of the contract of `TraceStore` that is about `amend`. */
export function amending(fixture: Fixture): void {
  const find = ({ project_id, id, run_id }: LogRecord) => fixture().stores.traceStore.find(project_id, id, run_id);
  const amend = (
    { project_id, run_id, id }: LogRecord,
    change: (record: LogRecord) => LogRecord,
    score: (r: LogRecord) => boolean = never,
  ) => fixture().stores.traceStore.amend(project_id, run_id, id, change, score);

  it('replaces a record by what is made of it', async () => {
    const { stores, run } = fixture();
    const parent = trace(run);
    const before = span(parent, { name: 'before', metrics: { a: 1 } });
    await write(stores, [parent, before]);
    const first = (await find(before))!;
    const [, every] = DIFFICULT[0]!;
    let seen: LogRecord | undefined;
    const answered = await amend(before, (record) => {
      seen = record;
      return { ...record, ...every };
    });
    expect(seen).toStrictEqual(first);
    expect(answered).toMatchObject({ ...every });
    const second = (await find(before))!;
    expect(second).toStrictEqual(stored({ ...before, ...every }));
    expect(isBefore(first.updated_at, second.updated_at)).toBe(true);
  });

  it('changes nothing when the change throws', async () => {
    const { stores, run } = fixture();
    await enableScorer(stores, run);
    const record = trace(run);
    await write(stores, [record]);
    const before = await find(record);
    const attempt = amend(
      record,
      () => {
        throw new RangeError('not like this');
      },
      always,
    );
    await expect(attempt).rejects.toThrow(RangeError);
    expect(await find(record)).toStrictEqual(before);
    expect(await stores.jobs(run)).toEqual([]);
  });

  it('returns undefined for a record that the run does not hold', async () => {
    const { stores, run } = fixture();
    const record = trace(run);
    await write(stores, [record]);
    const rename = (one: LogRecord) => ({ ...one, name: 'renamed' });
    for (const other of [{ id: randomUUID() }, { run_id: randomUUID() }, { project_id: randomUUID() }]) {
      expect(await amend({ ...record, ...other }, rename, always)).toBeUndefined();
    }
    expect(await find(record)).toMatchObject({ name: '' });
  });

  it('loses none of several changes at once', async () => {
    const { stores, run } = fixture();
    const record = trace(run);
    await write(stores, [record]);
    const tags = Array.from({ length: 12 }, (_, at) => `tag ${at}`);
    await Promise.all(tags.map((tag) => amend(record, (one) => ({ ...one, tags: [...one.tags, tag] }))));
    expect((await find(record))!.tags.toSorted()).toEqual(tags.toSorted());
  });

  it('completes a trace, and with it its spans', async () => {
    const { stores, run } = fixture();
    const record = trace(run, { is_complete: false });
    const child = span(record);
    await write(stores, [record, child]);
    await amend(record, (one) => ({ ...one, is_complete: true }));
    expect(await find(record)).toMatchObject({ is_complete: true });
    expect(await find(child)).toMatchObject({ is_complete: true });
  });

  it('asks for scoring of the trace when the new record calls for it and a scorer is enabled', async () => {
    const { stores, run } = fixture();
    const record = trace(run, { is_complete: false });
    const child = span(record);
    await write(stores, [record, child]);
    const done = ({ is_complete }: LogRecord) => is_complete;
    await amend(record, (one) => ({ ...one, name: 'without scorers' }), always);
    expect(await stores.jobs(run)).toEqual([]);
    await enableScorer(stores, run);
    await amend(record, (one) => ({ ...one, name: 'not done yet' }), done);
    expect(await stores.jobs(run)).toEqual([]);
    await amend(record, (one) => ({ ...one, is_complete: true }), done);
    await amend(child, (one) => ({ ...one, name: 'of a complete trace' }), done);
    expect(await stores.jobs(run)).toEqual([
      { ...run, trace_ids: [record.id] },
      { ...run, trace_ids: [record.id] },
    ]);
  });
}
