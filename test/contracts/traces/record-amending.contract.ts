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

  it('changes several records at once, of those that are there, and leaves those as they are of which nothing is made', async () => {
    const { stores, run } = fixture();
    await enableScorer(stores, run);
    const parent = trace(run, { name: 'kept' });
    const [first, second] = [span(parent, { name: 'first' }), span(parent, { name: 'second' })];
    await write(stores, [parent, first, second]);
    const before = await find(parent);
    const jobs = await stores.jobs(run);
    const [, every] = DIFFICULT[0]!;
    const ids = [second, parent, first].map(({ id }) => id);
    const change = (record: LogRecord) =>
      record.id === parent.id ? undefined : { ...record, ...every, name: `${record.name}, changed` };
    const changed = await stores.traceStore.amendAll(run.project_id, run.run_id, [...ids, randomUUID()], change, never);
    expect(changed.map(({ name }) => name).toSorted()).toEqual(['first, changed', 'second, changed']);
    expect(await find(first)).toStrictEqual(stored({ ...first, ...every, name: 'first, changed' }));
    expect(await find(parent)).toStrictEqual(before);
    expect(await stores.jobs(run)).toEqual(jobs);
    expect(await stores.traceStore.amendAll(run.project_id, randomUUID(), ids, (record) => record, never)).toEqual([]);
  });

  it('changes none of several records when one of the changes throws', async () => {
    const { stores, run } = fixture();
    const parent = trace(run, { name: 'before' });
    const child = span(parent, { name: 'before' });
    await write(stores, [parent, child]);
    let calls = 0;
    const attempt = stores.traceStore.amendAll(
      run.project_id,
      run.run_id,
      [parent.id, child.id],
      (record) => {
        if (++calls === 2) throw new RangeError('not like this');
        return { ...record, name: 'after' };
      },
      never,
    );
    await expect(attempt).rejects.toThrow(RangeError);
    expect([(await find(parent))!.name, (await find(child))!.name]).toEqual(['before', 'before']);
  });

  it('loses none of several changes of several records at once', async () => {
    const { stores, run } = fixture();
    const parent = trace(run);
    const child = span(parent);
    await write(stores, [parent, child]);
    const tags = Array.from({ length: 8 }, (_, at) => `tag ${at}`);
    await Promise.all(
      tags.map((tag, at) =>
        stores.traceStore.amendAll(
          run.project_id,
          run.run_id,
          at % 2 ? [parent.id, child.id] : [child.id, parent.id],
          (one) => ({
            ...one,
            tags: [...one.tags, tag],
          }),
          never,
        ),
      ),
    );
    expect((await find(child))!.tags.toSorted()).toEqual(tags);
    expect((await find(parent))!.tags.toSorted()).toEqual(tags);
  });

  it('asks once for the scoring of traces of which several records were changed', async () => {
    const { stores, run } = fixture();
    await enableScorer(stores, run);
    const parent = trace(run);
    const child = span(parent);
    await write(stores, [parent, child]);
    const jobs = await stores.jobs(run);
    const rename = (record: LogRecord) => ({ ...record, name: 'renamed' });
    await stores.traceStore.amendAll(run.project_id, run.run_id, [parent.id, child.id], rename, always);
    expect(await stores.jobs(run)).toEqual([...jobs, { ...run, trace_ids: [parent.id] }]);
  });

  it('lists the metrics of traces and of their model calls, and of no other spans, traces or runs', async () => {
    const { stores, run } = fixture();
    const [one, other, third] = [trace(run, { metrics: { cost: 1 } }), trace(run), trace(run)];
    const call = span(one, { type: 'llm', metrics: { num_input_tokens: 3, 'own \u0000 name': 1 } });
    const tool = span(one, { type: 'tool', metrics: { num_input_tokens: 5 } });
    await write(stores, [one, other, third, call, tool, span(third, { type: 'llm' })]);
    const listed = await stores.traceStore.listMetrics(run.project_id, run.run_id, [one.id, other.id, randomUUID()]);
    const expected = [one, other, call].map(({ id, trace_id, type, metrics }) => ({ id, trace_id, type, metrics }));
    const inOrder = (records: readonly { readonly id: string }[]) => records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(inOrder(listed)).toEqual(inOrder(expected));
    expect(await stores.traceStore.listMetrics(run.project_id, randomUUID(), [one.id])).toEqual([]);
  });
}
