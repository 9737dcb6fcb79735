import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../core/traces/record.ts';
import { RecordSearch, toRecordCondition, toRecordSort } from '../../../core/traces/record-query.ts';
import { type Fixture, newRun, type RunKey, span, stored, trace, write } from './record-stores.ts';

const getId = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
type Search = Readonly<Record<string, unknown>>;
type Level = 'trace' | 'span';

/** The part of the contract of `TraceStore` that is about `list` and `count`. */
export function recordListing(fixture: Fixture): void {
  const listing = (body: Search, level: Level = 'trace', key: RunKey = fixture().run) => {
    const search = RecordSearch.parse(body);
    const { starting_token, limit } = search;
    const after = search.previous_last_row_id ?? undefined;
    return { ...key, level, where: toRecordCondition(search), sort: toRecordSort(search.sort), starting_token, limit, after };
  };
  const list = (body: Search, level?: Level) => fixture().stores.traceStore.list(listing(body, level));
  const count = (body: Search, level?: Level) => fixture().stores.traceStore.count(listing(body, level));
  const names = async (body: Search, level?: Level) => (await list(body, level)).map(({ name }) => name);

  it('lists the records of one run and one level, newest first, as they were written', async () => {
    const { stores, run } = fixture();
    const other = trace(await newRun(stores, run.project_id));
    const [old, recent] = [
      trace(run, { created_at: '2026-01-01T00:00:00.000001Z' }),
      trace(run, { created_at: '2026-01-01T00:00:00.000002Z' }),
    ];
    const child = span(old);
    await write(stores, [other]);
    await write(stores, [recent, old, child]);
    expect(await list({})).toStrictEqual([stored(recent), stored(old)]);
    expect(await list({}, 'span')).toStrictEqual([stored(child)]);
    expect([await count({}), await count({}, 'span')]).toEqual([2, 1]);
    for (const key of [
      { ...run, run_id: randomUUID() },
      { ...run, project_id: randomUUID() },
    ]) {
      expect(await stores.traceStore.list(listing({}, 'trace', key))).toEqual([]);
      expect(await stores.traceStore.count(listing({}, 'trace', key))).toBe(0);
    }
  });

  it('counts the values of a column over a selection, the most frequent first', async () => {
    const { stores, run } = fixture();
    const facet = (column_id: string, body: Search = {}, limit = 10) => stores.traceStore.facet(listing(body), column_id, limit);
    const [first, ...others] = [
      trace(run, { name: 'b', tags: ['x', 'y'], user_metadata: { tier: 'free', size: 1 }, metrics: { good: true, sum: 1.5 } }),
      trace(run, {
        name: 'b',
        tags: ['x'],
        user_metadata: { tier: 'paid', size: { a: [1] } },
        metrics: { good: false, sum: 'many' },
      }),
      trace(run, { name: 'ä\0', user_metadata: { tier: 'free' }, metrics: { good: true } }),
      trace(run, { name: 'a' }),
    ];
    await write(stores, [first!, ...others]);
    await write(stores, [span(first!, { name: 'b' }), trace(await newRun(stores, run.project_id), { name: 'b' })]);
    const counts = async (...of: Parameters<typeof facet>) => (await facet(...of)).map(({ value, count }) => [value, count]);
    expect(await counts('name')).toEqual([
      ['b', 2],
      ['a', 1],
      ['ä\0', 1],
    ]);
    expect(await counts('name', {}, 1)).toEqual([['b', 2]]);
    expect(await counts('tags')).toEqual([
      ['x', 2],
      ['y', 1],
    ]);
    expect(await counts('user_metadata/tier')).toEqual([
      ['free', 2],
      ['paid', 1],
    ]);
    expect(await counts('user_metadata/size')).toEqual([
      ['1', 1],
      ['{"a": [1]}', 1],
    ]);
    expect(await counts('metrics/good')).toEqual([
      ['true', 2],
      ['false', 1],
    ]);
    expect(await counts('metrics/sum')).toEqual([
      ['1.5', 1],
      ['many', 1],
    ]);
    expect(await counts('has_children')).toEqual([['false', 4]]);
    const filters = [{ type: 'text', column_id: 'name', operator: 'eq', value: 'b' }];
    expect(await counts('user_metadata/tier', { filters })).toEqual([
      ['free', 1],
      ['paid', 1],
    ]);
    expect(await counts('user_metadata/nowhere')).toEqual([]);
  });

  it('leaves large fields that are not wanted empty, and gives the others as they were written', async () => {
    const { stores, run } = fixture();
    const texts = {
      input: 'in',
      output: 'out',
      redacted_input: 'ri',
      redacted_output: 'ro',
      dataset_input: 'di',
      dataset_output: 'do',
    };
    const maps = { user_metadata: { a: 1 }, dataset_metadata: { b: 2 }, metrics: { c: 3 } };
    const record = trace(run, { name: 'kept', tags: ['t'], status_code: 7, external_id: 'e', ...texts, ...maps });
    await write(stores, [
      record,
      span(record, { type: 'llm', attributes: { model: 'm' }, input: [{ role: 'user', content: 'x' }] }),
    ]);
    const nothing = {
      ...Object.fromEntries(Object.keys(texts).map((name) => [name, null])),
      ...Object.fromEntries(Object.keys(maps).map((name) => [name, {}])),
    };
    const light = (fields: (keyof LogRecord)[], body: Search = {}, level: Level = 'trace') =>
      stores.traceStore.list({ ...listing(body, level), fields: new Set(fields) });
    expect(await light(['name'])).toStrictEqual([{ ...stored(record), ...nothing }]);
    const some = await light(['output', 'metrics'], { sort: { column_id: 'input' } });
    expect(some).toStrictEqual([{ ...stored(record), ...nothing, output: 'out', metrics: { c: 3 } }]);
    expect(await light(['attributes'], {}, 'span')).toMatchObject([{ input: null, attributes: { model: 'm' } }]);
    expect(await light(['input'], {}, 'span')).toMatchObject([{ input: [{ role: 'user', content: 'x' }], attributes: {} }]);
  });

  it('ends a page with the record that makes it as large as it may be, and says that there are more', async () => {
    const { stores, run } = fixture();
    const SIZE = 10_000;
    const text = () => Array.from({ length: SIZE / 50 }, () => randomUUID().padEnd(50)).join('');
    // A value that a database packs to nearly nothing is as large as it is read.
    const maps = { packed: 'x'.repeat(SIZE), other: text() };
    const fill = [
      { input: text() },
      { output: 'x'.repeat(SIZE) },
      { user_metadata: maps },
      { input: 'short' },
      { input: 'last' },
    ];
    const records = fill.map((large, at) =>
      trace(run, { name: `${at}`, created_at: `2026-01-01T00:00:0${at}.000Z`, status_code: at, ...large }),
    );
    await write(stores, records);
    const within = async (maxBytes: number, body: Search = {}, fields?: (keyof LogRecord)[]) => {
      const sort = { column_id: 'created_at', ascending: true };
      const wanted = { ...listing({ sort, ...body }), ...(fields && { fields: new Set(fields) }) };
      const { records: found, has_more } = await stores.traceStore.listWithin(wanted, maxBytes);
      return [found.map(({ name }) => name).join(''), has_more];
    };
    const byStatus = { sort: { column_id: 'status_code', ascending: true } };
    for (const order of [{}, byStatus]) {
      expect(await within(1, order)).toEqual(['0', true]);
      expect(await within(SIZE * 1.5, order)).toEqual(['01', true]);
      expect(await within(SIZE * 2.5, order)).toEqual(['012', true]);
      expect(await within(SIZE * 2.5, { ...order, starting_token: 1 })).toEqual(['12', true]);
      expect(await within(SIZE * 9, order)).toEqual(['01234', false]);
      expect(await within(SIZE * 9, { ...order, limit: 5 })).toEqual(['01234', false]);
      expect(await within(SIZE * 9, { ...order, limit: 4 })).toEqual(['0123', true]);
      expect(await within(SIZE * 1.5, { ...order, previous_last_row_id: records[0]!.id })).toEqual(['12', true]);
      expect(await within(SIZE * 9, { ...order, starting_token: 5 })).toEqual(['', false]);
      // A field that is not wanted takes no room.
      expect(await within(SIZE * 1.5, order, ['output'])).toEqual(['01234', false]);
    }
    const { records: whole } = await stores.traceStore.listWithin(listing({}), SIZE * 9);
    expect(whole).toStrictEqual(records.toReversed().map(stored));
  });

  it('gives content blocks with the payload that they are, and not without it', async () => {
    const { stores, run } = fixture();
    const [input, output] = [[{ type: 'text', text: 'in' }], [{ type: 'file', file_id: 'f' }]];
    await write(stores, [trace(run, { input, output })]);
    const light = (fields: (keyof LogRecord)[]) => stores.traceStore.list({ ...listing({}), fields: new Set(fields) });
    expect(await light(['input'])).toMatchObject([{ input, output: null }]);
    expect(await light(['output'])).toMatchObject([{ input: null, output }]);
    expect(await light(['name'])).toMatchObject([{ input: null, output: null }]);
  });

  it('counts the spans of traces', async () => {
    const { stores, run } = fixture();
    const [one, two, bare] = [trace(run), trace(run), trace(run)];
    const child = span(one!);
    await write(stores, [one!, two!, bare!, child, span(child, { parent_id: child.id }), span(two!)]);
    const ids = [one!.id, two!.id, bare!.id, randomUUID()];
    const counts = (key: RunKey) => stores.traceStore.spanCounts(key.project_id, key.run_id, ids);
    expect(await counts(run)).toEqual(
      new Map([
        [one!.id, 2],
        [two!.id, 1],
      ]),
    );
    expect(await counts({ ...run, run_id: randomUUID() })).toEqual(new Map());
    expect(await counts({ ...run, project_id: randomUUID() })).toEqual(new Map());
  });

  it('tells which models the calls of traces name', async () => {
    const { stores, run } = fixture();
    const [one, two, bare] = [trace(run), trace(run), trace(run)];
    const call = (parent: LogRecord, model: string) => span(parent, { type: 'llm', attributes: { model } });
    await write(stores, [one, two, bare, call(one, 'b'), call(one, 'a'), call(one, 'b'), call(two, 'Ä\u0000'), span(bare)]);
    const models = (key: RunKey) => stores.traceStore.models(key.project_id, key.run_id, [one.id, two.id, bare.id]);
    expect(await models(run)).toEqual(
      new Map([
        [one.id, ['a', 'b']],
        [two.id, ['Ä\u0000']],
      ]),
    );
    expect(await models({ ...run, run_id: randomUUID() })).toEqual(new Map());
    expect(await stores.traceStore.facet(listing({}), 'model', 10)).toEqual([
      { value: 'a', count: 1 },
      { value: 'b', count: 1 },
      { value: 'Ä\u0000', count: 1 },
    ]);
    const facetOfSpans = await stores.traceStore.facet(listing({}, 'span'), 'model', 1);
    expect(facetOfSpans).toEqual([{ value: 'b', count: 2 }]);
  });

  it.each<[object, string[]]>([
    [{ operator: 'eq', value: 'small' }, ['both', 'one']],
    [{ operator: 'one_of', value: ['large', 'other'] }, ['both']],
    [{ operator: 'contains', value: 'MALL', case_sensitive: false }, ['both', 'one']],
    [{ operator: 'ne', value: 'large' }, ['none', 'one']],
    [{ operator: 'not_in', value: ['small', 'large'] }, ['none']],
  ])('finds traces by the models of their calls: %j', async (asked, expected) => {
    const { stores, run } = fixture();
    const [both, one, none] = ['both', 'one', 'none'].map((name) => trace(run, { name })) as [LogRecord, LogRecord, LogRecord];
    const call = (parent: LogRecord, model: string) => span(parent, { type: 'llm', attributes: { model } });
    await write(stores, [both, one, none, call(both, 'small'), call(both, 'large'), call(one, 'small'), span(none)]);
    const filter = { type: 'text', column_id: 'model', ...asked };
    const all = ['both', 'none', 'one'];
    expect((await names({ filters: [filter] })).sort()).toEqual(expected);
    expect((await names({ filter_tree: { not: { filter } } })).sort()).toEqual(all.filter((name) => !expected.includes(name)));
    expect(await count({ filters: [filter] })).toBe(expected.length);
  });

  describe('filters', () => filters(fixture, names, count));
  orders(fixture, names);
  pages(fixture, names);
}

function filters(
  fixture: Fixture,
  names: (body: Search, level?: Level) => Promise<string[]>,
  count: (body: Search, level?: Level) => Promise<number>,
): void {
  beforeEach(async () => {
    const { stores, run } = fixture();
    const [ann, bob, eve] = sample(run);
    await write(stores, [ann!, bob!, eve!]);
    const model = {
      type: 'llm',
      is_complete: true,
      step_number: 1,
      attributes: { model: 'Big-1', temperature: 0.5, tools: [{ b: 1, aa: '"q"' }] },
    } as const;
    const messages = [{ role: 'user', content: 'say "hi"\nto Bob' }];
    await write(stores, [
      span(bob!, { name: 'asks', ...model, input: messages, output: { role: 'assistant', content: 'HI' } }),
      span(bob!, {
        name: 'sees',
        type: 'workflow',
        input: [
          { type: 'text', text: 'What "is"' },
          { type: 'image_url', image_url: { url: 'data:text' } },
          { type: 'text', text: 'this?' },
        ],
        output: [{ type: 'text', text: 'a {"type": 1}' }],
        is_complete: true,
      }),
      span(bob!, {
        name: 'looks up',
        type: 'tool',
        input: 'say "hi"',
        step_number: 2,
        is_complete: false,
        attributes: { tool_call_id: 'c1' },
      }),
    ]);
  });

  const text = (column_id: string, operator: string, value: unknown, case_sensitive?: boolean) => ({
    type: 'text',
    column_id,
    operator,
    value,
    case_sensitive,
  });
  const number = (column_id: string, operator: string, value: unknown) => ({ type: 'number', column_id, operator, value });
  const date = (operator: string, value: string) => ({ type: 'date', column_id: 'created_at', operator, value });
  const tags = (operator: string, value: unknown, case_sensitive?: boolean) => ({
    type: 'collection',
    column_id: 'tags',
    operator,
    value,
    case_sensitive,
  });
  const id = (operator: string | undefined, value: unknown, column_id = 'id') => ({ type: 'id', column_id, operator, value });

  it.each<[object, string[]]>([
    [id(undefined, getId('A')), ['ann']],
    [id('contains', getId('a')), ['ann']],
    [id('ne', getId('a')), ['bob', 'eve']],
    [id('one_of', [getId('a'), getId('c'), getId('d')]), ['ann', 'eve']],
    [id('one_of', []), []],
    [id('not_in', [getId('a'), getId('b')]), ['eve']],
    [id('not_in', []), ['ann', 'bob', 'eve']],
    [id('eq', getId('e'), 'session_id'), ['eve']],
    [text('id', 'contains', 'bbbb-0000'), ['bob']],
    [text('name', 'eq', 'ann'), ['ann']],
    [text('name', 'eq', 'ANN'), []],
    [text('name', 'eq', 'ANN', false), ['ann']],
    [text('name', 'ne', 'ann'), ['bob', 'eve']],
    [text('name', 'one_of', ['BOB', 'EVE'], false), ['bob', 'eve']],
    [text('name', 'not_in', ['bob', 'eve']), ['ann']],
    [text('name', 'one_of', []), []],
    [text('name', 'not_in', []), ['ann', 'bob', 'eve']],
    [text('input', 'contains', '50% o_'), ['bob']],
    [text('input', 'contains', '\\d'), ['eve']],
    [text('input', 'contains', 'ÉCOLE', false), ['ann']],
    [text('input', 'contains', 'ÉCOLE'), []],
    [text('input', 'contains', ''), ['ann', 'bob', 'eve']],
    [text('input', 'contains', '0000'), []],
    [text('input', 'contains', '\uf8ff'), ['eve']],
    [text('input', 'contains', '\uf8ff0000'), []],
    [text('output', 'contains', 'x'), ['ann']],
    [text('output', 'ne', 'x'), ['bob', 'eve']],
    [text('external_id', 'not_in', ['e1']), ['bob', 'eve']],
    [text('external_id', 'contains', ''), ['ann']],
    [number('status_code', 'eq', 200), ['ann']],
    [number('status_code', 'ne', 200), ['bob', 'eve']],
    [number('status_code', 'gt', 199.5), ['ann', 'bob']],
    [number('status_code', 'gte', 500), ['bob']],
    [number('status_code', 'lt', 500), ['ann']],
    [number('status_code', 'lte', 500), ['ann', 'bob']],
    [number('status_code', 'between', [200, 500]), ['ann', 'bob']],
    [number('status_code', 'between', [500, 200]), []],
    [number('metrics/duration_ns', 'gt', 9_007_199_254_740_000), ['ann']],
    [number('metrics/accuracy', 'eq', 0.1), ['bob']],
    [number('metrics/accuracy', 'ne', 0.1), ['ann', 'eve']],
    [number('metrics/accuracy', 'lt', 1e308), ['bob', 'eve']],
    [number('metrics/a"b\' /c', 'gt', 0), ['ann']],
    [number('metrics/__proto__', 'eq', 1), ['eve']],
    [number('metrics/toString', 'ne', 1), ['ann', 'bob', 'eve']],
    [date('eq', '2026-01-01T01:00:00.000001+01:00'), ['bob']],
    [date('ne', '2026-01-01T00:00:00.000001Z'), ['ann', 'eve']],
    [date('gt', '2026-01-01T00:00:00Z'), ['bob', 'eve']],
    [date('gte', '2026-01-01T00:00:00.000001Z'), ['bob', 'eve']],
    [date('lt', '2026-01-01T00:00:00.000002Z'), ['ann', 'bob']],
    [date('lte', '2026-01-01T00:00:00.000000Z'), ['ann']],
    [{ type: 'boolean', column_id: 'has_children', value: true }, ['ann']],
    [{ type: 'boolean', column_id: 'has_children', operator: 'ne', value: true }, ['bob', 'eve']],
    [{ type: 'boolean', column_id: 'is_complete', value: false }, ['eve']],
    [tags('eq', ['blue', 'Red']), ['ann']],
    [tags('eq', ['RED', 'Blue'], false), ['ann']],
    [tags('eq', 'Red'), []],
    [tags('eq', []), ['eve']],
    [tags('contains', 'blue'), ['ann', 'bob']],
    [tags('contains', ['green', 'blue']), ['bob']],
    [tags('contains', 'BLUE'), []],
    [tags('contains', 'BLUE', false), ['ann', 'bob']],
    [tags('contains', 'lu'), []],
    [tags('contains', []), ['ann', 'bob', 'eve']],
    [tags('not_in', ['blue', 'nothing']), ['eve']],
    [tags('not_in', []), ['ann', 'bob', 'eve']],
    [text('tools', 'contains', 'x'), []],
    [text('tools', 'ne', 'x'), ['ann', 'bob', 'eve']],
  ])('filters traces by %j', async (filter, expected) => {
    const sort = { column_id: 'name' };
    expect(await names({ filters: [filter], sort })).toEqual(expected);
    expect(await count({ filters: [filter] })).toBe(expected.length);
    const others = ['ann', 'bob', 'eve'].filter((name) => !expected.includes(name));
    expect(await names({ filter_tree: { not: { filter } }, sort })).toEqual(others);
  });

  it.each<[object, string[]]>([
    [text('type', 'eq', 'llm'), ['asks']],
    [text('model', 'contains', 'big', false), ['asks']],
    [text('model', 'not_in', ['Big-1']), ['looks up', 'sees']],
    [number('temperature', 'between', [0.5, 0.5]), ['asks']],
    [number('step_number', 'gt', 1), ['looks up']],
    [text('tool_call_id', 'eq', 'c1'), ['looks up']],
    [text('tools', 'contains', '[{"b":1,"aa":"'), ['asks']],
    [id('eq', getId('b'), 'parent_id'), ['asks', 'looks up', 'sees']],
    [id('eq', getId('b'), 'trace_id'), ['asks', 'looks up', 'sees']],
    [text('input', 'contains', '"hi"'), ['asks', 'looks up']],
    [text('input', 'eq', 'What "is"\nthis?'), ['sees']],
    [text('input', 'contains', 'what "IS"\nthis', false), ['sees']],
    [text('input', 'contains', 'data:'), []],
    [text('output', 'one_of', ['a {"type": 1}']), ['sees']],
    [text('output', 'contains', '"text"'), []],
    [text('input', 'contains', '"hi"\nto BOB', false), ['asks']],
    [text('output', 'contains', 'hi', false), ['asks']],
    [text('output', 'contains', '{"role":"assistant"'), ['asks']],
    [text('input', 'contains', 'say "hi"\nto'), ['asks']],
    [{ type: 'boolean', column_id: 'is_complete', value: true }, ['asks', 'looks up', 'sees']],
  ])('filters spans by %j', async (filter, expected) => {
    expect(await names({ filters: [filter], sort: { column_id: 'name' } }, 'span')).toEqual(expected);
    expect(await count({ filters: [filter] }, 'span')).toBe(expected.length);
  });

  const isAnn = { filter: text('name', 'eq', 'ann') };
  const isBob = { filter: text('name', 'eq', 'bob') };
  const isRed = { filter: text('output', 'eq', 'x') };
  it.each<[object, string[]]>([
    [{ and: [] }, ['ann', 'bob', 'eve']],
    [{ or: [] }, []],
    [{ not: { or: [] } }, ['ann', 'bob', 'eve']],
    [{ and: [isAnn, isRed] }, ['ann']],
    [{ and: [isBob, isRed] }, []],
    [{ or: [isAnn, isBob] }, ['ann', 'bob']],
    [{ not: isRed }, ['bob', 'eve']],
    [{ not: { not: isRed } }, ['ann']],
    [{ and: [{ or: [isAnn, isBob] }, { not: { and: [isAnn, isRed] } }] }, ['bob']],
  ])('filters by the tree %j', async (filter_tree, expected) => {
    expect(await names({ filter_tree, sort: { column_id: 'name' } })).toEqual(expected);
    expect(await count({ filter_tree })).toBe(expected.length);
    const filters = [text('name', 'ne', 'ann')];
    expect(await names({ filters, filter_tree, sort: { column_id: 'name' } })).toEqual(expected.filter((name) => name !== 'ann'));
  });

  it('takes as many values and conditions as a search may have', async () => {
    const value = Array.from({ length: 1_000 }, (_, at) => `none ${at}`);
    const both = [text('input', 'one_of', [...value.slice(1), '50% o_f']), tags('not_in', [...value.slice(1), 'Red'])];
    const rest = Array.from({ length: 98 }, () => text('output', 'not_in', value));
    expect(await names({ filters: [...both, ...rest] })).toEqual(['bob']);
    const deep = Array.from({ length: 100 }).reduce<object>((tree) => ({ not: tree }), isAnn);
    expect(await names({ filter_tree: deep })).toEqual(['ann']);
  });
}

/** Three traces: `ann` is the oldest and has most, `eve` the newest and has nothing. */
function sample(run: RunKey): LogRecord[] {
  const odd = (json: string) => JSON.parse(json) as LogRecord['metrics'];
  return [
    trace(run, {
      id: getId('a'),
      name: 'ann',
      created_at: '2026-01-01T00:00:00.000Z',
      input: 'à l’école',
      output: 'x',
      status_code: 200,
      external_id: 'e1',
      has_children: true,
      tags: ['Red', 'blue'],
      metrics: { duration_ns: 9_007_199_254_740_991, 'a"b\' /c': 1, accuracy: 'high' },
    }),
    trace(run, {
      id: getId('b'),
      name: 'bob',
      created_at: '2026-01-01T00:00:00.000001Z',
      input: '50% o_f',
      status_code: 500,
      tags: ['green', 'blue'],
      metrics: { duration_ns: 5, accuracy: 0.1 },
    }),
    trace(run, {
      id: getId('c'),
      name: 'eve',
      created_at: '2026-01-01T00:00:00.000002Z',
      session_id: getId('e'),
      input: 'a NUL \0, a \\d and a \uf8ff',
      is_complete: false,
      metrics: { ...odd('{"__proto__": 1}'), accuracy: 0.5 },
    }),
  ];
}

function orders(fixture: Fixture, names: (body: Search) => Promise<string[]>): void {
  it.each<[string, (at: number) => Partial<LogRecord>]>([
    ['created_at', (at) => ({ created_at: `2026-01-01T00:00:00.00000${at}Z` })],
    ['name', (at) => ({ name: ['', 'A', 'B', 'a', 'ä', '\uff5e', '\u{1f99c}'][at]! })],
    ['input', (at) => ({ input: ['', '10', '9', 'Z', 'a'][at % 5]! })],
    ['id', () => ({})],
    ['status_code', (at) => ({ status_code: at % 2 === 0 ? null : [-1, 9, 10, 100][at % 4]! })],
    ['metrics/x', (at) => ({ metrics: at % 3 === 0 ? { x: 'text' } : { x: [1, 1, 0.5, -2, 1e300][at % 5]! } })],
    ['metrics/duration_ns', (at) => ({ metrics: { duration_ns: at % 3 } })],
    ['is_complete', (at) => ({ is_complete: at % 2 === 0 })],
    ['external_id', (at) => ({ external_id: at % 2 === 0 ? null : `${at % 3}` })],
  ])('sorts by %s in both directions, what is missing last, ties by id', async (column_id, facts) => {
    const { stores, run } = fixture();
    const records = Array.from({ length: 7 }, (_, at) => trace(run, { ...facts(at), tags: [`${at}`] }));
    await write(stores, records.toReversed());
    const expected = records.toSorted((a, b) => order(a, b, column_id)).map(({ tags }) => tags);
    const getTags = async (ascending?: boolean) => {
      const search = { project_id: run.project_id, run_id: run.run_id, level: 'trace', where: { and: [] } } as const;
      const sort = toRecordSort({ column_id, ascending: ascending ?? true });
      const found = await stores.traceStore.list({ ...search, sort, starting_token: 0, limit: 100, after: undefined });
      return found.map(({ tags }) => tags);
    };
    expect(await getTags()).toEqual(expected);
    expect(await getTags(false)).toEqual(expected.toReversed());
    expect(await names({ sort: { column_id } })).toHaveLength(7);
  });
}

/** The plainest reading of the rule, for the columns of the table above. */
function order(a: LogRecord, b: LogRecord, column_id: string): number {
  const value = (record: LogRecord): unknown => {
    if (!column_id.startsWith('metrics/')) return record[column_id as keyof LogRecord];
    const metric = record.metrics[column_id.slice('metrics/'.length)];
    return typeof metric === 'number' ? metric : null;
  };
  const [left, right] = [value(a), value(b)];
  if (left !== right) {
    if (left === null) return 1;
    if (right === null) return -1;
    if (typeof left === 'string') return Buffer.compare(Buffer.from(left), Buffer.from(right as string));
    return Number(left) - Number(right);
  }
  return a.id < b.id ? -1 : 1;
}

function pages(fixture: Fixture, names: (body: Search) => Promise<string[]>): void {
  const fill = async () => {
    const { stores, run } = fixture();
    const records = Array.from({ length: 10 }, (_, at) =>
      trace(run, { name: `${at}`, status_code: at % 3 === 0 ? null : at % 4 }),
    );
    await write(stores, records);
    return new Map(records.map(({ name, id }) => [name, id]));
  };

  it.each([{ column_id: 'status_code' }, { column_id: 'status_code', ascending: false }, { column_id: 'created_at' }, undefined])(
    'cuts pages sorted by %j that neither overlap nor leave gaps',
    async (sort) => {
      const ids = await fill();
      const all = await names({ sort });
      expect(all).toHaveLength(10);
      const limit = 3;
      const byOffset: string[] = [];
      for (let starting_token = 0; starting_token < 10; starting_token += limit) {
        const page = await names({ sort, starting_token, limit });
        expect(page).toHaveLength(Math.min(limit + 1, 10 - starting_token));
        byOffset.push(...page.slice(0, limit));
      }
      expect(byOffset).toEqual(all);
      const byLast: string[] = [];
      for (let more = true; more; ) {
        const previous_last_row_id = ids.get(byLast.at(-1) ?? '');
        const page = await names({ sort, limit, previous_last_row_id });
        byLast.push(...page.slice(0, limit));
        more = page.length > limit;
      }
      expect(byLast).toEqual(all);
    },
  );

  it('returns nothing beyond the end and behind a record that is not there', async () => {
    const ids = await fill();
    expect(await names({ starting_token: 10 })).toEqual([]);
    expect(await names({ starting_token: 2_147_483_647 })).toEqual([]);
    expect(await names({ previous_last_row_id: randomUUID() })).toEqual([]);
    const [last] = (await names({})).toReversed();
    expect(await names({ previous_last_row_id: ids.get(last!) })).toEqual([]);
  });
}
