import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type EnqueueWithin, GroupWriter, type GroupWriterSettings } from '../../../adapters/postgres/traces/group-writer.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import type { RecordBatch } from '../../../core/traces/trace-store.ts';
import { newRun, type RunKey, span, trace } from '../../contracts/traces/record-stores.ts';
import { openPostgresStores, type PostgresStores } from '../../setup/postgres-stores.ts';
import { silent } from '../../setup/silent.ts';
import { eventually } from '../../setup/timing.ts';

let stores: PostgresStores;
let other: Client;
let run: RunKey;
const opened: GroupWriter[] = [];
beforeAll(async () => {
  stores = await openPostgresStores();
  other = new Client({ connectionString: stores.database.url });
  await other.connect();
});
beforeEach(async () => {
  run = await newRun(stores);
});
afterEach(async () => {
  await other.query('rollback');
  await Promise.all(opened.splice(0).map((writer) => writer.close()));
});
afterAll(async () => {
  await other.end();
  await stores.close();
});

function writer(settings: Partial<GroupWriterSettings> = {}, enqueueWithin: EnqueueWithin = stores.queues.scoring.enqueueWithin) {
  const one = new GroupWriter({ url: stores.database.url, log: silent, enqueueWithin, settings });
  opened.push(one);
  return one;
}

const batch = (...records: LogRecord[]): RecordBatch => {
  const { project_id, run_id } = records[0]!;
  return { project_id, run_id, settings_revision: 0, records, new_parents: [], score_trace_ids: [] };
};
const found = async (record: LogRecord) =>
  (await stores.traceStore.find(record.project_id, record.id, record.run_id)) !== undefined;
const toOutcomes = (attempts: readonly Promise<unknown>[]) => Promise.allSettled(attempts);

/** Holds the settings of a run, so that a group that is being written for it has to wait. */
async function hold({ project_id, run_id }: RunKey): Promise<void> {
  await other.query('begin');
  await other.query('select from runs where project_id = $1 and id = $2 for update', [project_id, run_id]);
}
/** Writers that wait for a lock. Not asked on the holder's connection: in a transaction, the answer would not change. */
const waiting = async (): Promise<number[]> => {
  const rows = await stores.database.session.sql<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'touchstone writer' and wait_event_type = 'Lock' and datname = current_database()`,
  );
  return rows.map(({ pid }) => pid);
};

describe('a group of requests', () => {
  /** A request holds the only lane, so that all given batches have to wait for it and form one group. */
  async function asOneGroup(batches: readonly RecordBatch[]): Promise<PromiseSettledResult<unknown>[]> {
    const one = writer({ lanes: 1 });
    await hold(run);
    const first = one.write(batch(trace(run)));
    await eventually(async () => expect(await waiting()).toHaveLength(1));
    const settled = toOutcomes(batches.map((each) => one.write(each)));
    await other.query('commit');
    expect(await first).toBe('written');
    return settled;
  }

  it('fails alone when the database refuses a value, and the others are written', async () => {
    const refuse = `alter table records add constraint no_poison check (1 / (name <> 'poison')::int = 1)`;
    await stores.database.session.sql(refuse);
    onTestFinished(async () => void (await stores.database.session.sql('alter table records drop constraint no_poison')));
    const poisoned = trace(run, { name: 'poison' });
    const sound = Array.from({ length: 6 }, () => trace(run));
    const all = [...sound.slice(0, 3), poisoned, ...sound.slice(3)];
    const outcomes = await asOneGroup(all.map((record) => batch(record)));
    expect(outcomes.map(({ status }) => status).indexOf('rejected')).toBe(3);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { kind: 'invalid', code: 'record_unstorable' } },
    ]);
    expect(await Promise.all(sound.map(found))).toEqual(sound.map(() => true));
    expect(await found(poisoned)).toBe(false);
  });

  it('tells each request its own problem', async () => {
    const stored = trace(run);
    expect(await writer().write(batch(stored))).toBe('written');
    const gone = trace({ ...run, run_id: randomUUID() });
    const stale = trace(run);
    const stolen = span(trace(run), { id: stored.id });
    const sound = trace(run);
    const outcomes = await asOneGroup([batch(gone), { ...batch(stale), settings_revision: 7 }, batch(stolen), batch(sound)]);
    expect(outcomes).toMatchObject([
      { reason: { code: 'run_not_found' } },
      { value: 'run_changed' },
      { reason: { code: 'record_in_other_trace' } },
      { value: 'written' },
    ]);
    expect(await Promise.all([gone, stale, sound].map(found))).toEqual([false, false, true]);
  });
});

describe('a full queue', () => {
  it('refuses with a time to come back, and takes requests again once there is room', async () => {
    const one = writer({ lanes: 1, maxQueuedBytes: 5_000 });
    await hold(run);
    const [first, refused, later] = [
      trace(run, { input: 'x'.repeat(3_000) }),
      trace(run, { input: 'x'.repeat(3_000) }),
      trace(run),
    ];
    const held = one.write(batch(first));
    const attempt = (async () => one.write(batch(refused)))();
    await expect(attempt).rejects.toMatchObject({ kind: 'unavailable', code: 'write_queue_full', retryAfterSeconds: 1 });
    expect(one.queuedBytes).toBeGreaterThan(3_000);
    await other.query('commit');
    expect(await held).toBe('written');
    await eventually(() => expect(one.queuedBytes).toBe(0));
    expect(await one.write(batch(later))).toBe('written');
    expect(await Promise.all([first, refused, later].map(found))).toEqual([true, false, true]);
  });

  it('refuses the project that fills it, and takes the requests of another one meanwhile', async () => {
    const one = writer({ lanes: 1, maxQueuedBytes: 40_000 });
    const neighbour = await newRun(stores);
    await hold(run);
    const greedy = Array.from({ length: 30 }, () => trace(run, { input: 'x'.repeat(3_000) }));
    const attempts = toOutcomes(greedy.map(async (record) => one.write(batch(record))));
    const written = one.write(batch(trace(neighbour, { input: 'x'.repeat(3_000) })));
    expect(one.queuedBytes).toBeLessThan(30_000);
    await other.query('commit');
    expect(await written).toBe('written');
    const failures = (await attempts).flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(failures.length).toBeGreaterThan(15);
    for (const failure of failures)
      expect(failure).toMatchObject({ kind: 'unavailable', code: 'write_queue_full', retryAfterSeconds: 1 });
    await eventually(() => expect(one.queuedBytes).toBe(0));
    expect(await one.write(batch(trace(run)))).toBe('written');
  });

  it('leaves others their half when one request is larger than all of it', async () => {
    const one = writer({ lanes: 1, maxQueuedBytes: 40_000 });
    const neighbour = await newRun(stores);
    await hold(run);
    const large = one.write(batch(trace(run, { input: 'x'.repeat(90_000) })));
    const small = one.write(batch(trace(neighbour)));
    await other.query('commit');
    expect(await Promise.all([large, small])).toEqual(['written', 'written']);
  });

  it('still takes a request that is larger than the whole queue when nothing else waits', async () => {
    const one = writer({ maxQueuedBytes: 10 });
    expect(await one.write(batch(trace(run)))).toBe('written');
  });
});

describe('a database that takes its time', () => {
  it('is not waited for by ever more: once nothing moves on, what waits and what comes is refused', async () => {
    const one = writer({ lanes: 1, stallMs: 200 });
    await hold(run);
    const [first, second, third] = [trace(run), trace(run), trace(run)];
    const under = one.write(batch(first));
    const waits = toOutcomes([one.write(batch(second))]);
    await sleep(300);
    await expect((async () => one.write(batch(third)))()).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 });
    expect(await waits).toMatchObject([{ reason: { kind: 'unavailable' } }]);
    await other.query('commit');
    expect(await under).toBe('written');
    await eventually(async () => expect(await one.write(batch(third))).toBe('written'));
    expect(await Promise.all([first, second, third].map(found))).toEqual([true, false, true]);
  });
});

describe('a broken connection', () => {
  it('in the middle of a statement is an unavailable database, and nothing is stored', async () => {
    const one = writer({ lanes: 1 });
    await hold(run);
    const record = trace(run);
    const attempt = toOutcomes([one.write(batch(record))]);
    await eventually(async () => expect(await waiting()).toHaveLength(1));
    await other.query('select pg_terminate_backend($1)', await waiting());
    expect(await attempt).toMatchObject([{ reason: { kind: 'unavailable', retryAfterSeconds: 1 } }]);
    await other.query('commit');
    expect(await found(record)).toBe(false);
    expect(await one.write(batch(record))).toBe('written');
  });

  it('is told by others as well: what waits is refused, what is under way is written', async () => {
    const one = writer({ lanes: 1 });
    await hold(run);
    const [first, second] = [trace(run), trace(run)];
    const [under, waits] = [one.write(batch(first)), toOutcomes([one.write(batch(second))])];
    one.refuseWaiting(new Error('silence'));
    expect(await waits).toMatchObject([{ reason: { kind: 'unavailable', retryAfterSeconds: 1 } }]);
    await other.query('commit');
    expect(await under).toBe('written');
    await eventually(() => expect(one.queuedBytes).toBe(0));
    expect([await found(first), await found(second)]).toEqual([true, false]);
  });

  it('never loses what was acknowledged', async () => {
    const one = writer();
    const records = Array.from({ length: 400 }, () => trace(run, { input: 'x'.repeat(2_000) }));
    await one.write(batch(records[0]!));
    const attempts: Promise<unknown>[] = [];
    let ended = 0;
    for (const [at, record] of records.entries()) {
      attempts.push(one.write(batch(record)));
      attempts.at(-1)!.catch(() => undefined);
      if (at % 40 !== 39) continue;
      const gone = await stores.database.session.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'touchstone writer' and datname = current_database()`,
      );
      ended += gone.length;
    }
    const outcomes = await toOutcomes(attempts);
    expect(ended).toBeGreaterThan(0);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ kind: 'unavailable' });
    }
    const acknowledged = records.filter((_record, at) => outcomes[at]!.status === 'fulfilled');
    expect((await Promise.all(acknowledged.map(found))).filter((there) => !there)).toEqual([]);
    const again = records.filter((_record, at) => outcomes[at]!.status === 'rejected');
    expect(await Promise.all(again.map((record) => one.write(batch(record))))).toEqual(again.map(() => 'written'));
    const counts = await stores.traceStore.counts(run.project_id, [run.run_id]);
    expect(counts.get(run.run_id)).toEqual({ num_traces: 400, num_spans: 0 });
  });

  it('to a server that does not answer is an unavailable database', async () => {
    const sockets = new Set<{ destroy(): void }>();
    const hole = createServer((socket) => void sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1');
    await once(hole, 'listening');
    const { port } = hole.address() as AddressInfo;
    const one = new GroupWriter({ url: `postgres://u:p@127.0.0.1:${port}/d`, log: silent, enqueueWithin: async () => {} });
    await expect(one.write(batch(trace(run)))).rejects.toMatchObject({ kind: 'unavailable' });
    for (const socket of sockets) socket.destroy();
    hole.close();
    await once(hole, 'close');
    await expect(one.write(batch(trace(run)))).rejects.toMatchObject({ kind: 'unavailable' });
    await one.close();
  });
});

describe('records and their jobs', () => {
  const scored = (record: LogRecord): RecordBatch => ({ ...batch(record), score_trace_ids: [record.id] });

  it('are committed together', async () => {
    const record = trace(run);
    expect(await writer().write(scored(record))).toBe('written');
    expect(await stores.jobs(run)).toEqual([{ ...run, trace_ids: [record.id] }]);
  });

  it('are neither there when the jobs cannot be stored', async () => {
    const record = trace(run);
    const one = writer({}, async (sql, jobs) => {
      await stores.queues.scoring.enqueueWithin(sql, jobs);
      throw new Error('the queue is broken');
    });
    await expect(one.write(scored(record))).rejects.toThrow('the queue is broken');
    expect(await found(record)).toBe(false);
    expect(await stores.jobs(run)).toEqual([]);
    expect(await one.write(batch(record))).toBe('written');
  });

  it('are neither there when the connection breaks before the commit', async () => {
    const record = trace(run);
    const one = writer({ lanes: 1 }, async (sql, jobs) => {
      await stores.queues.scoring.enqueueWithin(sql, jobs);
      await sql.executeSql('select pg_terminate_backend(pg_backend_pid())');
    });
    await expect(one.write(scored(record))).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await found(record)).toBe(false);
    expect(await stores.jobs(run)).toEqual([]);
    expect(await one.write(batch(record))).toBe('written');
  });

  it('are tried again when they meet another writer', async () => {
    const record = trace(run);
    let tries = 0;
    const one = writer({}, async (sql, jobs) => {
      tries += 1;
      if (tries < 3) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
      await stores.queues.scoring.enqueueWithin(sql, jobs);
    });
    expect(await one.write(scored(record))).toBe('written');
    expect(await stores.jobs(run)).toHaveLength(1);
  });

  it('are the other requests of a group of their own when one has no room for its job', async () => {
    const [good, bad] = [trace(run), trace(run)];
    const one = writer({ lanes: 1 }, async (sql, jobs) => {
      if (jobs.some(({ trace_ids }) => trace_ids.includes(bad.id))) throw new Error('not this one');
      await stores.queues.scoring.enqueueWithin(sql, jobs);
    });
    await hold(run);
    const first = one.write(batch(trace(run)));
    const settled = toOutcomes([one.write(scored(good)), one.write(scored(bad))]);
    await other.query('commit');
    await first;
    expect(await settled).toMatchObject([{ value: 'written' }, { reason: { message: 'not this one' } }]);
    expect(await Promise.all([good, bad].map(found))).toEqual([true, false]);
    expect(await stores.jobs(run)).toEqual([{ ...run, trace_ids: [good.id] }]);
  });
});

describe('two processes', () => {
  it('that write a record into two traces at once: one is refused whole', async () => {
    const [left, right] = [writer({ lanes: 1 }), writer({ lanes: 1 })];
    for (let round = 0; round < 20; round += 1) {
      const [one, two] = [trace(run), trace(run)];
      const child = span(one);
      const outcomes = await toOutcomes([
        left.write(batch(one, child)),
        right.write(batch(two, span(two, { id: child.id }), span(two))),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const refused = outcomes.findIndex(({ status }) => status === 'rejected');
      expect(outcomes[refused]).toMatchObject({ reason: { code: 'record_in_other_trace' } });
      expect(await Promise.all([one, two].map(found))).toEqual([refused === 1, refused === 0]);
    }
  });

  it('that write the same records in opposite order do not lock each other out', async () => {
    const writers = [writer(), writer()];
    const root = trace(run);
    const records = [root, ...Array.from({ length: 40 }, () => span(root))];
    const attempts = Array.from({ length: 12 }, (_, at) => {
      const changed = records.map((record) => ({ ...record, name: `${at}` }));
      return writers[at % 2]!.write(batch(...(at % 3 === 0 ? changed : changed.toReversed())));
    });
    expect(new Set(await Promise.all(attempts))).toEqual(new Set(['written']));
  });
});
