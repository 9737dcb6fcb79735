import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../core/kernel/json.ts';
import { newRun, type RecordStores, type RunKey, trace, write } from '../../contracts/traces/record-stores.ts';
import { score } from '../../contracts/trends/trend-store.contract.ts';
import { openMemoryStores } from '../../setup/memory-stores.ts';
import { openPostgresStores, type PostgresStores } from '../../setup/postgres-stores.ts';

const DAY = { from: '2026-01-02T00:00:00Z', to: '2026-01-03T00:00:00Z' };
const NAMES = ['records', 'errors', 'cost', 'quality'];
const RUNS = Number(process.env.PROPERTY_RUNS ?? 60);

let stores: PostgresStores;
beforeAll(async () => {
  stores = await openPostgresStores();
});
afterAll(() => stores.close());

const id = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const index = fc.integer({ min: 1, max: 6 });
const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -100, max: 100, noNaN: true }));
const log = fc.record({
  kind: fc.constant('log' as const),
  index,
  minute: fc.integer({ min: 0, max: 179 }),
  cost: fc.option(value),
  status_code: fc.constantFrom(200, 500),
  /** 0: of none. */
  prompt: fc.integer({ min: 0, max: 2 }),
});
const judge = fc.record({
  kind: fc.constant('judge' as const),
  index,
  value: fc.oneof(value, fc.boolean()),
  at: fc.integer({ min: 0, max: 59 }),
  /** 0: a version of its own; else one that judges again, and replaces what it said. */
  version: fc.integer({ min: 0, max: 2 }),
});
const settle = fc.record({ kind: fc.constant('settle' as const) });
const step = fc.oneof(log, log, judge, settle);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function play(on: RecordStores, run: RunKey, steps: readonly Step[]) {
  const judged = new Map<string, string>();
  for (const [number, step] of steps.entries()) {
    if (step.kind === 'settle') await on.settle();
    else if (step.kind === 'judge') {
      const scored_at = `2026-01-02T03:04:${String(step.at).padStart(2, '0')}Z`;
      const record = trace(run, { id: id(step.index) });
      const scorer_version_id = id(step.version === 0 ? number + 1 : 5_000 + step.version);
      const key = `${record.id} ${scorer_version_id}`;
      const said = score(record, { value: step.value, scored_at, scorer_version_id, judged: `${number}` });
      if ((await on.scoreStore.insert([{ ...said, replaces: judged.get(key) }])) === 1) judged.set(key, `${number}`);
    } else {
      const created_at = new Date(Date.parse('2026-01-02T04:00:00Z') + step.minute * 60_000).toISOString();
      const metrics: JsonObject = step.cost === null ? {} : { cost: step.cost };
      const attributes: JsonObject = step.prompt === 0 ? {} : { prompt_version_id: id(step.prompt) };
      await write(on, [trace(run, { id: id(step.index), created_at, metrics, status_code: step.status_code, attributes })]);
    }
  }
  await on.settle();
  const prompts = { project_id: run.project_id, prompt_version_ids: [id(1), id(2)], ...DAY, bucket_hours: 1 };
  return {
    hours: rounded(await on.trendStore.hourly({ ...run, names: NAMES, ...DAY }, true)),
    prompts: rounded(await on.promptUsageStore.sum(prompts, 1_000)),
  };
}

/** Sums are added up in another order, so their last digits may differ. */
const rounded = <T extends { readonly sum: number }>(sums: readonly T[]) =>
  sums.map((one) => ({ ...one, sum: Math.round(one.sum * 1e6) / 1e6 + 0 }));

describe('the record index', () => {
  it(`holds what the records hold, whatever happened to them in which order (${RUNS} random histories)`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const memory = openMemoryStores();
        const expected = await play(memory, await newRun(memory), steps);
        const actual = await play(stores, await newRun(stores), steps);
        expect(actual).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
  });

  it('is not built by two at once', async () => {
    const run = await newRun(stores);
    for (let number = 1; number <= 20; number += 1) await write(stores, [trace(run, { metrics: { cost: number } })]);
    const taken = await Promise.all(Array.from({ length: 6 }, () => stores.recordIndex.advance(5)));
    expect(taken.filter((count) => count > 0).length).toBeGreaterThanOrEqual(1);
    await stores.settle();
    const hours = await stores.trendStore.hourly({ ...run, names: ['cost'], ...DAY }, false);
    expect(hours).toMatchObject([{ count: 20, sum: 210, min: 1, max: 20 }]);
    expect(await stores.recordIndex.backlog()).toBe(0);
  });

  it('is built of other runs while somebody is at one', async () => {
    const [busy, other] = [await newRun(stores), await newRun(stores)];
    for (const run of [busy, other]) await write(stores, [trace(run, { metrics: { cost: 1 } })]);
    const { session } = stores.database;
    const isLeft = async ({ project_id, run_id }: RunKey) => {
      const rows = await session.sql('select from record_changes where project_id = $1 and run_id = $2', [project_id, run_id]);
      return rows.length > 0;
    };
    const held = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const holding = session.run(async () => {
      await session.sql('select from runs where project_id = $1 and id = $2 for update', [busy.project_id, busy.run_id]);
      isHeld.resolve();
      await held.promise;
    });
    await isHeld.promise;
    // Whichever of the two comes first waits for the run that is held; the other one goes on.
    const both = [stores.recordIndex.advance(10), stores.recordIndex.advance(10)];
    await expect.poll(() => isLeft(other)).toBe(false);
    expect(await isLeft(busy)).toBe(true);
    held.resolve();
    for (const taken of await Promise.all(both)) expect(taken).toBeGreaterThan(0);
    await holding;
    await stores.settle();
    expect(await isLeft(busy)).toBe(false);
  });

  it('keeps no words of blocks whose records are all gone', async () => {
    const run = await newRun(stores);
    const records = Array.from({ length: 600 }, (_, number) => trace(run, { input: `word${number}` }));
    await write(stores, records);
    await stores.settle();
    const blocksLeft = async () => {
      const key = [run.project_id, run.run_id];
      const blocks = await stores.database.session.sql(
        'select from word_blocks where project_id = $1 and run_id = $2 and not is_open',
        key,
      );
      const postings = await stores.database.session.sql<{ block: string }>(
        'select distinct block from word_postings where project_id = $1 and run_id = $2',
        key,
      );
      return [blocks.length, postings.length];
    };
    expect(await blocksLeft()).toEqual([2, 2]);
    const ids = records.map(({ id }) => id).sort();
    await stores.recordRemoval.removeTraces(run.project_id, run.run_id, ids.slice(0, 300));
    await stores.settle();
    expect(await blocksLeft()).toEqual([1, 1]);
    await stores.recordRemoval.removeTraces(run.project_id, run.run_id, ids.slice(300));
    await stores.settle();
    expect(await blocksLeft()).toEqual([0, 0]);
  });

  it('keeps nothing of a run that is removed while it is being indexed', async () => {
    for (let round = 0; round < 10; round += 1) {
      const run = await newRun(stores);
      await write(stores, [trace(run, { metrics: { cost: 1 } }), trace(run, { metrics: { cost: 2 } })]);
      const remove = stores.database.session.run(async () => {
        await stores.projectStore.removeRun(run.project_id, 'log_stream', run.run_id);
        await stores.traceStore.removeAll(run.project_id, run.run_id);
      });
      await Promise.all([stores.recordIndex.advance(100), remove]);
      await stores.settle();
      for (const table of [
        'record_numbers',
        'hourly_numbers',
        'indexed_records',
        'prompt_calls',
        'prompt_hours',
        'prompt_trace_hours',
        'prompt_traces',
        'word_blocks',
        'word_postings',
        'run_counts',
        'record_changes',
      ]) {
        const rows = await stores.database.session.sql(`select from ${table} where project_id = $1 and run_id = $2`, [
          run.project_id,
          run.run_id,
        ]);
        expect(rows, table).toHaveLength(0);
      }
    }
  });
});
