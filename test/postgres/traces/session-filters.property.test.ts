import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../core/kernel/json.ts';
import { newRun, type RecordStores, type RunKey, trace, write } from '../../contracts/traces/record-stores.ts';
import { session, toListing } from '../../contracts/traces/sessions.ts';
import { openMemoryStores } from '../../setup/memory-stores.ts';
import { openPostgresStores, type PostgresStores } from '../../setup/postgres-stores.ts';
import { many, moment, toSearch, wordsFrom } from '../search-arbitraries.ts';

let postgres: PostgresStores;
let memory: RecordStores;
beforeAll(async () => {
  postgres = await openPostgresStores();
  memory = openMemoryStores();
});
afterAll(() => postgres.close());

/** Few values, so that filters meet sessions; among them what one side might read in another way. */
const LETTERS = ['a', 'A', 'ß', 'É', 'é', 'σ', 'Σ', '%', '_', '\\', '"', '\n', '0', '\u{1f99c}', '\uff5e'];
const plain = wordsFrom(LETTERS);
const clean = wordsFrom([...LETTERS, '\uf8e0', '\uf8ff']);
const free = wordsFrom([...LETTERS, '\uf8ff', '\0', '\ud83e']);
const IDS = Array.from({ length: 8 }, (_, at) => `${at}a000000-0000-4000-8000-00000000000${at}`);
const id = fc.constantFrom(...IDS);
const KEYS = ['plan', 'É "\' /', '__proto__', 'constructor'];
const value = fc.oneof(free, fc.constantFrom(1, 1.5, -2, true, null), fc.constant(['a', { b: 'a' }]));
const user_metadata = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...KEYS), value), { selector: ([key]) => key, maxLength: 3 })
  .map((entries) => Object.fromEntries(entries));

const blocks = fc.array(
  fc.oneof(fc.record({ type: fc.constant('text'), text: free }), fc.record({ type: fc.constant('file'), file_id: free })),
  { minLength: 1, maxLength: 2 },
) as fc.Arbitrary<JsonObject[]>;

const kept = fc.record({
  name: fc.option(plain),
  external_id: fc.option(plain.filter((text) => text !== '')),
  created_at: moment,
  user_metadata,
});
const logged = fc.record({
  name: plain,
  external_id: fc.option(plain),
  created_at: moment,
  user_metadata,
  input: fc.oneof(free, blocks),
  output: fc.option(fc.oneof(free, blocks)),
  is_complete: fc.boolean(),
  metrics: fc.constantFrom<JsonObject>({}, { duration_ns: 2 }),
});
/** Sessions that are kept, and traces in them, in others, in that of another trace, or alone. */
const fixture = fc.record({
  sessions: fc.uniqueArray(fc.tuple(id, kept), { selector: ([one]) => one, maxLength: 4 }),
  traces: fc.uniqueArray(fc.tuple(id, fc.option(id), logged), { selector: ([one]) => one, maxLength: 6 }),
});
type FixtureFacts = typeof fixture extends fc.Arbitrary<infer W> ? W : never;

async function fill(stores: RecordStores, run: RunKey, { sessions, traces }: FixtureFacts): Promise<void> {
  for (const [one, facts] of sessions) await stores.sessionStore.findOrInsert(session(run, { id: one, ...facts }), false);
  const records = traces.map(([one, session_id, facts]) => trace(run, { id: one, session_id: session_id ?? one, ...facts }));
  if (records.length > 0) await write(stores, records);
}

const columns = fc.constantFrom('input', 'output', 'name', 'external_id', 'id', ...KEYS.map((key) => `user_metadata/${key}`));
const case_sensitive = fc.boolean();
const of = (type: string, rest: Record<string, fc.Arbitrary<unknown>>) => fc.record({ type: fc.constant(type), ...rest });
const filter = fc.oneof(
  {
    arbitrary: of('text', {
      column_id: columns,
      operator: fc.constantFrom('eq', 'ne', 'contains'),
      value: clean,
      case_sensitive,
    }),
    weight: 5,
  },
  of('text', { column_id: columns, operator: fc.constantFrom('one_of', 'not_in'), value: many(clean), case_sensitive }),
  of('id', { column_id: fc.constant('id'), operator: fc.constantFrom('eq', 'ne', 'contains'), value: id }),
  of('id', { column_id: fc.constant('id'), operator: fc.constantFrom('one_of', 'not_in'), value: many(id) }),
  of('date', {
    column_id: fc.constant('created_at'),
    operator: fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte'),
    value: moment,
  }),
  of('boolean', { column_id: fc.constant('is_implicit'), operator: fc.constantFrom('eq', 'ne'), value: fc.boolean() }),
);
/** Texts with a NUL, a lone surrogate or a private one are kept under an escape, which orders otherwise: not sorted by here. */
const sort = fc.record({ column_id: fc.constantFrom('created_at', 'name', 'id', 'external_id'), ascending: fc.boolean() });
const search = toSearch({ filter, sort, id });

describe('random searches over random sessions', () => {
  it('answer the same sessions in the same order on memory and PostgreSQL', { timeout: 120_000 }, async () => {
    let matched = 0;
    const property = fc.asyncProperty(fixture, fc.array(search, { minLength: 12, maxLength: 18 }), async (facts, searches) => {
      const run = await newRun(postgres);
      await newRun(memory, run.project_id, run.run_id);
      for (const stores of [memory, postgres]) await fill(stores, run, facts);
      for (const body of searches) {
        const listing = toListing(run, body);
        const expected = await memory.sessionStore.list(listing);
        const found = await postgres.sessionStore.list(listing);
        expect(found).toEqual(expected.map((one) => ({ ...one, updated_at: expect.any(String) })));
        expect(await postgres.sessionStore.count(listing)).toBe(await memory.sessionStore.count(listing));
        matched += expected.length;
      }
      for (const one of IDS) {
        const page = { starting_token: 0, limit: 3 };
        const traces = await memory.sessionStore.listTraces({ ...run, id: one }, page);
        // Bytes as they are stored, which differ.
        const anyBytes = traces.map((each) => ({ ...each, num_bytes: expect.any(Number) }));
        expect(await postgres.sessionStore.listTraces({ ...run, id: one }, page)).toEqual(anyBytes);
      }
    });
    await fc.assert(property, { numRuns: 40 });
    expect(matched).toBeGreaterThan(300);
  });

  it('remove the same sessions and traces', async () => {
    const property = fc.asyncProperty(fixture, filter, async (facts, one) => {
      const run = await newRun(postgres);
      await newRun(memory, run.project_id, run.run_id);
      const outcomes = [memory, postgres].map(async (stores) => {
        await fill(stores, run, facts);
        const removed = await stores.sessionStore.remove(toListing(run, { filters: [one] }));
        const left = await stores.sessionStore.list(toListing(run, {}));
        const traces = await Promise.all(IDS.map((trace_id) => stores.traceStore.find(run.project_id, trace_id)));
        return { removed, left: left.map((each) => each.id), traces: traces.map((found) => found !== undefined) };
      });
      expect(await outcomes[1]).toEqual(await outcomes[0]);
    });
    await fc.assert(property, { numRuns: 40 });
  });
});
