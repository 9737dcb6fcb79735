import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isBefore } from '../../../core/kernel/timestamp.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { DIFFICULT } from '../difficult-records.ts';
import { amending } from './record-amending.contract.ts';
import { recordListing } from './record-listing.contract.ts';
import {
  CREATED,
  enableScorer,
  type Fixture,
  getFixture,
  newRun,
  type RecordStores,
  type RunKey,
  span,
  stored,
  trace,
  write,
} from './record-stores.ts';

/** The stores are opened once; every test works in a run of its own. */
export function traceStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`TraceStore, ${adapter}`, () => {
    const fixture = getFixture(open);
    writing(fixture);
    refusing(fixture);
    asking(fixture);
    amending(fixture);
    reading(fixture);
    recordListing(fixture);
  });
}

function writing(fixture: Fixture): void {
  const find = ({ project_id, id, run_id }: LogRecord) => fixture().stores.traceStore.find(project_id, id, run_id);

  it.each(DIFFICULT)('gives back what was written: %s', async (_what, facts) => {
    const { stores, run } = fixture();
    const parent = trace(run);
    const record = facts.type === undefined ? trace(run, facts) : span(parent, facts);
    expect(await write(stores, record.type === 'trace' ? [record] : [parent, record])).toBe('written');
    expect(await find(record)).toStrictEqual(stored(record));
  });

  it('keeps copies and hands out copies', async () => {
    const { stores, run } = fixture();
    const record = trace(run, { user_metadata: { a: 'kept' }, tags: ['kept'] });
    const change = (one: LogRecord) => {
      (one.user_metadata as { a: string }).a = 'changed';
      (one.tags as string[]).push('changed');
    };
    const sent = structuredClone(record);
    await write(stores, [sent]);
    change(sent);
    change((await find(record))!);
    expect(await find(record)).toStrictEqual(stored(record));
  });

  it('changes nothing when the same comes again, in whatever order its keys are', async () => {
    const { stores, run } = fixture();
    const record = trace(run, { input: 'hi', user_metadata: { a: 1, b: { c: 2, d: '\0' } }, metrics: { x: 0.5 }, tags: ['t'] });
    await write(stores, [record]);
    const first = await find(record);
    await write(stores, [{ ...record, user_metadata: { b: { d: '\0', c: 2 }, a: 1 } }]);
    expect(await find(record)).toStrictEqual(first);
  });

  it('takes the last content within the trace, and says when', async () => {
    const { stores, run } = fixture();
    const parent = trace(run);
    const before = span(parent);
    await write(stores, [parent, before]);
    const first = (await find(before))!;
    const [, every] = DIFFICULT[0]!;
    const after = { ...before, ...every };
    await write(stores, [after]);
    const second = (await find(before))!;
    expect(second).toStrictEqual(stored(after));
    expect(isBefore(first.updated_at, second.updated_at)).toBe(true);
    await write(stores, [{ ...before, has_children: false }]);
    expect(await find(before)).toStrictEqual(stored({ ...before, has_children: true }));
  });

  it('keeps the same id of two runs and two projects apart', async () => {
    const { stores, run } = fixture();
    const others = [await newRun(stores, run.project_id), await newRun(stores)];
    const id = randomUUID();
    const records = [run, ...others].map((key, index) => trace(key, { id, name: `copy ${index}` }));
    for (const record of records) await write(stores, [record]);
    for (const record of records) expect(await find(record)).toStrictEqual(stored(record));
  });

  it('never makes a complete trace incomplete, and leaves it as it is then', async () => {
    const { stores, run } = fixture();
    const record = trace(run, { name: 'done' });
    await write(stores, [record]);
    const first = await find(record);
    await write(stores, [{ ...record, name: 'late', is_complete: false }]);
    expect(await find(record)).toStrictEqual(first);
  });

  it('tells whether traces that were taken to be new were, and writes them in any case', async () => {
    const { stores, run } = fixture();
    const taken = (records: LogRecord[], new_trace_ids: readonly string[]) =>
      stores.traceStore.write({ ...run, settings_revision: 0, records, new_parents: [], score_trace_ids: [], new_trace_ids });
    const [first, second, third] = [trace(run), trace(run), trace(run, { session_id: randomUUID() })];
    expect(await taken([first, span(first)], [first.id])).toBe('written');
    expect(await taken([first, second], [second.id])).toBe('written');
    expect(await taken([third], [third.id])).toBe('written');
    for (const again of [first, { ...first, name: 'changed' }])
      expect(await taken([again, trace(run)], [again.id])).toBe('written_over');
    expect(await find(first)).toMatchObject({ name: 'changed' });
    const both = trace(run);
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map((step_number) => taken([{ ...both, name: `${step_number}` }], [both.id])),
    );
    expect(outcomes.toSorted()).toEqual(['written', 'written_over', 'written_over', 'written_over']);
  });

  it('completes a trace, and with it its spans', async () => {
    const { stores, run } = fixture();
    const record = trace(run, { is_complete: false });
    const child = span(record);
    await write(stores, [record, child]);
    expect(await find(child)).toMatchObject({ is_complete: false });
    await write(stores, [{ ...record, is_complete: true }]);
    expect(await find(record)).toMatchObject({ is_complete: true });
    expect(await find(child)).toMatchObject({ is_complete: true });
    const late = span({ ...record, is_complete: false });
    await write(stores, [late]);
    expect(await find(late)).toMatchObject({ is_complete: true });
  });

  it('marks parents, which is no change of theirs, and never unmarks them', async () => {
    const { stores, run } = fixture();
    const record = trace(run);
    await write(stores, [record]);
    const before = (await find(record))!;
    await write(stores, [span(record)], { new_parents: [record.id] });
    expect(await find(record)).toStrictEqual({ ...before, has_children: true });
    await write(stores, [{ ...record, name: 'again' }]);
    expect(await find(record)).toMatchObject({ name: 'again', has_children: true });
  });

  it('takes overlapping batches at once', async () => {
    const { stores, run } = fixture();
    const record = trace(run);
    const spans = Array.from({ length: 30 }, () => span(record));
    const batches = Array.from({ length: 12 }, (_, at) => [record, ...spans.slice(at, at + 12)]);
    const sent = batches.map((batch, at) => write(stores, at % 2 === 0 ? batch : batch.toReversed()));
    expect(new Set(await Promise.all(sent))).toEqual(new Set(['written']));
    const found = await stores.traceStore.listTrace(run.project_id, run.run_id, record.id);
    expect(found.map(({ id }) => id).toSorted()).toEqual([record, ...spans.slice(0, 23)].map(({ id }) => id).toSorted());
  });

  it('takes more records than one group holds', async () => {
    const { stores, run } = fixture();
    const record = trace(run);
    const spans = Array.from({ length: 2_500 }, (_, at) => span(record, { name: `${at}` }));
    await write(stores, [record, ...spans]);
    const found = await stores.traceStore.listTrace(run.project_id, run.run_id, record.id);
    expect(found.map(({ name }) => name)).toEqual(['', ...spans.map(({ name }) => name)]);
  });
}

function refusing(fixture: Fixture): void {
  const counted = async ({ project_id, run_id }: RunKey) =>
    (await fixture().stores.traceStore.counts(project_id, [run_id])).get(run_id) ?? { num_traces: 0, num_spans: 0 };

  it('refuses a record of another trace, and with it the whole batch', async () => {
    const { stores, run } = fixture();
    await enableScorer(stores, run);
    const [mine, other] = [trace(run), trace(run)];
    const child = span(mine, { name: 'mine' });
    await write(stores, [mine, child]);
    const stolen = span(other, { id: child.id, name: 'stolen' });
    const attempt = write(stores, [other, span(other), stolen], { score_trace_ids: [other.id], new_parents: [mine.id] });
    await expect(attempt).rejects.toMatchObject({ kind: 'invalid', code: 'record_in_other_trace' });
    expect(await counted(run)).toEqual({ num_traces: 1, num_spans: 1 });
    expect(await stores.traceStore.find(run.project_id, child.id)).toStrictEqual(stored(child));
    expect(await stores.traceStore.find(run.project_id, mine.id)).toMatchObject({ has_children: false });
    expect(await stores.jobs(run)).toEqual([]);
  });

  it('writes nothing for settings that have changed', async () => {
    const { stores, run } = fixture();
    const record = trace(run);
    await enableScorer(stores, run);
    expect(await write(stores, [record], { settings_revision: 0, score_trace_ids: [record.id] })).toBe('run_changed');
    expect(await counted(run)).toEqual({ num_traces: 0, num_spans: 0 });
    expect(await stores.jobs(run)).toEqual([]);
    expect(await write(stores, [record], { settings_revision: 1, score_trace_ids: [record.id] })).toBe('written');
    expect(await stores.jobs(run)).toMatchObject([{ trace_ids: [record.id] }]);
  });

  it('refuses a run that is not there, or of another project', async () => {
    const { stores, run } = fixture();
    const elsewhere = { ...run, project_id: (await newRun(stores)).project_id };
    for (const key of [{ ...run, run_id: randomUUID() }, elsewhere]) {
      await expect(write(stores, [trace(key)])).rejects.toMatchObject({ kind: 'not_found', code: 'run_not_found' });
    }
    await stores.projectStore.removeRun(run.project_id, 'log_stream', run.run_id);
    await expect(write(stores, [trace(run)])).rejects.toMatchObject({ code: 'run_not_found' });
    expect(await counted(run)).toEqual({ num_traces: 0, num_spans: 0 });
  });
}

function asking(fixture: Fixture): void {
  it('asks for scoring of the traces that are named, together with the records', async () => {
    const { stores, run } = fixture();
    await enableScorer(stores, run);
    const records = Array.from({ length: 250 }, () => trace(run));
    const score_trace_ids = records.map(({ id }) => id);
    await write(stores, records, { score_trace_ids });
    const jobs = await stores.jobs(run);
    expect(jobs.flatMap(({ trace_ids }) => trace_ids).toSorted()).toEqual(score_trace_ids.toSorted());
    for (const job of jobs) expect(job).toMatchObject(run);
  });

  it('asks for nothing when no trace is named', async () => {
    const { stores, run } = fixture();
    await enableScorer(stores, run);
    await write(stores, [trace(run)]);
    expect(await stores.jobs(run)).toEqual([]);
  });
}

function reading(fixture: Fixture): void {
  it('returns undefined and empty lists for what is not there', async () => {
    const { stores, run } = fixture();
    const { traceStore } = stores;
    const record = trace(run);
    await write(stores, [record]);
    expect(await traceStore.find(run.project_id, randomUUID())).toBeUndefined();
    expect(await traceStore.find(randomUUID(), record.id)).toBeUndefined();
    expect(await traceStore.find(run.project_id, record.id, randomUUID())).toBeUndefined();
    expect(await traceStore.locate(run.project_id, randomUUID())).toBeUndefined();
    expect(await traceStore.locate(randomUUID(), record.id)).toBeUndefined();
    expect(await traceStore.locate(run.project_id, record.id, randomUUID())).toBeUndefined();
    expect(await traceStore.listTrace(run.project_id, run.run_id, randomUUID())).toEqual([]);
    expect(await traceStore.listTrace(run.project_id, randomUUID(), record.id)).toEqual([]);
    expect(await traceStore.listTrace(randomUUID(), run.run_id, record.id)).toEqual([]);
  });

  it('finds the newest where several runs hold the id', async () => {
    const { stores, run } = fixture();
    const other = await newRun(stores, run.project_id);
    const id = randomUUID();
    const newest = trace(other, { id, created_at: '2026-01-02T03:04:05.678001Z' });
    await write(stores, [newest]);
    await write(stores, [trace(run, { id, created_at: CREATED })]);
    expect(await stores.traceStore.find(run.project_id, id)).toStrictEqual(stored(newest));
    expect(await stores.traceStore.locate(run.project_id, id)).toEqual({ run_id: other.run_id, trace_id: id, is_trace: true });
    expect(await stores.traceStore.locate(run.project_id, id, run.run_id)).toMatchObject({ run_id: run.run_id });
  });

  it('returns which of many ids are records of a run', async () => {
    const { stores, run } = fixture();
    const other = await newRun(stores, run.project_id);
    const [mine, elsewhere] = [trace(run), trace(other)];
    const child = span(mine);
    await write(stores, [mine, child]);
    await write(stores, [elsewhere]);
    const asked = [mine.id, randomUUID(), child.id, elsewhere.id];
    const { traceStore } = stores;
    expect(await traceStore.existing(run.project_id, run.run_id, asked)).toEqual(new Set([mine.id, child.id]));
    expect(await traceStore.existing(randomUUID(), run.run_id, asked)).toEqual(new Set());
    expect(await traceStore.existing(run.project_id, run.run_id, [])).toEqual(new Set());
  });

  it('finds many records at once as it finds each, the newest of those with one id', async () => {
    const { stores, run } = fixture();
    const [mine, other] = [trace(run), trace(run)];
    const child = span(mine);
    const twin = trace(await newRun(stores, run.project_id), { id: other.id, created_at: '2030-01-01T00:00:00.000Z' });
    const elsewhere = trace(await newRun(stores));
    for (const batch of [[mine, child, other], [twin], [elsewhere]]) await write(stores, batch);
    const { traceStore } = stores;
    const asked = [child.id, other.id, randomUUID(), elsewhere.id, mine.id, child.id];
    const found = await traceStore.findAll(run.project_id, asked);
    expect([...found.keys()].sort()).toEqual([mine.id, child.id, other.id].sort());
    for (const [id, record] of found) expect(record).toStrictEqual(await traceStore.find(run.project_id, id));
    expect(found.get(other.id)!.run_id).toBe(twin.run_id);
    expect(await traceStore.findAll(run.project_id, [])).toEqual(new Map());
  });

  it('tells where a span stands', async () => {
    const { stores, run } = fixture();
    const record = trace(run);
    const child = span(record);
    await write(stores, [record, child]);
    const place = { run_id: run.run_id, trace_id: record.id, is_trace: false };
    expect(await stores.traceStore.locate(run.project_id, child.id)).toEqual(place);
  });

  it('lists a trace first, then its spans by time, then in the order they were sent', async () => {
    const { stores, run } = fixture();
    const record = trace(run, { created_at: '2026-01-02T03:04:06.000Z', name: 'root' });
    const late = span(record, { created_at: '2026-01-02T03:04:05.000002Z', name: 'late' });
    const early = span(record, { created_at: '2026-01-02T03:04:05.000001Z', name: 'early' });
    const twins = Array.from({ length: 9 }, (_, at) =>
      span(late, { created_at: '2026-01-02T03:04:05.000Z', name: `twin ${at}` }),
    );
    await write(stores, [late, ...twins, early, record]);
    await write(stores, [trace(run), ...twins.map((twin) => ({ ...twin, status_code: 1 })).toReversed()]);
    const found = await stores.traceStore.listTrace(run.project_id, run.run_id, record.id);
    expect(found.map(({ name }) => name)).toEqual(['root', ...twins.map(({ name }) => name), 'early', 'late']);
  });

  it('counts traces and spans by run', async () => {
    const { stores, run } = fixture();
    const other = await newRun(stores, run.project_id);
    const empty = await newRun(stores, run.project_id);
    const record = trace(run);
    await write(stores, [record, span(record), span(record)]);
    await write(stores, [trace(other), trace(other)]);
    const asked = [run, other, empty].map(({ run_id }) => run_id);
    const counts = await stores.traceStore.counts(run.project_id, asked);
    expect(counts.get(run.run_id)).toEqual({ num_traces: 1, num_spans: 2 });
    expect(counts.get(other.run_id)).toEqual({ num_traces: 2, num_spans: 0 });
    expect(counts.get(empty.run_id) ?? { num_traces: 0, num_spans: 0 }).toEqual({ num_traces: 0, num_spans: 0 });
    expect((await stores.traceStore.counts(run.project_id, [other.run_id])).has(run.run_id)).toBe(false);
    expect((await stores.traceStore.counts(randomUUID(), asked)).size).toBe(0);
    expect((await stores.traceStore.counts(run.project_id, [])).size).toBe(0);
  });

  it('removes the records of a run, or of a project, and no others', async () => {
    const { stores, run } = fixture();
    const [sibling, stranger] = [await newRun(stores, run.project_id), await newRun(stores)];
    const records = [run, sibling, stranger].map((key) => trace(key));
    for (const record of records) await write(stores, [record]);
    const left = async () => {
      const found = await Promise.all(records.map(({ project_id, id }) => stores.traceStore.find(project_id, id)));
      return found.map((record) => record !== undefined);
    };
    await stores.traceStore.removeAll(run.project_id, run.run_id);
    expect(await left()).toEqual([false, true, true]);
    await stores.traceStore.removeAll(run.project_id);
    expect(await left()).toEqual([false, false, true]);
    await stores.traceStore.removeAll(run.project_id);
    await stores.traceStore.removeAll(randomUUID(), randomUUID());
    expect(await left()).toEqual([false, false, true]);
  });
}
