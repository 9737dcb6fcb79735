import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import type { Score } from '../../../core/scores/score.ts';
import type { FilterType } from '../../../core/traces/catalogue/field-kinds.ts';
import { ownFieldsOf, SPAN_TYPES } from '../../../core/traces/catalogue/span-types.ts';
import { STANDARD_COLUMNS } from '../../../core/traces/columns/column.ts';
import { checkPayload } from '../../../core/traces/ingest/flatten.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { RecordSearch, toRecordCondition, toRecordSort } from '../../../core/traces/record-query.ts';
import { newRun, type RecordStores, type RunKey, span, trace, write } from '../../contracts/traces/record-stores.ts';
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

/** Few values, so that filters meet records; among them what one side might read in another way. */
const LETTERS = ['a', 'A', 'ß', 'É', 'é', 'σ', 'Σ', 'ς', 'İ', 'ı', '%', '_', '\\', '"', "'", '\n', '0', '\u{1f99c}', '\uff5e'];
const PRIVATE = ['\uf8e0', '\uf8ff'];
const plain = wordsFrom(LETTERS);
const clean = wordsFrom([...LETTERS, ...PRIVATE]);
const free = wordsFrom([...LETTERS, ...PRIVATE, '\0', '\ud83e', '\udd9c']);
const IDS = Array.from({ length: 10 }, (_, at) => `${at}a000000-0000-4000-8000-00000000000${at}`);
const id = fc.constantFrom(...IDS);
const number = fc.constantFrom(0, 1, 2, -1, 1.5, 1e300);
const integer = fc.constantFrom(0, 1, 2, -1);
/** A scorer may be named as a metric that came with records; of a system metric nothing else is known. */
const METRICS = ['duration_ns', 'num_input_tokens', 'x', 'É "\' /', '__proto__', 'isPrototypeOf'];
const SCORED = ['x', 'isPrototypeOf', 'duration_ns', 'only scored'];
const KEYS = ['k', 'É "\' /', '__proto__', 'toString'];

const message = fc.record({ role: fc.constantFrom('user', 'assistant'), content: free });
const documents = fc.array(fc.record({ content: free, metadata: fc.constant({}) }), { maxLength: 2 });
const blocks = fc.array(
  fc.oneof(fc.record({ type: fc.constant('text'), text: free }), fc.record({ type: fc.constant('file'), file_id: free })),
  { minLength: 1, maxLength: 3 },
) as fc.Arbitrary<JsonObject[]>;
/** Numbers that JSON writes in several ways, and values that are no text. */
const odd = fc.constantFrom<JsonValue>(1e21, 1.5e-7, -5e-324, 123e-3, 0.1, true, false, null);
const nested = fc.oneof(
  fc.array(fc.oneof(clean, number, odd), { maxLength: 2 }),
  fc.record({ a: free, é: odd, bb: fc.array(clean, { maxLength: 1 }) }, { requiredKeys: [], noNullPrototype: true }),
) as fc.Arbitrary<JsonValue>;
const named = (names: readonly string[], value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> =>
  fc.record(Object.fromEntries(names.map((name) => [name, name === 'duration_ns' ? fc.nat({ max: 2 }) : value])), {
    requiredKeys: [],
    noNullPrototype: true,
  }) as fc.Arbitrary<JsonObject>;
/** `plain` for sorting: other texts are kept under an escape, which orders otherwise. */
const metric_value = fc.oneof(number, odd, plain, fc.array(plain, { maxLength: 2 }), fc.constant({ é: 1, aa: 'x' }));
const metrics = named(METRICS, metric_value);
const user_metadata = named(KEYS, fc.oneof(plain, odd, number));
const dataset_metadata = named(KEYS, fc.oneof(free, odd, nested));
const common = {
  name: plain,
  created_at: moment,
  status_code: fc.option(integer),
  tags: fc.array(clean, { maxLength: 3 }),
  external_id: fc.option(plain),
  session_id: id,
  dataset_input: fc.option(free),
  dataset_output: fc.option(free),
  metrics,
  user_metadata,
  dataset_metadata,
  has_children: fc.boolean(),
  is_complete: fc.boolean(),
};
const attributes = fc.record(
  {
    agent_type: fc.constantFrom('default', 'judge'),
    tools: fc.array(fc.record({ type: clean, b: number, aa: free }), { maxLength: 2 }),
    model: plain,
    finish_reason: plain,
    temperature: number,
    tool_call_id: plain,
    control_id: integer,
    agent_name: plain,
    check_stage: fc.constantFrom('pre', 'post'),
    applies_to: fc.constantFrom('llm_call', 'tool_call'),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const traces = fc.record({ ...common, input: fc.oneof(free, blocks), output: fc.option(fc.oneof(free, blocks)) });
const spans = fc.record({
  ...common,
  type: fc.constantFrom(...SPAN_TYPES),
  attributes,
  step_number: fc.option(fc.nat({ max: 2 })),
  input: fc.oneof(free, fc.array(message, { maxLength: 2 }), blocks),
  output: fc.option(fc.oneof(free, message, documents, blocks)),
});

/** Results of up to three versions of scorers, some in the same moment. */
const scores = fc.array(
  fc.record({
    record: fc.nat(),
    metric_name: fc.constantFrom(...SCORED),
    scorer_version_id: fc.constantFrom(...IDS.slice(0, 3)),
    scored_at: moment,
    status_type: fc.constantFrom<Score['status_type']>('success', 'success', 'error', 'not_applicable'),
    value: fc.oneof(
      metric_value,
      nested.filter((value) => !JSON.stringify(value).includes('\\u')),
    ),
  }),
  { maxLength: 10 },
);
type Scores = typeof scores extends fc.Arbitrary<infer S> ? S : never;

/** At most one per record and version: of two in one insert either may win. */
function toScores(records: readonly LogRecord[], given: Scores): Score[] {
  const scores = given.map(({ record, value, status_type, ...facts }): Score => {
    const { project_id, run_id, id: record_id } = records[record % records.length]!;
    const texts = { explanation: null, message: null, effort: null, judged: null, times_scored: 1 };
    const key = { project_id, run_id, record_id, scorer_id: IDS[0]! };
    return { ...facts, ...texts, ...key, status_type, value: status_type === 'success' ? value : null };
  });
  return [...new Map(scores.map((score) => [`${score.record_id} ${score.scorer_version_id}`, score])).values()];
}

/** Some traces, and some spans, each under one of them. */
const batch = fc.tuple(fc.array(traces, { minLength: 1, maxLength: 4 }), fc.array(fc.tuple(spans, fc.nat()), { maxLength: 6 }));
type Batch = typeof batch extends fc.Arbitrary<infer B> ? B : never;

function toRecords(run: RunKey, [parents, children]: Batch): LogRecord[] {
  const own = (facts: Batch[1][number][0]) => {
    const keys = ownFieldsOf(facts.type).filter((name) => name in facts.attributes);
    return Object.fromEntries(keys.map((name) => [name, facts.attributes[name as keyof typeof facts.attributes]!]));
  };
  const roots = parents.map((facts, at) => trace(run, { ...facts, id: IDS[at]! }));
  const leaves = children.map(([facts, under], at) => {
    const payloads = {
      input: checkPayload(facts.type, 'input', facts.input) ?? '',
      output: checkPayload(facts.type, 'output', facts.output),
    };
    return span(roots[under % roots.length]!, { ...facts, ...payloads, id: IDS[roots.length + at]!, attributes: own(facts) });
  });
  return [...roots, ...leaves];
}

const columns = STANDARD_COLUMNS.filter(
  (column) => column.id !== 'updated_at' && column.id !== 'run_id' && column.id !== 'project_id',
);
const toColumn = (filter_type: FilterType) =>
  fc.constantFrom(...columns.filter(({ filter_types }) => filter_types[0] === filter_type).map((column) => column.id));
const SYSTEM = ['duration_ns', 'num_input_tokens'];
const OWN_METRICS = [...METRICS, 'only scored'].filter((name) => !SYSTEM.includes(name));
const metric = fc.constantFrom(...SYSTEM, ...OWN_METRICS).map((name) => `metrics/${name}`);
const own_metric = fc.constantFrom(...OWN_METRICS).map((name) => `metrics/${name}`);
const metadata = fc
  .tuple(fc.constantFrom('user_metadata', 'dataset_metadata'), fc.constantFrom(...KEYS, 'absent'))
  .map(([place, key]) => `${place}/${key}`);
/** Pieces of the JSON texts of the values above. */
const needle = fc.oneof(
  { arbitrary: clean, weight: 3 },
  fc.constantFrom('true', '1', '1.5', '0.00000015', '1000000000000000000000', '{"é": 1', ': ', ', ', '["', '\\"', '[', '0.123'),
);
const case_sensitive = fc.constantFrom(true, false);
const one = (operators: readonly string[], value: fc.Arbitrary<unknown>) => ({ operator: fc.constantFrom(...operators), value });
const of = (type: string, column_id: fc.Arbitrary<string>, rest: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record({ type: fc.constant(type), column_id, ...rest });
const ORDER = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'];
const texts = fc.oneof(toColumn('text'), toColumn('id'));
const numbers = fc.oneof(toColumn('number'), metric);
const own = fc.oneof(own_metric, metadata);
const filter = fc.oneof(
  { arbitrary: of('text', texts, { ...one(['eq', 'ne', 'contains'], clean), case_sensitive }), weight: 5 },
  { arbitrary: of('text', texts, { ...one(['one_of', 'not_in'], many(clean)), case_sensitive }), weight: 2 },
  { arbitrary: of('text', own, { ...one(['eq', 'ne', 'contains'], needle), case_sensitive }), weight: 3 },
  { arbitrary: of('text', own, { ...one(['one_of', 'not_in'], many(needle)), case_sensitive }), weight: 1 },
  of('collection', own_metric, { ...one(['eq', 'contains', 'not_in'], many(needle)), case_sensitive }),
  of('id', toColumn('id'), one(['eq', 'ne', 'contains'], id)),
  of('id', toColumn('id'), one(['one_of', 'not_in'], many(id))),
  { arbitrary: of('number', numbers, one(ORDER, number)), weight: 2 },
  of('number', numbers, one(['between'], fc.tuple(number, number))),
  of('date', fc.constant('created_at'), one(ORDER, moment)),
  of('boolean', toColumn('boolean'), one(['eq', 'ne'], fc.boolean())),
  of('boolean', own_metric, one(['eq', 'ne'], fc.boolean())),
  {
    arbitrary: of('collection', fc.constant('tags'), { ...one(['eq', 'contains', 'not_in'], many(clean)), case_sensitive }),
    weight: 2,
  },
);
/** Texts with a NUL, a lone surrogate or a private one are kept under an escape, which orders otherwise: not sorted by here. */
const FREE_TEXTS = ['input', 'output', 'dataset_input', 'dataset_output', 'tools'];
const sortable = columns.filter(({ id: name, sortable: can }) => can && !FREE_TEXTS.includes(name));
const sort = fc.record({
  column_id: fc.oneof(
    { arbitrary: fc.constantFrom(...sortable.map((column) => column.id)), weight: 2 },
    metric,
    fc.constantFrom(...KEYS, 'absent').map((key) => `user_metadata/${key}`),
  ),
  ascending: fc.boolean(),
});
const search = toSearch({ filter, sort, id });

/** Pairs of a search and what it searches; each counts once per level. `RECORD_FILTER_PAIRS` asks for another number. */
const PAIRS = Number(process.env.RECORD_FILTER_PAIRS ?? 5_000);
const PER_RUN = 25;

describe('random searches over random records', () => {
  it('answer the same records in the same order on memory and PostgreSQL', { timeout: 240_000 + PAIRS * 100 }, async () => {
    let pairs = 0;
    let matched = 0;
    const searches = fc.array(search, { minLength: PER_RUN, maxLength: PER_RUN });
    const property = fc.asyncProperty(batch, scores, searches, fc.boolean(), async (given, results, bodies, isIndexed) => {
      const run = await newRun(postgres);
      await newRun(memory, run.project_id, run.run_id);
      const records = toRecords(run, given);
      for (const stores of [memory, postgres]) {
        await write(stores, records);
        await stores.scoreStore.insert(toScores(records, results));
      }
      if (isIndexed) await postgres.settle();
      for (const body of bodies) {
        pairs += 1;
        matched += await compare(run, RecordSearch.parse(body));
      }
    });
    await fc.assert(property, { numRuns: Math.ceil(PAIRS / PER_RUN) });
    process.stdout.write(`${pairs} random searches answered alike, ${matched} records in them\n`);
    expect(matched).toBeGreaterThan(pairs);
  });
});

/** Throws where the two differ; returns how many records they found. */
async function compare(run: RunKey, search: RecordSearch): Promise<number> {
  let found = 0;
  for (const level of ['trace', 'span'] as const) {
    const selection = { ...run, level, where: toRecordCondition(search) };
    const { starting_token, limit } = search;
    const after = search.previous_last_row_id ?? undefined;
    const listing = { ...selection, starting_token, limit, sort: toRecordSort(search.sort), after };
    const [expected, answer] = await Promise.all([memory.traceStore.list(listing), postgres.traceStore.list(listing)]);
    expect(answer.map((record) => record.id)).toEqual(expected.map((record) => record.id));
    expect(answer).toStrictEqual(expected.map((record) => ({ ...record, updated_at: expect.any(String) })));
    expect(await postgres.traceStore.count(selection)).toBe(await memory.traceStore.count(selection));
    found += expected.length;
  }
  return found;
}
