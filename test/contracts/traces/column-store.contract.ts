import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../core/kernel/json.ts';
import type { Score } from '../../../core/scores/score.ts';
import type { RunWindow } from '../../../core/traces/columns/column-store.ts';
import { MAX_NAMES_PER_PLACE, MAX_OWN_COLUMNS } from '../../../core/traces/columns/observed-columns.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { RecordSearch, toRecordCondition, toRecordSort } from '../../../core/traces/record-query.ts';
import { CREATED, newRun, type RecordStores, type RunKey, span, trace, write } from './record-stores.ts';

/** The stores are opened once; every test works in a run of its own. */
export function columnStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`ColumnStore, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
    });
    afterAll(() => stores.close());

    const seen = async (key: RunKey = run) =>
      (await stores.columnStore.seen(key.project_id, key.run_id))
        .map(({ type, column_id, data_type }) => `${type} ${column_id} ${data_type}`)
        .sort();
    const window = (more: Partial<RunWindow> = {}): RunWindow => ({
      ...run,
      start_time: undefined,
      end_time: undefined,
      ...more,
    });
    const filled = async (ids: readonly string[], more?: Partial<RunWindow>) =>
      [...(await stores.columnStore.filled(window(more), ids))].sort();
    const scored = async (names: readonly string[], more?: Partial<RunWindow>) =>
      Object.fromEntries(await stores.columnStore.scored(window(more), names));
    const score = ({ project_id, run_id, id }: LogRecord, facts: Partial<Score>): Score => ({
      project_id,
      run_id,
      record_id: id,
      scorer_id: randomUUID(),
      scorer_version_id: randomUUID(),
      metric_name: 'm',
      status_type: 'success',
      value: 1,
      explanation: null,
      message: null,
      effort: null,
      judged: null,
      times_scored: 1,
      scored_at: CREATED,
      ...facts,
    });

    it('tells the columns of the records of one run, by type', async () => {
      const root = trace(run, { input: 'x', metrics: { rating: 1 }, user_metadata: { team: 'a', nothing: null } });
      const llm = span(root, {
        type: 'llm',
        tags: ['t'],
        attributes: { model: 'big' },
        metrics: { rating: 'high', ok: true, all: [] },
      });
      await write(stores, [trace(await newRun(stores, run.project_id), { name: 'elsewhere' })]);
      expect(await seen()).toEqual([]);
      await write(stores, [root, llm]);
      expect(await seen()).toEqual(
        [
          'trace id uuid',
          'trace input text',
          'trace metrics/rating floating_point',
          'trace user_metadata/team text',
          'llm id uuid',
          'llm tags string_list',
          'llm model text',
          'llm metrics/rating text',
          'llm metrics/ok boolean',
          'llm metrics/all string_list',
        ].sort(),
      );
      expect(await seen({ ...run, project_id: randomUUID() })).toEqual([]);
    });

    it('tells what came by later batches and by changes', async () => {
      const root = trace(run, { is_complete: false });
      await write(stores, [root]);
      await write(stores, [trace(run, { external_id: 'e' }), trace(run, { dataset_metadata: { row: '1' } })]);
      const output = (record: LogRecord) => ({ ...record, output: 'late', metrics: { duration_ns: 5 } });
      await stores.traceStore.amend(run.project_id, run.run_id, root.id, output, () => false);
      expect(await seen()).toEqual(
        ['external_id text', 'dataset_metadata/row text', 'id uuid', 'metrics/duration_ns floating_point', 'output text']
          .map((one) => `trace ${one}`)
          .sort(),
      );
    });

    it('keeps difficult names, and leaves out those that are none', async () => {
      const names = ['a/b', '"\' É', 'half \ud83e \uf8ff', 'toString', '\0'];
      const user_metadata = { ...Object.fromEntries(names.map((name) => [name, 'x'])), ['n'.repeat(5_000)]: 'x', '': 'x' };
      const odd = JSON.parse('{"__proto__": 1}') as JsonObject;
      await write(stores, [trace(run, { user_metadata, metrics: odd })]);
      const ids = [...names.map((name) => `user_metadata/${name}`), 'metrics/__proto__'];
      const own = (await stores.columnStore.seen(run.project_id, run.run_id)).map(({ column_id }) => column_id);
      expect(own.filter((id) => id.includes('/')).sort()).toEqual([...ids].sort());
      expect(await filled([...ids, 'user_metadata/valueOf'])).toEqual([...ids].sort());
    });

    it('follows nobody who makes up a name per record', async () => {
      const many = (from: number) =>
        Array.from({ length: 10 }, (_, at) => {
          const names = Array.from({ length: 300 }, (_name, index) => [`${from + at}-${index}`, 'x']);
          return trace(run, { user_metadata: Object.fromEntries(names) });
        });
      for (const record of [...many(0), ...many(10)]) await write(stores, [record]);
      await write(stores, [trace(run, { external_id: 'standard columns are let in' })]);
      const columns = await stores.columnStore.seen(run.project_id, run.run_id);
      expect(columns.filter(({ column_id }) => column_id.includes('/'))).toHaveLength(MAX_OWN_COLUMNS);
      expect(columns.map(({ column_id }) => column_id)).toContain('external_id');
    });

    it('makes columns of the first names of a record, and keeps the others in it', async () => {
      const names = Array.from({ length: 3 * MAX_NAMES_PER_PLACE }, (_, at) => [`n${at}`, 'x']);
      const wide = trace(run, { user_metadata: Object.fromEntries(names) });
      await write(stores, [wide]);
      const columns = (await seen()).filter((one) => one.includes('/'));
      expect(columns).toHaveLength(MAX_NAMES_PER_PLACE);
      expect(columns).toContain(`trace user_metadata/n${MAX_NAMES_PER_PLACE - 1} text`);
      const kept = await stores.traceStore.find(run.project_id, wide.id);
      expect(kept?.user_metadata).toEqual(wide.user_metadata);
    });

    it('keeps a column whose values are gone, and forgets those of a run that is', async () => {
      await write(stores, [trace(run, { id: getId('a'), external_id: 'e', user_metadata: { k: 'v' } })]);
      await write(stores, [trace(run, { id: getId('a') })]);
      expect(await seen()).toContain('trace external_id text');
      expect(await filled(['external_id', 'user_metadata/k', 'id'])).toEqual(['id']);
      await stores.traceStore.removeAll(run.project_id, run.run_id);
      expect(await seen()).toEqual([]);
    });

    it.each<[string, Partial<LogRecord>, string[]]>([
      ['nothing', {}, []],
      ['empty texts', { input: '', output: '', name: '', external_id: '', dataset_input: '' }, []],
      ['empty lists', { tags: [], input: '[]', metrics: { list: [] } }, []],
      ['nulls', { user_metadata: { k: null }, metrics: { list: null } }, []],
      ['an empty text under a name', { user_metadata: { k: '' } }, []],
      ['texts', { input: 'a', output: 'b', name: 'c', dataset_input: 'd' }, ['dataset_input', 'input', 'name', 'output']],
      ['numbers, zero among them', { status_code: 0, metrics: { list: 0 } }, ['metrics/list', 'status_code']],
      ['lists', { tags: ['x'], metrics: { list: ['x'] } }, ['metrics/list', 'tags']],
      ['no', { user_metadata: { k: false } }, ['user_metadata/k']],
      ['lists of a payload', { input: [] }, []],
      ['a column that is for others', { attributes: { model: 'm' } }, []],
    ])('counts as filled: %s', async (_what, facts, expected) => {
      await write(stores, [trace(run, facts)]);
      const ids = ['input', 'output', 'name', 'external_id', 'tags', 'status_code', 'dataset_input', 'model'];
      expect(await filled([...ids, 'metrics/list', 'user_metadata/k'])).toEqual(expected);
    });

    it('looks at records of a time, both ends included', async () => {
      const root = trace(run, { created_at: '2026-01-02T00:00:00.000001Z', external_id: 'e', user_metadata: { k: 'v' } });
      await write(stores, [root, span(root, { created_at: '2026-01-03T00:00:00Z', step_number: 1 })]);
      await stores.scoreStore.insert([score(root, { value: 0.5 })]);
      const ids = ['external_id', 'step_number', 'user_metadata/k', 'parent_id'];
      const at = '2026-01-02T00:00:00.000001Z';
      expect(await filled(ids)).toEqual([...ids].sort());
      expect(await filled(ids, { start_time: at, end_time: at })).toEqual(['external_id', 'user_metadata/k']);
      expect(await filled(ids, { start_time: '2026-01-02T00:00:00.000002Z' })).toEqual(['parent_id', 'step_number']);
      expect(await filled(ids, { end_time: '2026-01-02T00:00:00.000000Z' })).toEqual([]);
      expect(await scored(['m'], { end_time: at })).toEqual({ m: 0.5 });
      expect(await scored(['m'], { start_time: '2026-01-02T00:00:00.000002Z' })).toEqual({});
    });

    it('finds what only an old record has', async () => {
      const old = trace(run, { created_at: '2020-01-01T00:00:00Z', external_id: 'e', metrics: { rare: 1 } });
      await write(stores, [old, ...Array.from({ length: 600 }, () => trace(run))]);
      expect(await filled(['external_id', 'metrics/rare', 'status_code', 'metrics/none'])).toEqual([
        'external_id',
        'metrics/rare',
      ]);
    });

    it('finds, sorts and counts records by how far the judges of their newest score agree', async () => {
      const [split, sure, single, unscored] = ['split', 'sure', 'single', 'unscored'].map((name) => trace(run, { name }));
      await write(stores, [split!, sure!, single!, unscored!]);
      const metric_name = 'É "half';
      await stores.scoreStore.insert([
        score(split!, { metric_name, effort: { agreement: 1 } }),
        score(split!, { metric_name, effort: { agreement: 0.6 }, scored_at: '2026-03-01T00:00:00.000Z' }),
        score(sure!, { metric_name, effort: { agreement: 1 } }),
        score(single!, { metric_name }),
        score(unscored!, { metric_name: 'another', effort: { agreement: 0.1 } }),
      ]);
      const column_id = `agreement/${metric_name}`;
      const listing = (body: object) => {
        const { starting_token, limit, ...search } = RecordSearch.parse(body);
        const where = toRecordCondition(search);
        return {
          ...run,
          level: 'trace' as const,
          where,
          sort: toRecordSort(search.sort),
          starting_token,
          limit,
          after: undefined,
        };
      };
      const names = async (body: object) => (await stores.traceStore.list(listing(body))).map(({ name }) => name);
      const below = (value: number) => ({ filters: [{ type: 'number', column_id, operator: 'lt', value }] });
      expect(await names(below(0.7))).toEqual(['split']);
      expect(await stores.traceStore.count(listing(below(1.1)))).toBe(2);
      expect((await names({ sort: { column_id, ascending: true } })).slice(0, 2)).toEqual(['split', 'sure']);
      expect(await names({ filter_tree: { not: { filter: below(0.7).filters[0] } } })).toHaveLength(3);
    });

    it('tells a value of each metric that scorers gave one to a record of the run', async () => {
      const [one, two] = [trace(run), trace(run)];
      const other = trace(await newRun(stores, run.project_id));
      await write(stores, [one, two]);
      await write(stores, [other]);
      await stores.scoreStore.insert([
        score(one, { metric_name: 'broken', status_type: 'error', value: null }),
        score(two, { metric_name: 'liked', value: true }),
        score(two, { metric_name: 'É "half \ud83e', value: ['a'] }),
        score(other, { metric_name: 'elsewhere' }),
      ]);
      expect(await scored(['broken', 'liked', 'É "half \ud83e', 'elsewhere', 'none'])).toEqual({
        liked: true,
        'É "half \ud83e': ['a'],
      });
      expect(await scored([])).toEqual({});
    });
  });
}

const getId = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
