import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';

let server: TestServer;
let project_id: string;
let log_stream_id: string;
let trends: string;

beforeEach(async () => {
  server = await startTestServer();
  project_id = (await server.request('POST', '/v2/projects', { name: 'Atlas' })).body.id;
  const stream = await server.request('POST', `/v2/projects/${project_id}/log_streams`, { name: 'default' });
  log_stream_id = stream.body.id;
  trends = `/v2/projects/${project_id}/log_streams/${log_stream_id}/trends`;
});
afterEach(() => server.close());

const call = (method: string, path: string, body?: unknown) => server.request(method, trends + path, body);
const body = { name: 'Latency', metric: 'duration_ns', section_id: 'mine' };
const create = async (more: object = {}) => (await call('POST', '/widgets', { ...body, ...more })).body;
const sections = async () => (await call('GET', '')).body.sections;
const outline = async () =>
  Object.fromEntries((await sections()).map((one: never) => [(one as { name: string }).name, namesIn(one)]));
const namesIn = ({ widgets }: { widgets: { name: string }[] }) => widgets.map(({ name }) => name);

describe('a widget', () => {
  it('is made with defaults for all that is optional, in a section that is made with it', async () => {
    const { status, body: made } = await call('POST', '/widgets', body);
    expect(status).toBe(200);
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Latency',
      type: 'bar_chart',
      metric: 'duration_ns',
      aggregation: 'Average',
      description: '',
      dataset: [],
      section_id: 'mine',
    });
    expect((await call('GET', `/widgets/${made.id}`)).body).toEqual(made);
    expect((await sections()).at(-1)).toEqual({ id: 'mine', name: 'mine', widgets: [made] });
  });

  it('keeps its dataset as it was given', async () => {
    const dataset = [
      { label: 'a', metric: 'cost', filters: [{ type: 'text', column_id: 'name', operator: 'eq', value: 'x' }], own: { k: [1] } },
      JSON.parse('{"__proto__":{"a":1},"own":{"__proto__":2}}'),
      {},
    ];
    const made = await create({ dataset });
    const shown = [made, (await call('GET', `/widgets/${made.id}`)).body, (await sections()).at(-1).widgets[0]];
    for (const widget of shown) expect(JSON.stringify(widget.dataset)).toBe(JSON.stringify(dataset));
  });

  it.each([
    ['a name of 101 characters', { name: 'x'.repeat(101) }, ['body', 'name']],
    ['an empty name', { name: '' }, ['body', 'name']],
    ['no metric', { metric: undefined }, ['body', 'metric']],
    ['an empty metric', { metric: '' }, ['body', 'metric']],
    ['no section', { section_id: undefined }, ['body', 'section_id']],
    ['a long description', { description: 'x'.repeat(501) }, ['body', 'description']],
    ['51 series', { dataset: Array.from({ length: 51 }, () => ({})) }, ['body', 'dataset']],
    ['an unknown type', { type: 'pie' }, ['body', 'type']],
    ['an unknown aggregation', { aggregation: 'Median' }, ['body', 'aggregation']],
    ['a series that is no object', { dataset: ['x'] }, ['body', 'dataset', 0]],
    ['a series with a bad aggregation', { dataset: [{ aggregation: 'x' }] }, ['body', 'dataset', 0, 'aggregation']],
    [
      'a series with an unknown column',
      { dataset: [{}, { filters: [{ type: 'text', column_id: 'nope', operator: 'eq', value: 'x' }] }] },
      ['body', 'dataset', 1, 'filters', 0, 'column_id'],
    ],
    ['a group that is none', { dataset: [{ group_by: 'created_at' }] }, ['body', 'dataset', 0, 'group_by']],
  ])('is refused with %s', async (_what, more, loc) => {
    const { status, body: refusal } = await call('POST', '/widgets', { ...body, ...more });
    expect(status).toBe(422);
    expect(refusal.detail).toContainEqual(expect.objectContaining({ loc }));
    expect(
      (await call('GET', '/widgets')).body.widgets.some(({ section_id }: { section_id: string }) => section_id === 'mine'),
    ).toBe(false);
  });

  it('takes the longest name and description', async () => {
    const longest = { name: 'x'.repeat(100), description: 'y'.repeat(500), dataset: Array.from({ length: 50 }, () => ({})) };
    expect(await create(longest)).toMatchObject(longest);
  });

  it('is changed in parts, and moved within its section and to another', async () => {
    const [a, b] = [await create({ name: 'a' }), await create({ name: 'b' })];
    const changed = await call('PATCH', `/widgets/${a.id}`, { type: 'number', aggregation: 'Max', position: 1 });
    expect(changed.body).toEqual({ ...a, type: 'number', aggregation: 'Max' });
    expect((await outline()).mine).toEqual(['b', 'a']);
    expect((await call('PATCH', `/widgets/${b.id}`, { section_id: 'traffic' })).body).toEqual({ ...b, section_id: 'traffic' });
    expect((await outline())['Traffic and errors'].at(-1)).toBe('b');
    expect((await call('PATCH', `/widgets/${b.id}`, { name: '' })).status).toBe(422);
  });

  it('is put into a section of its own dashboard, into one that is nowhere yet, and into none of another project', async () => {
    const other = (await server.request('POST', '/v2/projects', { name: 'Elsewhere' })).body.id;
    const stream = (await server.request('POST', `/v2/projects/${other}/log_streams`, { name: 'default' })).body.id;
    const trends = `/v2/projects/${other}/log_streams/${stream}/trends`;
    const foreign = (await server.request('POST', `${trends}/sections`, { name: 'theirs' })).body.id;
    const refused = { status: 404, body: { code: 'section_not_found' } };
    expect(await call('POST', '/widgets', { ...body, section_id: foreign })).toMatchObject(refused);
    const widget = await create();
    expect(await call('PATCH', `/widgets/${widget.id}`, { section_id: foreign.toUpperCase() })).toMatchObject(refused);
    expect(Object.keys(await outline())).not.toContain(foreign);
    const [unused, own] = ['7c0de3a1-51f1-4b8c-9a55-6b1d1f1a2b3c', (await call('POST', '/sections', { name: 'ours' })).body.id];
    for (const section_id of [own, unused]) expect(await create({ section_id })).toMatchObject({ section_id });
    expect(await create({ section_id: unused })).toMatchObject({ section_id: unused });
  });

  it('is removed', async () => {
    const made = await create();
    expect((await call('DELETE', `/widgets/${made.id}`)).status).toBe(204);
    for (const [method, path] of [
      ['GET', `/widgets/${made.id}`],
      ['DELETE', `/widgets/${made.id}`],
    ] as const)
      expect(await call(method, path)).toMatchObject({ status: 404, body: { code: 'widget_not_found' } });
  });
});

describe('a dashboard', () => {
  it('begins with traffic, latency, tokens and cost, and stays as it was made', async () => {
    expect(await outline()).toEqual({
      'Traffic and errors': ['Traces', 'Total traces', 'Failed traces', 'Error rate'],
      Latency: ['Trace latency', 'Latency by span type'],
      'Tokens and cost': ['Tokens', 'Cost', 'Total cost', 'Cost by model'],
      Scores: [],
    });
    expect(await sections()).toEqual(await sections());
  });

  it('gets a widget for every scorer that is enabled, once', async () => {
    const scorer = async (name: string, output_type: string, answer: string) => {
      const facts = { scorer_type: 'code', scoreable_node_types: ['trace'], output_type };
      const { id } = (await server.request('POST', '/v2/scorers', { name, ...facts })).body;
      const code = new FormData();
      code.set('file', new Blob([`function scorer() { return ${answer}; }`]), 'scorer.js');
      await server.request('POST', `/v2/scorers/${id}/version/code`, undefined, { raw: code });
      return id;
    };
    const enable = (ids: string[]) =>
      server.request('PATCH', `/v2/projects/${project_id}/log_streams/${log_stream_id}/metric_settings`, {
        scorers: ids.map((id) => ({ id })),
      });
    const polite = await scorer('polite', 'boolean', 'true');
    await enable([polite]);
    expect((await sections()).at(-1).widgets).toMatchObject([{ metric: 'polite', aggregation: 'PercentageTrue' }]);
    await call('DELETE', `/widgets/${(await sections()).at(-1).widgets[0].id}`);
    await enable([polite, await scorer('quality', 'percentage', '0.5')]);
    expect((await sections()).at(-1).widgets).toMatchObject([{ metric: 'quality', aggregation: 'Average' }]);
  });

  it('has sections that are added, renamed, moved and removed with what is in them', async () => {
    const { body: section } = await call('POST', '/sections', { name: 'Top', position: 0 });
    expect(section).toMatchObject({ name: 'Top', widgets: [] });
    const widget = await create({ section_id: section.id });
    expect((await call('PATCH', `/sections/${section.id}`, { name: 'Second', position: 1 })).body).toEqual({
      id: section.id,
      name: 'Second',
      widgets: [widget],
    });
    expect(Object.keys(await outline()).indexOf('Second')).toBe(1);
    expect((await call('DELETE', `/sections/${section.id}`)).status).toBe(204);
    expect((await call('GET', `/widgets/${widget.id}`)).status).toBe(404);
    expect(await call('PATCH', `/sections/${section.id}`, { name: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'section_not_found' },
    });
  });

  it('is put into an order that names everything once', async () => {
    const before = await sections();
    const order = before.toReversed().map(({ id, widgets }: { id: string; widgets: { id: string }[] }) => ({
      id,
      widget_ids: widgets.map((one) => one.id).reverse(),
    }));
    expect((await call('PUT', '/order', { sections: order })).body.sections).toEqual(
      before.toReversed().map((one: { widgets: object[] }) => ({ ...one, widgets: one.widgets.toReversed() })),
    );
    for (const bad of [order.slice(1), [...order, order[0]], []])
      expect(await call('PUT', '/order', { sections: bad })).toMatchObject({ status: 422, body: { code: 'order_incomplete' } });
  });

  it('goes to another log stream as a file, behind what is there or in its place', async () => {
    await create({ dataset: [{ own: 1 }] });
    const { body: file } = await call('GET', '/export');
    expect(JSON.stringify(file)).not.toContain(log_stream_id);
    const other = await server.request('POST', `/v2/projects/${project_id}/log_streams`, { name: 'other' });
    const there = `/v2/projects/${project_id}/log_streams/${other.body.id}/trends`;
    const replaced = await server.request('POST', `${there}/import?replace=true`, file);
    expect(replaced.status).toBe(200);
    expect((await server.request('GET', `${there}/export`)).body).toEqual(file);
    await server.request('POST', `${there}/import`, file);
    expect((await server.request('GET', there)).body.sections).toHaveLength(2 * file.sections.length);
    expect((await server.request('POST', `${there}/import`, { ...file, version: 2 })).status).toBe(422);
    const full = { version: 1, sections: Array.from({ length: 50 }, () => ({ name: 'x', widgets: [] })) };
    expect(await server.request('POST', `${there}/import`, full)).toMatchObject({
      status: 422,
      body: { code: 'dashboard_full' },
    });
  });

  it('says which numbers there are', async () => {
    const metrics = { cost: 0.5 };
    await server.request('POST', `/v2/projects/${project_id}/traces`, { log_stream_id, traces: [{ input: 'x', metrics }] });
    expect((await call('GET', '/metrics')).body.metrics).toEqual(expect.arrayContaining(['cost', 'errors', 'records']));
  });
});

describe('what widgets show', () => {
  const TIME = { start_time: '2026-01-01T10:20:00Z', end_time: '2026-01-01T12:40:00Z' };
  const query = async (widget: { id: string }, more: object = {}) =>
    (await call('POST', `/widgets/${widget.id}/query`, { ...TIME, ...more })).body;

  beforeEach(async () => {
    const at = (time: string, model: string, tokens: number) => ({
      created_at: `2026-01-01T${time}Z`,
      input: 'x',
      metrics: { duration_ns: tokens },
      spans: [{ type: 'llm', input: 'x', model, created_at: `2026-01-01T${time}Z`, metrics: { num_total_tokens: tokens } }],
    });
    const traces = [
      at('10:30:00', 'small', 10),
      at('10:59:59', 'large', 30),
      at('12:10:00', 'small', 5),
      at('13:00:00', 'small', 99),
    ];
    await server.request('POST', `/v2/projects/${project_id}/traces`, { log_stream_id, traces });
  });

  it('is by the hour, over whole hours', async () => {
    const widget = await create({ metric: 'num_total_tokens', aggregation: 'Sum' });
    expect(await query(widget)).toEqual({
      widget_id: widget.id,
      name: 'Latency',
      type: 'bar_chart',
      start_time: '2026-01-01T10:00:00.000Z',
      end_time: '2026-01-01T13:00:00.000Z',
      series: [
        {
          ...{ index: 0, label: 'Latency', metric: 'num_total_tokens', aggregation: 'Sum', group: null },
          ...{ value: 45, count: 3, is_exact: true },
          points: [
            { start_time: '2026-01-01T10:00:00.000Z', end_time: '2026-01-01T11:00:00.000Z', value: 40, count: 2 },
            { start_time: '2026-01-01T11:00:00.000Z', end_time: '2026-01-01T12:00:00.000Z', value: 0, count: 0 },
            { start_time: '2026-01-01T12:00:00.000Z', end_time: '2026-01-01T13:00:00.000Z', value: 5, count: 1 },
          ],
        },
      ],
      groups_left_out: 0,
      problems: [],
    });
  });

  it('says of a metric that no record has ever had, beside the empty series, and not of one that is merely quiet', async () => {
    const never = await create({ metric: 'never_logged' });
    expect(await query(never)).toMatchObject({
      series: [{ metric: 'never_logged', value: null, count: 0 }],
      problems: [{ index: 0, code: 'metric_without_values', message: expect.stringContaining('never_logged') }],
    });
    const known = await create({
      metric: 'num_total_tokens',
      dataset: [{ filters: [{ filter: { type: 'text', column_id: 'name', operator: 'eq', value: 'nobody' } }] }],
    });
    expect(await query(known)).toMatchObject({ problems: [] });
  });

  it('is by groups, by filters of the whole dashboard, and says when percentiles are near', async () => {
    const widget = await create({
      type: 'table',
      metric: 'num_total_tokens',
      aggregation: 'P50',
      dataset: [{ group_by: 'model' }],
    });
    const figures = ({ series }: { series: { group: string; value: number; is_exact: boolean }[] }) =>
      series.map(({ group, value, is_exact }) => [group, value, is_exact]);
    expect(figures(await query(widget))).toEqual([
      ['small', 5, true],
      ['large', 30, true],
    ]);
    expect(await query(widget, { max_groups: 1 })).toMatchObject({ groups_left_out: 1, series: [{ group: 'small' }] });
    const filters = [{ type: 'text', column_id: 'model', operator: 'eq', value: 'large' }];
    expect(figures(await query(widget, { filters }))).toEqual([['large', 30, true]]);
    const plain = await create({ type: 'number', aggregation: 'P99' });
    const [near] = (await query(plain)).series;
    expect(near).toMatchObject({ is_exact: false, points: [] });
    expect(Math.abs(near.value - 30)).toBeLessThanOrEqual(0.3);
    expect((await query(plain, { exact: true })).series).toMatchObject([{ value: 30, is_exact: true }]);
  });

  it('is answered for the whole dashboard at once', async () => {
    const all = await call('POST', '/widgets/query', TIME);
    expect(all.body.widgets).toHaveLength((await call('GET', '/widgets')).body.widgets.length);
    const byName = new Map(all.body.widgets.map((one: { name: string }) => [one.name, one]));
    expect(byName.get('Total traces')).toMatchObject({ series: [{ value: 3 }] });
    expect(byName.get('Trace latency')).toMatchObject({
      series: [{ label: 'median' }, { label: '95 %' }, { label: '99 %' }],
    });
    const widget = await create();
    const some = await call('POST', '/widgets/query', { ...TIME, widget_ids: [widget.id] });
    expect(some.body.widgets).toEqual([await query(widget)]);
    const unknown = await call('POST', '/widgets/query', { ...TIME, widget_ids: [project_id] });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'widget_not_found' } });
  });

  it('is not read from records for too many series at once, and the others are answered', async () => {
    const series = { filters: [{ type: 'text', column_id: 'name', operator: 'eq', value: 'x' }] };
    const dataset = [...Array.from({ length: 49 }, () => series), {}];
    const widgets = [await create({ dataset }), await create({ dataset }), await create({ dataset })];
    const widget_ids = widgets.map(({ id }) => id);
    const answered = (await call('POST', '/widgets/query', { ...TIME, widget_ids })).body.widgets;
    expect(answered.map(({ series }: { series: object[] }) => series.length)).toEqual([50, 50, 3]);
    expect(answered[2].problems).toHaveLength(47);
    expect(answered[2].problems[0]).toMatchObject({ code: 'too_many_series' });
    expect(answered[2].series.at(-1)).toMatchObject({ index: 49 });
    const long = { ...TIME, end_time: '2026-03-20T00:00:00Z' };
    for (let at = 0; at < 4; at += 1) await create({ dataset });
    expect(await call('POST', '/widgets/query', long)).toMatchObject({ status: 422, body: { code: 'too_many_buckets' } });
  });

  it.each([
    ['no time', { end_time: TIME.start_time }, 'time_range_empty'],
    ['too many buckets', { interval: 'minute', end_time: '2026-02-01T00:00:00Z' }, 'too_many_buckets'],
    ['a filter on nothing', { filters: [{ type: 'text', column_id: 'x', operator: 'eq', value: 'y' }] }, 'filter_invalid'],
  ])('is not asked for with %s', async (_what, more, code) => {
    const reply = await call('POST', '/widgets/query', { ...TIME, ...more });
    expect(reply).toMatchObject({ status: 422, body: { code } });
  });
});
