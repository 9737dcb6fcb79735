import { randomUUID } from 'node:crypto';
import { asValue } from 'awilix';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TrendChanges } from '../../../core/trends/changes/trend-change.ts';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { person } from '../people.ts';
import { scorerFixture } from '../scorers/scorer-fixture.ts';

const HOUR = 3_600_000;
const FIRST = Date.parse('2026-03-02T00:00:00.000Z');
const SHIFT = 40;
const HOURS = 72;

let now: number;
let server: TestServer;
let at: string;
let run_id: string;
beforeEach(async () => {
  now = FIRST - 30 * 24 * HOUR;
  server = await startTestServer({ overrides: { clock: asValue(() => new Date(now)) } });
  at = `/v2/projects/${(await server.request('POST', '/v2/projects', { name: 'Atlas' })).body.id}`;
  run_id = (await server.request('POST', `${at}/log_streams`, { name: 'default' })).body.id;
});
afterEach(() => server.close());

const send = async (method: string, path: string, body: unknown = undefined) => {
  const reply = await server.request(method, path, body);
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  return reply.body;
};
const atHour = (place: number): number => FIRST + place * HOUR;
const toTime = (place: number): string => new Date(atHour(place)).toISOString();

/** A trace with one call in each hour, whose quality falls at the shift, and whose model changes with it. */
const logTraces = () =>
  send('POST', `${at}/traces`, {
    log_stream_id: run_id,
    traces: Array.from({ length: HOURS }, (_, hour) => {
      const created_at = new Date(atHour(hour) + 60_000).toISOString();
      const call = { type: 'llm', input: 'x', output: 'y', created_at, model: hour < SHIFT ? 'small-1' : 'small-2', metrics: {} };
      const quality = (hour < SHIFT ? 0.8 : 0.6) + ((hour * 7) % 5) / 50;
      return {
        input: 'x',
        output: String(quality),
        created_at,
        metrics: { quality, duration_ns: 100 + ((hour * 7) % 5) },
        spans: [call],
      };
    }),
  });
const addWidget = (metric: string) =>
  send('POST', `${at}/log_streams/${run_id}/trends/widgets`, { name: metric, type: 'line_chart', metric, section_id: 'mine' });
const query = (more: object = {}): Promise<TrendChanges> =>
  send('POST', `${at}/log_streams/${run_id}/trends/changes/query`, { start_time: toTime(0), end_time: toTime(HOURS), ...more });
const textsOf = ({ changes }: TrendChanges) => changes.map(({ text }) => text);

async function makeScorer(): Promise<string> {
  const scorer = {
    name: `quality ${randomUUID()}`,
    scorer_type: 'code',
    output_type: 'percentage',
    scoreable_node_types: ['trace'],
  };
  const { id } = await send('POST', '/v2/scorers', scorer);
  await scorerFixture(() => server).upload(id, 'function scorer(node) { return Number(node.output) || 0; }');
  return id;
}
const setScorers = (scorers: readonly object[]) => send('PATCH', `${at}/log_streams/${run_id}/metric_settings`, { scorers });

it('a level shift is found at its hour, with both levels, and with the changes near it', async () => {
  const { id: template_id } = await send('POST', '/v2/templates', { name: 'reply', template: 'Answer {{input}}' });
  await send('POST', `/v2/templates/${template_id}/versions`, { template: 'Answer briefly: {{input}}' });
  now = atHour(SHIFT) - 20 * 60_000;
  await send('PUT', `/v2/templates/${template_id}/labels/production`, { version: 2 });
  now = atHour(10);
  await send('PUT', `/v2/templates/${template_id}/labels/staging`, { version: 1 });
  const { id: widget_id } = await addWidget('quality');
  now = atHour(HOURS + 1);
  await logTraces();
  const found = await eventually(async () => {
    const reply = await query({ widget_ids: [widget_id] });
    expect(reply.change_points).toHaveLength(1);
    return reply;
  });
  expect([found.near_minutes, found.problems]).toEqual([120, []]);
  expect(textsOf(found)).toEqual([
    'Prompt reply: staging on version 1',
    'Prompt reply: production on version 2',
    'Model small-1 is no longer called',
    'Model small-2 is called from here on',
  ]);
  const [point] = found.change_points;
  expect(point).toMatchObject({ widget_id, at: toTime(SHIFT), label: 'quality', metric: 'quality', changes: [1, 2, 3] });
  expect(point!.before).toMatchObject({ mean: expect.closeTo(0.84, 2), buckets: SHIFT });
  expect(point!.after).toMatchObject({ mean: expect.closeTo(0.64, 2), buckets: HOURS - SHIFT });
  expect(point!.difference.high).toBeLessThan(-0.15);
  expect(point!.p_value).toBeLessThan(0.001);

  const steady = await addWidget('duration_ns');
  expect((await query({ widget_ids: [steady.id] })).change_points).toEqual([]);
  const number = await send('POST', `${at}/log_streams/${run_id}/trends/widgets`, {
    ...{ name: 'n', type: 'number', metric: 'quality', section_id: 'mine' },
  });
  expect((await query({ widget_ids: [number.id] })).change_points).toEqual([]);
});

it('changes of scorers are those of the run, with the version that is in use since, and touch their own metric alone', async () => {
  const scorer_id = await makeScorer();
  const other_id = await makeScorer();
  const elsewhere = (await send('POST', `${at}/log_streams`, { name: 'other' })).id;
  now = atHour(1);
  await setScorers([{ id: scorer_id, name: 'quality' }]);
  await send('PATCH', `${at}/log_streams/${elsewhere}/metric_settings`, { scorers: [{ id: other_id }] });
  now = atHour(2);
  await scorerFixture(() => server).upload(scorer_id, 'function scorer(node) { return 1; }');
  const { versions } = await send('GET', `/v2/scorers/${scorer_id}/versions`);
  expect(versions.length).toBe(2);
  now = atHour(3);
  await send('PATCH', `/v2/scorers/${scorer_id}`, { default_version_id: versions[0].id });
  now = atHour(4);
  await setScorers([{ id: scorer_id, name: 'quality', scoreable_node_types: ['llm'] }]);
  now = atHour(5);
  const pinned = {
    id: scorer_id,
    name: 'quality',
    scoreable_node_types: ['llm'],
    scorer_version: { id: versions[1].id, version: 1 },
  };
  await setScorers([pinned]);
  now = atHour(6);
  await setScorers([]);
  now = atHour(HOURS);
  const { changes } = await query();
  expect(
    changes.map(({ kind, at: time, version }) => [kind, time, version]).filter(([kind]) => kind !== 'scorer_version'),
  ).toEqual([
    ['scorer_enabled', toTime(1), null],
    ['scorer_settings', toTime(4), null],
    ['scorer_disabled', toTime(6), null],
  ]);
  expect(changes.filter(({ kind }) => kind === 'scorer_version').map(({ at: time, version }) => [time, version])).toEqual([
    [toTime(3), 2],
    [toTime(5), 1],
  ]);
  expect(new Set(changes.map((change) => change.scorer_id))).toEqual(new Set([scorer_id]));
  expect((await query({ start_time: toTime(10) })).changes).toEqual([]);
});

it('prices are known changes of the project, and prompts only for who sees them', async () => {
  now = atHour(5);
  await send('PUT', `${at}/model-prices`, { prices: [] });
  now = atHour(6);
  const { id } = await send('POST', '/v2/templates', { name: 'secret', template: 'x' });
  await send('POST', `/v2/templates/${id}/versions`, { template: 'y' });
  const viewer = await person(server);
  await send('POST', `${at}/users`, [{ user_id: viewer.id, role: 'viewer' }]);
  now = atHour(HOURS);
  expect(textsOf(await query())).toEqual(['Prices of models were set', 'Prompt secret: version 2']);
  const path = `${at}/log_streams/${run_id}/trends/changes/query`;
  const { body } = await viewer.request('POST', path, { start_time: toTime(0), end_time: toTime(HOURS) });
  expect(textsOf(body)).toEqual(['Prices of models were set']);
});

it('a time that is none, and a widget that is not there, are refused', async () => {
  const path = `${at}/log_streams/${run_id}/trends/changes/query`;
  const refused = async (body: object) => (await server.request('POST', path, body)).body.code;
  expect(await refused({ start_time: toTime(2), end_time: toTime(1) })).toBe('time_range_empty');
  expect(await refused({ start_time: toTime(0), end_time: toTime(1), widget_ids: [randomUUID()] })).toBe('widget_not_found');
  const early = await query({ start_time: '0001-01-01T00:00:00Z', end_time: '0001-01-02T00:00:00Z' });
  expect(early.changes).toEqual([]);
  const late = await query({ start_time: '9999-12-31T00:00:00Z', end_time: '9999-12-31T23:59:59Z' });
  expect(late.changes).toEqual([]);
});
