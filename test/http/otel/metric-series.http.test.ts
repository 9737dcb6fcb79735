import { readFileSync } from 'node:fs';
import { asValue } from 'awilix';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WireOtlpCodec } from '../../../adapters/otlp/wire-otlp-codec.ts';
import { runAtOnce } from '../../../core/kernel/slices.ts';
import type { OtlpEncoding } from '../../../core/otel/otlp-codec.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { sendBytes } from './otlp-client.ts';

interface Captured {
  readonly content_type: string;
  readonly base64: string;
}
const captured = (name: string): Captured[] =>
  JSON.parse(readFileSync(`test/fixtures/otel/captured/requests/${name}.json`, 'utf8')).requests;
const toBytes = ({ base64 }: Captured) => new Uint8Array(Buffer.from(base64, 'base64'));
const encodingOf = ({ content_type }: Captured): OtlpEncoding => (content_type.endsWith('json') ? 'json' : 'protobuf');

/** When the last point of the captured requests was measured. */
const [first] = captured('metrics-js');
const [resource] = runAtOnce(new WireOtlpCodec().decodeMetrics(toBytes(first!), encodingOf(first!))).resource_metrics;
const SENT = Number(resource!.scope_metrics[0]!.metrics[0]!.points[0]!.time_unix_nano / 1_000_000n);
const HOUR = 3_600_000;
const USAGE = 'gen_ai.client.token.usage';
const DURATION = 'gen_ai.client.operation.duration';

let server: TestServer;
let now = SENT + 60_000;
let project_id: string;
let stream: string;
beforeAll(async () => {
  server = await startTestServer({ overrides: { clock: asValue(() => new Date(now)) } });
});
afterAll(() => server.close());
beforeEach(async () => {
  now = SENT + 60_000;
  project_id = (await server.request('POST', '/v2/projects', { name: `p${Math.random()}` })).body.id;
  stream = (await server.request('POST', `/v2/projects/${project_id}/log_streams`, { name: 'production' })).body.id;
});

const own = () => ({ 'project-id': project_id, 'logstream-id': stream });
const post = async (body: Uint8Array<ArrayBuffer>, encoding: OtlpEncoding, headers: Record<string, string> = own()) => {
  const reply = await sendBytes(server, body, { path: '/v1/metrics', encoding, headers });
  return { status: reply.status, text: reply.bytes.toString() };
};
const trends = (method: string, path: string, body?: unknown) =>
  server.request(method, `/v2/projects/${project_id}/log_streams/${stream}/trends${path}`, body);

interface Point {
  readonly at?: number;
  readonly start?: number;
  readonly model?: string;
  readonly type?: string;
  readonly value?: number;
  readonly [more: string]: unknown;
}
const nanos = (ms: number): string => `${BigInt(Math.round(ms)) * 1_000_000n}`;
const attributes = (facts: Readonly<Record<string, string | undefined>>) =>
  Object.entries(facts).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: { stringValue: value } }]));
/** A histogram of one value for each point, or whatever else the point says. */
const toPoint = ({ at = SENT, start = SENT - HOUR, model = 'small', type, value = 1, ...more }: Point) => ({
  ...{ startTimeUnixNano: nanos(start), timeUnixNano: nanos(at) },
  attributes: attributes({ 'gen_ai.request.model': model, 'gen_ai.token.type': type, 'gen_ai.operation.name': 'chat' }),
  ...{
    count: '1',
    sum: value,
    explicitBounds: [10, 100],
    bucketCounts: [value <= 10, value > 10 && value <= 100, value > 100].map((is) => (is ? '1' : '0')),
  },
  ...more,
});
const json = (name: string, points: readonly Point[], { kind = 'histogram', temporality = 1, isMonotonic = true } = {}) => {
  const data = { aggregationTemporality: temporality, isMonotonic, dataPoints: points.map(toPoint) };
  const metrics = [{ name, unit: '{token}', [kind]: data }];
  return { resourceMetrics: [{ resource: { attributes: [] }, scopeMetrics: [{ scope: { name: 'shop' }, metrics }] }] };
};
const send = async (...metric: Parameters<typeof json>) => {
  const { status, text } = await post(new Uint8Array(Buffer.from(JSON.stringify(json(...metric)))), 'json');
  expect(status).toBe(200);
  return JSON.parse(text).partialSuccess as { rejectedDataPoints: string; errorMessage: string } | undefined;
};
/** Data of a widget of one series, over the day around the points. */
const drawn = async (series: object, query: object = {}) => {
  const dataset = [series];
  const widget = { name: 'Usage', metric: USAGE, type: 'line_chart', aggregation: 'Sum', section_id: 'mine', dataset };
  const { body: made } = await trends('POST', '/widgets', widget);
  const time = { start_time: new Date(SENT - 12 * HOUR).toISOString(), end_time: new Date(SENT + 12 * HOUR).toISOString() };
  const { status, body } = await trends('POST', `/widgets/${made.id}/query`, { ...time, ...query });
  expect(status).toBe(200);
  return body;
};
const value = async (series: object = {}) => (await drawn(series)).series[0]?.value;

describe.each([
  ['metrics-js', 'protobuf', 'deltas'],
  ['metrics-js', 'json', 'totals'],
  ['metrics-python', 'protobuf', 'totals'],
] as const)('what the SDK of %s sends as %s, in %s', (name, encoding, _form) => {
  const requests = captured(name).filter((request) => encodingOf(request) === encoding);

  it('is drawn by widgets once, however often it is sent, and all else is named', async () => {
    let texts = '';
    for (const request of [...requests, ...requests]) {
      const reply = await post(toBytes(request), encoding);
      expect(reply.status).toBe(200);
      expect(reply.text).not.toContain('refused');
      texts += reply.text;
    }
    expect(texts).toContain('http.requests');
    expect(texts).not.toContain('gen_ai.');
    const { body } = await trends('GET', '/metrics');
    expect(body.metrics).toEqual(expect.arrayContaining([USAGE, DURATION]));
    expect(body.units).toMatchObject({ [USAGE]: '{token}', [DURATION]: 's' });
    expect(await value()).toBe(120);
    expect(await value({ aggregation: 'Count' })).toBe(1);
    expect(await value({ metric: DURATION, aggregation: 'Average' })).toBeCloseTo(0.8, 6);
    const p95 = await drawn({ metric: DURATION, aggregation: 'P95' });
    expect(p95.series[0]).toMatchObject({ is_exact: false, count: 1 });
    expect(p95.series[0].value).toBeCloseTo(0.8, 2);
    const grouped = await drawn({ group_by: 'model' });
    expect(grouped.series.map(({ group, value }: { group: string; value: number }) => [group, value])).toEqual([['gpt-4o', 120]]);
  });

  it.runIf(name === 'metrics-js')('has the time to the first token of an exponential histogram', async () => {
    for (const request of requests) await post(toBytes(request), encoding);
    const { series } = await drawn({
      metric: 'gen_ai.server.time_to_first_token',
      aggregation: 'P50',
      group_by: 'gen_ai.provider.name',
    });
    expect(series).toMatchObject([{ group: 'openai', count: 1 }]);
    expect(series[0].value).toBeCloseTo(0.2, 2);
  });
});

describe('series of metrics', () => {
  it('are told apart by model, operation, provider and type of token, in groups and in filters', async () => {
    await send(USAGE, [
      { model: 'small', type: 'input', value: 5 },
      { model: 'small', type: 'output', value: 20 },
      { model: 'large', type: 'input', value: 300 },
    ]);
    const groups = async (group_by: string) =>
      Object.fromEntries(
        (await drawn({ group_by })).series.map((one: { group: string; value: number }) => [one.group, one.value]),
      );
    expect(await groups('model')).toEqual({ small: 25, large: 300 });
    expect(await groups('gen_ai.token.type')).toEqual({ input: 305, output: 20 });
    expect(await groups('user_metadata/gen_ai.operation.name')).toEqual({ chat: 325 });
    const where = (column_id: string, operator: string, value: unknown) => ({ type: 'text', column_id, operator, value });
    expect(await value({ filters: [where('model', 'eq', 'small')] })).toBe(25);
    expect(await value({ filters: [where('model', 'not_in', ['small'])] })).toBe(300);
    expect(await value({ filters: [{ column_id: 'gen_ai.token.type', value: 'output' }] })).toBe(20);
    const output = where('user_metadata/gen_ai.token.type', 'one_of', ['output', 'reasoning']);
    expect(await value({ filters: [where('model', 'eq', 'small'), output] })).toBe(20);
  });

  it('stand in the hour that they end in, and fill no other', async () => {
    const begin = Math.floor(SENT / HOUR) * HOUR;
    await send(USAGE, [
      { at: begin, value: 7 },
      { at: begin + 1, value: 8 },
    ]);
    const { points } = (await drawn({})).series[0];
    const filled = points.filter(({ count }: { count: number }) => count > 0);
    expect(filled.map(({ start_time, value }: { start_time: string; value: number }) => [Date.parse(start_time), value])).toEqual(
      [
        [begin - HOUR, 7],
        [begin, 8],
      ],
    );
  });

  it('say why they cannot be drawn: by the minute, by what metrics do not tell, and where there are none', async () => {
    await send(USAGE, [{ value: 7 }]);
    const problem = async (series: object, query = {}) => (await drawn(series, query)).problems[0]?.code;
    expect(await problem({}, { interval: 15 })).toBe('metric_series_by_minutes');
    expect(await problem({ group_by: 'name' })).toBe('metric_series_group_by');
    expect(await problem({ filters: [{ type: 'text', column_id: 'name', operator: 'eq', value: 'x' }] })).toBe(
      'metric_series_filter',
    );
    expect(await problem({ metric: 'gen_ai.nothing' })).toBe('metric_without_values');
    expect(await problem({ metric: `metrics/${USAGE}` })).toBe('metric_without_values');
    expect(await problem({})).toBeUndefined();
  });

  it('are totals of a stream, which count by what they add, and anew after a restart', async () => {
    const total = { kind: 'sum', temporality: 2 };
    const counted = (asInt: string, minute: number, start = SENT - HOUR) => ({ asInt, at: SENT - HOUR + minute * 60_000, start });
    await send('gen_ai.client.calls', [counted('10', 1)], total);
    await send('gen_ai.client.calls', [counted('15', 2)], total);
    await send('gen_ai.client.calls', [counted('10', 1), counted('15', 2)], total);
    const restarted = SENT - HOUR + 2.5 * 60_000;
    await send('gen_ai.client.calls', [counted('3', 3, restarted)], total);
    expect(await value({ metric: 'gen_ai.client.calls' })).toBe(18);
    await send('gen_ai.server.queue', [{ asDouble: 4 }, { asDouble: 8, at: SENT + 1 }], { kind: 'gauge' });
    expect(await value({ metric: 'gen_ai.server.queue', aggregation: 'Average' })).toBe(6);
    await send('gen_ai.server.running', [{ asDouble: 4 }, { asDouble: 2, at: SENT + 1 }], { ...total, isMonotonic: false });
    expect(await value({ metric: 'gen_ai.server.running', aggregation: 'Max' })).toBe(4);
  });

  it('are watched by alerts', async () => {
    await send(USAGE, [{ value: 700 }]);
    const widget = { name: 'Usage', metric: USAGE, aggregation: 'Sum', type: 'line_chart', section_id: 'mine' };
    const { body: made } = await trends('POST', '/widgets', widget);
    const alert = {
      name: 'much',
      widget_id: made.id,
      interval: 'hour',
      operator: 'above',
      threshold: 500,
    };
    const { status, body } = await trends('POST', '/alerts', alert);
    expect({ status, body }).toMatchObject({ status: 200 });
    now = Math.ceil(SENT / HOUR) * HOUR + 120_000;
    while (await server.cradle.alertEvaluator.run());
    const { body: state } = await trends('GET', `/alerts/${body.alert.id}`);
    expect(state).toMatchObject({ state: 'firing', last_value: 700, problem: null });
  });

  it('are masked by the rules of the project', async () => {
    const rules = [{ name: 'names', kind: 'pattern', pattern: 'secret-[a-z]+', replacement: '[NAME]' }];
    const kept = await server.request('PUT', `/v2/projects/${project_id}/masking-rules`, { rules });
    expect(kept).toMatchObject({ status: 200 });
    await send(USAGE, [{ model: 'model of secret-jane', value: 5 }]);
    await send(USAGE, [{ model: 'model of secret-jane', value: 5 }]);
    expect((await drawn({ group_by: 'model' })).series).toMatchObject([
      { group: expect.stringMatching(/^model of \[/), value: 5 },
    ]);
  });

  it('expire with the records of their log stream, and go with the project', async () => {
    await send(USAGE, [{ value: 7 }]);
    await server.request('PUT', `/v2/projects/${project_id}/retention`, { days: 2 });
    await server.cradle.retentionService.run();
    expect(await value()).toBe(7);
    now = SENT + 4 * 24 * HOUR;
    await server.cradle.retentionService.run();
    expect(await value()).toBe(0);
    expect((await trends('GET', '/metrics')).body.metrics).not.toContain(USAGE);
    expect((await server.request('DELETE', `/v2/projects/${project_id}`)).status).toBeLessThan(300);
    expect(await server.cradle.metricSeriesStore.names(project_id, stream)).toEqual([]);
  });

  it('are not more than a project may have, and what is over is named', async () => {
    const over = Array.from({ length: 2_010 }, (_, at) => ({ model: `m${at}`, value: 1 }));
    const reply = await send(USAGE, over);
    expect(reply).toMatchObject({ rejectedDataPoints: '10' });
    expect(reply!.errorMessage).toContain('a project has at most 2000 series of metrics (10)');
    expect(await send(USAGE, [{ model: 'm1', at: SENT + 1, value: 4 }])).toBeUndefined();
    expect(await value({ aggregation: 'Count' })).toBe(2_001);
  });

  it('are refused point by point, by what is wrong with each', async () => {
    const reply = await send(USAGE, [
      { value: 1 },
      { at: SENT - 8 * 24 * HOUR },
      { at: SENT + 26 * HOUR },
      { explicitBounds: [10, 5] },
      { count: 'many' },
    ]);
    expect(reply!.rejectedDataPoints).toBe('4');
    for (const reason of ['older than 7 days', 'more than a day ahead', 'do not rise', 'count is not a whole number'])
      expect(reply!.errorMessage).toContain(reason);
    expect(await value()).toBe(1);
    expect((await send(USAGE, [{ value: 1 }], { temporality: 0 }))!.errorMessage).toContain(
      'whether its points are totals or changes',
    );
    expect(await send(USAGE, [{ flags: 1, at: SENT + 5 }])).toBeUndefined();
    expect(await value()).toBe(1);
  });

  it('make the project that they name, and a log stream', async () => {
    const name = `new ${Math.random()}`;
    const bytes = new Uint8Array(Buffer.from(JSON.stringify(json(USAGE, [{ value: 1 }]))));
    expect(await post(bytes, 'json', { project: name })).toEqual({ status: 200, text: '{}' });
    const { body } = await server.request('GET', '/v2/projects/all');
    expect(body.map((project: { name: string }) => project.name)).toContain(name);
  });
});
