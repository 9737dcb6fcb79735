import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../core/kernel/json.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import type { StoredSession } from '../../../core/traces/sessions/session.ts';
import {
  CREATED,
  type Fixture,
  getFixture,
  newRun,
  type RecordStores,
  type RunKey,
  span,
  trace,
  write,
} from './record-stores.ts';
import { sessionListing } from './session-listing.ts';
import { at, session, toListing } from './sessions.ts';

const anyText = expect.any(String) as unknown as string;
const NO_TRACES = { input: '', output: null, num_traces: 0, is_implicit: false, is_complete: true, metrics: {} };

/** The stores are opened once; every test works in a run of its own. */
export function sessionStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`SessionStore, ${adapter}`, () => {
    const fixture = getFixture(open);
    keeping(fixture);
    deriving(fixture);
    summing(fixture);
    describe('in a run with several', () => sessionListing(fixture));
    opening(fixture);
    removing(fixture);
  });
}

function keeping(fixture: Fixture): void {
  const toMarked = async ({ project_id, run_id }: RunKey) =>
    (await fixture().stores.projectStore.findRun(project_id, 'log_stream', run_id))!.has_user_created_sessions;

  it('gives back what was stored', async () => {
    const { stores, run } = fixture();
    const full = session(run, {
      name: 'N \ue000\uf8ff',
      external_id: 'e \u{1f99c}\uf8ff',
      previous_session_id: randomUUID(),
      user_metadata: { a: 'x\0\ud83e', b: { c: [1, null, true] }, ...(JSON.parse('{"__proto__": "p"}') as object) },
      created_at: at(1),
    });
    for (const one of [full, session(run)]) {
      expect(await stores.sessionStore.findOrInsert(one, false)).toStrictEqual(one);
      expect(await stores.sessionStore.find(run.project_id, one.id)).toStrictEqual({ ...one, ...NO_TRACES });
    }
    expect(await stores.sessionStore.findByExternalId(run.project_id, run.run_id, full.external_id!)).toStrictEqual(full);
  });

  it('keeps copies and hands out copies', async () => {
    const { stores, run } = fixture();
    const sent = session(run, { external_id: 'e', user_metadata: { a: 'kept' } });
    const change = ({ user_metadata }: StoredSession) => {
      (user_metadata as { a: string }).a = 'changed';
    };
    change((await stores.sessionStore.findOrInsert(sent, false))!);
    change(sent);
    change((await stores.sessionStore.find(run.project_id, sent.id))!);
    change((await stores.sessionStore.findByExternalId(run.project_id, run.run_id, 'e'))!);
    expect(await stores.sessionStore.find(run.project_id, sent.id)).toMatchObject({ user_metadata: { a: 'kept' } });
  });

  it('returns the session of an external id that is there, unchanged, within its run only', async () => {
    const { stores, run } = fixture();
    const first = session(run, { external_id: 'chat 7', name: 'first' });
    await stores.sessionStore.findOrInsert(first, false);
    const again = session(run, { external_id: 'chat 7', name: 'second' });
    expect(await stores.sessionStore.findOrInsert(again, true)).toStrictEqual(first);
    expect(await stores.sessionStore.find(run.project_id, again.id)).toBeUndefined();
    const other = session(await newRun(stores, run.project_id), { external_id: 'chat 7' });
    expect(await stores.sessionStore.findOrInsert(other, true)).toStrictEqual(other);
    expect(await stores.sessionStore.findByExternalId(run.project_id, run.run_id, 'chat')).toBeUndefined();
    expect(await stores.sessionStore.findByExternalId(randomUUID(), run.run_id, 'chat 7')).toBeUndefined();
  });

  it('gives the same session to all that make it at once', async () => {
    const { stores, run } = fixture();
    const attempts = Array.from({ length: 24 }, (_, number) =>
      stores.sessionStore.findOrInsert(session(run, { external_id: 'one' }), number % 2 === 0),
    );
    const made = await Promise.all(attempts);
    expect(new Set(made.map((one) => one?.id)).size).toBe(1);
    expect(await stores.sessionStore.count(toListing(run, {}))).toBe(1);
  });

  it('makes sessions for many at once: each its own, of names that are there the one that is, of a run that is gone none', async () => {
    const { stores, run } = fixture();
    const other = await newRun(stores, run.project_id);
    const there = session(run, { external_id: 'there' });
    await stores.sessionStore.findOrInsert(there, true);
    const taken = session(run, { external_id: 'other name' });
    const make = (one: StoredSession) => stores.sessionStore.findOrInsert(one, false);
    const wanted = Array.from({ length: 40 }, (_, number) =>
      session(number % 2 === 0 ? run : other, { external_id: `chat ${Math.floor(number / 4)}` }),
    );
    const [made, known, elsewhere, gone] = await Promise.all([
      Promise.all(wanted.map(make)),
      make(session(run, { external_id: 'there' })),
      make(session(other, { external_id: 'there' })),
      make({ ...taken, run_id: randomUUID() }).catch((error: unknown) => error),
    ]);
    for (const [number, one] of made.entries())
      expect(one).toMatchObject({ run_id: wanted[number]!.run_id, external_id: wanted[number]!.external_id });
    expect(new Set(made.map((one) => one!.id)).size).toBe(20);
    expect(known).toStrictEqual(there);
    expect(elsewhere).toMatchObject({ run_id: other.run_id, external_id: 'there' });
    expect(gone).toMatchObject({ kind: 'not_found', code: 'run_not_found' });
    expect(await make({ ...there, external_id: 'other name' })).toBeUndefined();
  });

  it('tells whether it holds a session, kept or of a trace by itself, within the run only', async () => {
    const { stores, run } = fixture();
    const kept = session(run);
    await stores.sessionStore.findOrInsert(kept, false);
    const { id: own, ...alone } = trace(run);
    await write(stores, [{ id: own, ...alone }]);
    expect(await stores.sessionStore.holds(run.project_id, run.run_id, kept.id)).toBe(true);
    expect(await stores.sessionStore.holds(run.project_id, run.run_id, own)).toBe(true);
    const other = await newRun(stores, run.project_id);
    expect(await stores.sessionStore.holds(run.project_id, other.run_id, kept.id)).toBe(false);
    expect(await stores.sessionStore.holds(run.project_id, run.run_id, randomUUID())).toBe(false);
  });

  it('takes no id twice in a run', async () => {
    const { stores, run } = fixture();
    const first = session(run, { name: 'first' });
    await stores.sessionStore.findOrInsert(first, false);
    expect(await stores.sessionStore.findOrInsert({ ...first, name: 'second' }, false)).toBeUndefined();
    expect(await stores.sessionStore.findOrInsert({ ...first, external_id: 'e' }, true)).toBeUndefined();
    expect(await stores.sessionStore.find(run.project_id, first.id)).toMatchObject({ name: 'first' });
    const elsewhere = { ...first, ...(await newRun(stores, run.project_id)) };
    expect(await stores.sessionStore.findOrInsert(elsewhere, false)).toStrictEqual(elsewhere);
  });

  it('marks the run of a session that a user created, and no other', async () => {
    const { stores, run } = fixture();
    const sibling = await newRun(stores, run.project_id);
    await stores.sessionStore.findOrInsert(session(run), false);
    expect(await toMarked(run)).toBe(false);
    await stores.sessionStore.findOrInsert(session(run), true);
    expect([await toMarked(run), await toMarked(sibling)]).toEqual([true, false]);
  });

  it('takes no session for a run that is not there, or of another project', async () => {
    const { stores, run } = fixture();
    const { project_id } = await newRun(stores);
    for (const key of [
      { ...run, run_id: randomUUID() },
      { ...run, project_id },
    ]) {
      const attempt = stores.sessionStore.findOrInsert(session(key, { external_id: 'e' }), true);
      await expect(attempt).rejects.toMatchObject({ kind: 'not_found', code: 'run_not_found' });
      expect(await stores.sessionStore.count(toListing(key, {}))).toBe(0);
    }
  });
}

function deriving(fixture: Fixture): void {
  it('keeps a session that traces name, since the first of them, and leaves one that is there as it is', async () => {
    const { stores, run } = fixture();
    const [id, known] = [randomUUID(), session(run, { name: 'known' })];
    await stores.sessionStore.findOrInsert(known, true);
    const traces = [at(5), at(3), at(4)].map((created_at) => trace(run, { session_id: id, created_at }));
    await write(stores, [...traces, trace(run, { session_id: known.id })]);
    await write(stores, [trace(run, { session_id: id, created_at: at(1) })]);
    expect(await stores.sessionStore.find(run.project_id, id)).toMatchObject({
      ...session(run, { id, created_at: at(3), updated_at: anyText }),
      num_traces: 4,
    });
    expect(await stores.sessionStore.find(run.project_id, known.id)).toMatchObject({ name: 'known', num_traces: 1 });
    expect(await stores.sessionStore.count(toListing(run, {}))).toBe(2);
  });

  it('shows a trace without a session as one, called and described as the trace is', async () => {
    const { stores, run } = fixture();
    const record = trace(run, {
      name: 'alone',
      external_id: 'of the trace',
      user_metadata: { a: '1' },
      input: 'in',
      output: 'out',
    });
    await write(stores, [record, span(record)]);
    const { id, created_at, user_metadata } = record;
    expect(await stores.sessionStore.list(toListing(run, {}))).toStrictEqual([
      {
        ...session(run, { id, name: 'alone', created_at, updated_at: anyText, user_metadata }),
        ...{ input: 'in', output: 'out', num_traces: 1, is_implicit: true, is_complete: true, metrics: {} },
      },
    ]);
    expect(await stores.sessionStore.findByExternalId(run.project_id, run.run_id, 'of the trace')).toBeUndefined();
    expect(await stores.sessionStore.find(run.project_id, id)).toMatchObject({ id, name: 'alone' });
  });

  it('gives the content blocks of its first and last trace, and is found by their texts', async () => {
    const { stores, run } = fixture();
    const id = randomUUID();
    const input = [
      { type: 'text', text: 'See \0' },
      { type: 'file', file_id: 'f' },
    ] as JsonObject[];
    const output = [{ type: 'text', text: 'Seen \ud83e' }];
    const last = { session_id: id, input: [{ type: 'text', text: 'other' }], output, created_at: at(3) };
    await write(stores, [trace(run, { session_id: id, input, output: 'x', created_at: at(2) }), trace(run, last)]);
    const alone = trace(run, { input, output, created_at: at(1) });
    await write(stores, [alone]);
    expect(await stores.sessionStore.find(run.project_id, id)).toMatchObject({ input, output });
    const found = (column_id: string, value: string) =>
      stores.sessionStore.list(toListing(run, { filters: [{ type: 'text', column_id, operator: 'contains', value }] }));
    expect(await found('input', 'See')).toMatchObject([
      { id, input, output },
      { id: alone.id, input, output },
    ]);
    expect(await found('output', 'Seen')).toHaveLength(2);
    expect(await found('input', 'file')).toEqual([]);
  });

  it('shows a session once that was a trace alone before others joined it', async () => {
    const { stores, run } = fixture();
    const first = trace(run, { input: 'first', output: 'a', created_at: at(1) });
    await write(stores, [first]);
    await write(stores, [trace(run, { session_id: first.id, input: 'second', output: 'b', created_at: at(2) })]);
    const [only, ...others] = await stores.sessionStore.list(toListing(run, {}));
    expect(only).toMatchObject({ id: first.id, input: 'first', output: 'b', num_traces: 2, name: null });
    expect(others).toEqual([]);
    expect(await stores.sessionStore.count(toListing(run, {}))).toBe(1);
    expect(await stores.sessionStore.listTraces(only!, { starting_token: 0, limit: 10 })).toHaveLength(2);
  });

  it('leaves no session behind when the batch is refused', async () => {
    const { stores, run } = fixture();
    const [mine, id] = [trace(run), randomUUID()];
    const child = span(mine);
    await write(stores, [mine, child]);
    const other = trace(run, { session_id: id });
    await expect(write(stores, [other, span(other, { id: child.id })])).rejects.toMatchObject({ code: 'record_in_other_trace' });
    expect(await write(stores, [other], { settings_revision: 7 })).toBe('run_changed');
    expect(await stores.sessionStore.find(run.project_id, id)).toBeUndefined();
  });

  it('takes traces of one session from many writers at once', async () => {
    const { stores, run } = fixture();
    const ids = [randomUUID(), randomUUID()];
    const batch = (number: number) => ids.map((session_id) => trace(run, { session_id })).toSorted(() => (number % 2 ? 1 : -1));
    await Promise.all(Array.from({ length: 40 }, (_, number) => write(stores, batch(number))));
    const found = await stores.sessionStore.list(toListing(run, {}));
    expect(found.map(({ num_traces }) => num_traces)).toEqual([40, 40]);
  });
}

function summing(fixture: Fixture): void {
  it('tells the input of the first trace, the output of the last, and what all of them say', async () => {
    const { stores, run } = fixture();
    const { id: session_id } = (await stores.sessionStore.findOrInsert(session(run), true))!;
    const facts: Partial<LogRecord>[] = [
      { created_at: at(2), input: 'middle', output: 'middle', metrics: {} },
      { created_at: at(3), input: 'late', output: null, metrics: { duration_ns: 4 } },
      { created_at: at(1), input: 'early', output: 'early', metrics: { duration_ns: 3 }, is_complete: false },
    ];
    const traces = facts.map((fact) => trace(run, { session_id, ...fact }));
    await write(stores, [...traces, span(traces[0]!, { metrics: { duration_ns: 100 } })]);
    const found = () => stores.sessionStore.find(run.project_id, session_id);
    expect(await found()).toMatchObject({
      input: 'early',
      output: null,
      num_traces: 3,
      is_complete: false,
      metrics: { duration_ns: 7 },
    });
    await write(stores, [{ ...traces[2]!, is_complete: true }]);
    expect(await found()).toMatchObject({ is_complete: true });
  });

  it('adds up tokens and costs of model calls, or what a trace says of itself', async () => {
    const { stores, run } = fixture();
    const { id: session_id } = (await stores.sessionStore.findOrInsert(session(run), true))!;
    const silent = trace(run, { session_id });
    const knowing = trace(run, { session_id, metrics: { num_total_tokens: 100, cost: 'unknown' } });
    const call = (parent: LogRecord, metrics: LogRecord['metrics']) => span(parent, { type: 'llm', metrics });
    const calls = [
      call(silent, { num_input_tokens: 10, num_output_tokens: 4, num_total_tokens: 14, cost: 0.5 }),
      call(silent, { num_input_tokens: 1, num_total_tokens: '3' }),
      call(knowing, { num_input_tokens: 60, num_total_tokens: 999, cost: 0.25 }),
    ];
    await write(stores, [silent, knowing, ...calls, span(silent, { type: 'tool', metrics: { num_input_tokens: 7, cost: 8 } })]);
    expect((await stores.sessionStore.find(run.project_id, session_id))?.metrics).toStrictEqual({
      num_input_tokens: 71,
      num_output_tokens: 4,
      num_total_tokens: 114,
      cost: 0.75,
    });
    const alone = trace(run);
    await write(stores, [alone, call(alone, { num_output_tokens: 5 })]);
    const { metrics } = (await stores.sessionStore.find(run.project_id, alone.id))!;
    expect(metrics).toStrictEqual({ num_output_tokens: 5 });
  });
}

function opening(fixture: Fixture): void {
  it('lists the traces of a session oldest first, ties by id, with the number of their records', async () => {
    const { stores, run } = fixture();
    const session_id = randomUUID();
    const traces = [1, 2, 2, 3].map((micros) => trace(run, { session_id, created_at: at(micros) }));
    const order = traces.toSorted((a, b) => (a.created_at + a.id < b.created_at + b.id ? -1 : 1)).map(({ id }) => id);
    await write(stores, [...traces.toReversed(), span(traces[0]!), trace(run)]);
    const list = (starting_token: number, limit: number) =>
      stores.sessionStore.listTraces({ ...run, id: session_id }, { starting_token, limit });
    const all = await list(0, 10);
    expect(all.map(({ trace_id }) => trace_id)).toEqual(order);
    expect(all.map(({ num_records }) => num_records)).toEqual(order.map((id) => (id === traces[0]!.id ? 2 : 1)));
    // As many bytes as their texts have at least, and not far more.
    const ids = (count: number) => Array.from({ length: count }, () => randomUUID()).join('');
    const large = trace(run, {
      session_id,
      created_at: at(4),
      input: 'é'.repeat(50_000),
      user_metadata: { a: ids(1_000) },
    });
    await write(stores, [large, span(large, { output: 'x'.repeat(30_000) })]);
    const { num_bytes } = (await list(4, 1))[0]!;
    expect(num_bytes).toBeGreaterThanOrEqual(166_000);
    expect(num_bytes).toBeLessThan(170_000);
    expect(await list(1, 1)).toEqual(all.slice(1, 3));
    expect(await list(5, 1)).toEqual([]);
    expect(await stores.sessionStore.listTraces({ ...run, id: randomUUID() }, { starting_token: 0, limit: 5 })).toEqual([]);
  });

  it('finds a session of the run that is asked for, else the newest that is kept', async () => {
    const { stores, run } = fixture();
    const [other, third] = [await newRun(stores, run.project_id), await newRun(stores, run.project_id)];
    const id = randomUUID();
    await stores.sessionStore.findOrInsert(session(run, { id, created_at: at(2) }), false);
    await stores.sessionStore.findOrInsert(session(other, { id, created_at: at(1) }), false);
    await write(stores, [trace(third, { id })]);
    const find = async (run_id?: string) => (await stores.sessionStore.find(run.project_id, id, run_id))?.run_id;
    expect(await find()).toBe(run.run_id);
    for (const { run_id } of [other, third]) expect(await find(run_id)).toBe(run_id);
    expect(await find(randomUUID())).toBeUndefined();
    expect(await stores.sessionStore.find(randomUUID(), id)).toBeUndefined();
  });
}

function removing(fixture: Fixture): void {
  const left = async (records: readonly LogRecord[]) => {
    const found = await Promise.all(
      records.map(({ project_id, id, run_id }) => fixture().stores.traceStore.find(project_id, id, run_id)),
    );
    return found.map((record) => record !== undefined);
  };

  it('removes the sessions that are meant, of both places, with their traces, spans and scores', async () => {
    const { stores, run } = fixture();
    const { sessionStore, scoreStore } = stores;
    const kept = (await sessionStore.findOrInsert(session(run, { name: 'gone' }), true))!;
    const inside = trace(run, { session_id: kept.id });
    const [alone, stays] = [trace(run, { name: 'gone' }), trace(run, { session_id: randomUUID(), name: 'gone' })];
    const records = [inside, alone, stays].flatMap((record) => [record, span(record)]);
    await write(stores, records);
    const scores = records.map(({ id }) => ({
      ...run,
      record_id: id,
      scorer_id: randomUUID(),
      scorer_version_id: randomUUID(),
      metric_name: 'm',
      status_type: 'success' as const,
      value: 1,
      explanation: null,
      message: null,
      effort: null,
      judged: null,
      scored_at: CREATED,
    }));
    await scoreStore.insert(scores);
    const filters = [{ type: 'text', column_id: 'name', operator: 'eq', value: 'gone' }];
    expect(await sessionStore.remove(toListing(run, { filters }))).toEqual({ traces: 2, spans: 2, sessions: 2 });
    expect(await left(records)).toEqual([false, false, false, false, true, true]);
    const scored = await scoreStore.list(
      run.project_id,
      run.run_id,
      records.map(({ id }) => id),
    );
    expect(scored.map(({ record_id }) => record_id).toSorted()).toEqual(
      records
        .slice(4)
        .map(({ id }) => id)
        .toSorted(),
    );
    expect(await sessionStore.count(toListing(run, {}))).toBe(1);
    expect(await sessionStore.remove(toListing(run, { filters }))).toEqual({ traces: 0, spans: 0, sessions: 0 });
  });

  it('removes all sessions of the run without conditions, and none of another', async () => {
    const { stores, run } = fixture();
    const other = await newRun(stores, run.project_id);
    const traces = [run, other].flatMap((key) => [trace(key), trace(key, { session_id: randomUUID() })]);
    for (const record of traces) await write(stores, [record]);
    expect(await stores.sessionStore.remove(toListing(run, {}))).toEqual({ traces: 2, spans: 0, sessions: 2 });
    expect(await left(traces)).toEqual([false, false, true, true]);
    expect(await stores.sessionStore.count(toListing(other, {}))).toBe(2);
  });

  it('lets a session that nobody created go with the last of its traces, and keeps one that somebody did', async () => {
    const { stores, run } = fixture();
    const { sessionStore, recordRemoval } = stores;
    const make = async (external_id: string, is_user_created: boolean) =>
      (await sessionStore.findOrInsert(session(run, { external_id }), is_user_created))!.id;
    const [named, created, claimed] = [await make('a', false), await make('b', true), await make('c', false)];
    expect(await make('c', true)).toBe(claimed);
    const mentioned = randomUUID();
    const traces = [named, created, claimed, mentioned].map((session_id) => trace(run, { session_id }));
    const more = trace(run, { session_id: mentioned });
    await write(stores, [...traces, more]);
    const ids = traces.map(({ id }) => id);
    expect(await recordRemoval.removeTraces(run.project_id, run.run_id, ids)).toEqual({ traces: 4, spans: 0, sessions: 1 });
    const left = async () => (await sessionStore.list(toListing(run, { sort: { column_id: 'id' } }))).map(({ id }) => id);
    expect(await left()).toEqual([created, claimed, mentioned].toSorted());
    await recordRemoval.removeTraces(run.project_id, run.run_id, [more.id]);
    expect(await left()).toEqual([created, claimed].toSorted());
  });

  it('lets the sessions of a run, or of a project, go with its records', async () => {
    const { stores, run } = fixture();
    const [sibling, stranger] = [await newRun(stores, run.project_id), await newRun(stores)];
    for (const key of [run, sibling, stranger]) await stores.sessionStore.findOrInsert(session(key), false);
    const counts = () => Promise.all([run, sibling, stranger].map((key) => stores.sessionStore.count(toListing(key, {}))));
    await stores.traceStore.removeAll(run.project_id, run.run_id);
    expect(await counts()).toEqual([0, 1, 1]);
    await stores.traceStore.removeAll(run.project_id);
    expect(await counts()).toEqual([0, 0, 1]);
  });
}
