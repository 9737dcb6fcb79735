import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toRequest } from '../../fixtures/otel/otlp-bodies.ts';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { records, send } from '../otel/otlp-client.ts';
import { COST, call, costRequests, MODEL, TOKENS } from './cost-calls.ts';

let server: TestServer;
let project: string;
let name: string;
beforeAll(async () => {
  server = await startTestServer();
  name = `costs ${randomUUID()}`;
  project = (await server.request('POST', '/v2/projects', { name })).body.id;
});
afterAll(() => server.close());

const { at, post, newStream, search, logTrace, setPrices } = costRequests(() => ({ server, project }));

describe('the cost of a call', () => {
  it('is the same by traces, by spans and by OpenTelemetry, on the call, its trace and its session', async () => {
    const [byTraces, bySpans] = [await newStream(), await newStream()];
    await logTrace(byTraces, [call()]);
    const trace_id = await logTrace(bySpans, []);
    await post('/spans', { log_stream_id: bySpans, trace_id, parent_id: trace_id, spans: [call()] });
    const usage = { 'gen_ai.usage.input_tokens': 1000, 'gen_ai.usage.output_tokens': 100 };
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': MODEL, ...usage };
    const request = toRequest({ scope: 'lib', spans: [{ spanId: '000000000000c058', name: 'chat', attributes }] });
    await send(server, request, { headers: { project: name, logstream: 'otlp' } });
    const [byOtlp] = await records(server, project, 'spans', 'otlp');
    expect(byOtlp.metrics.cost).toBeCloseTo(COST, 12);
    for (const stream of [byTraces, bySpans, byOtlp.run_id]) {
      for (const kind of ['spans', 'traces', 'sessions'] as const) {
        const [found] = await search(kind, stream);
        expect(found.metrics, `${kind} of ${stream}`).toMatchObject({ ...TOKENS, cost: byOtlp.metrics.cost });
      }
    }
  });

  it('is what its sender states, null for a model that nobody knows, and never 0 for want of a price', async () => {
    const stream = await newStream();
    const stated = await logTrace(stream, [call({ metrics: { ...TOKENS, cost: 0.5 } })]);
    const unknown = await logTrace(stream, [call({ model: 'unheard-of' })]);
    const ofTrace = await logTrace(stream, [call()], { metrics: { cost: 7 } });
    const costs = Object.fromEntries(
      (await search('traces', stream)).map(({ id, metrics }: { id: string; metrics: { cost?: number } }) => [id, metrics.cost]),
    );
    expect(costs).toEqual({ [stated]: 0.5, [unknown]: undefined, [ofTrace]: 7 });
  });

  it('stays with a trace that is sent again without its spans, or with a few of them', async () => {
    const stream = await newStream();
    const kept = randomUUID();
    const id = await logTrace(stream, [call({ id: kept }), call()]);
    for (const spans of [[], [call({ id: kept })]]) {
      await logTrace(stream, spans, { id, name: `again with ${spans.length}` });
      const [trace] = await search('traces', stream);
      expect(trace).toMatchObject({ name: `again with ${spans.length}`, metrics: { num_input_tokens: 2000, cost: 2 * COST } });
    }
    await logTrace(stream, [], { id, metrics: { cost: 7 } });
    expect((await search('traces', stream))[0].metrics).toMatchObject({ num_input_tokens: 2000, cost: 7 });
  });

  it('adds up as spans arrive, once for each, however often they are sent', async () => {
    const stream = await newStream();
    const trace_id = await logTrace(stream, [call()]);
    const later = { id: randomUUID(), ...call() };
    for (let sent = 0; sent < 2; sent += 1)
      await post('/spans', { log_stream_id: stream, trace_id, parent_id: trace_id, spans: [later] });
    await Promise.all(
      Array.from({ length: 5 }, () => post('/spans', { log_stream_id: stream, trace_id, parent_id: trace_id, spans: [call()] })),
    );
    const [trace] = await search('traces', stream);
    expect(trace.metrics.cost).toBeCloseTo(7 * COST, 12);
    expect(trace.metrics.num_input_tokens).toBe(7000);
  });

  it('is a column in dollars that traces and spans are filtered and sorted by, and a series of trends', async () => {
    const stream = await newStream();
    await logTrace(stream, [call()]);
    const dear = await logTrace(stream, [call({ metrics: { num_input_tokens: 1_000_000, num_output_tokens: 0 } })]);
    const { columns } = await post('/traces/available_columns', { log_stream_id: stream });
    expect(columns).toContainEqual(expect.objectContaining({ id: 'metrics/cost', data_unit: 'dollars', category: 'metric' }));
    const filters = [{ type: 'number', column_id: 'metrics/cost', operator: 'gt', value: 1 }];
    expect((await search('traces', stream, { filters })).map(({ id }: { id: string }) => id)).toEqual([dear]);
    expect(await search('spans', stream, { filters })).toHaveLength(1);
    const sorted = await search('traces', stream, { sort: { column_id: 'metrics/cost', ascending: false } });
    expect(sorted[0].id).toBe(dear);
    const body = { name: 'Cost', metric: 'cost', aggregation: 'Sum', type: 'number', section_id: 'any' };
    const trends = `/log_streams/${stream}/trends/widgets`;
    const widget = await post(trends, body);
    const hour = {
      start_time: new Date(Date.now() - 3_600_000).toISOString(),
      end_time: new Date(Date.now() + 60_000).toISOString(),
    };
    await eventually(async () => {
      const { series } = await post(`${trends}/${widget.id}/query`, hour);
      expect(series[0].value).toBeCloseTo(2.5 + COST, 9);
    });
  });
});

describe('own prices', () => {
  const priced = async (model: string, created_at: string) => {
    const stream = await newStream();
    await logTrace(stream, [call({ model, created_at })], { created_at });
    return (await search('spans', stream))[0].metrics.cost;
  };

  it('hold from their day on, those of a project before those of all, and both before list prices', async () => {
    const common = [{ model: 'in-house', from: '2026-01-01', input: 1, output: 0 }];
    expect((await setPrices(common, '/v2/model-prices')).status).toBe(200);
    expect(await priced('in-house', '2026-03-01T00:00:00Z')).toBeCloseTo(0.001, 12);
    const own = [
      { model: 'in-house', from: '2026-02-01', until: '2026-03-01', input: 5, output: 0 },
      { model: 'in-house', from: '2026-03-01', input: 7, output: 0 },
      { model: 'gpt-4o', from: '2026-01-01', input: 0, output: 0 },
    ];
    expect((await setPrices(own)).body).toEqual({ prices: own });
    expect((await server.request('GET', at('/model-prices'))).body).toEqual({ prices: own });
    expect(await priced('in-house', '2025-12-31T00:00:00Z')).toBeUndefined();
    expect(await priced('in-house', '2026-01-15T00:00:00Z')).toBeCloseTo(0.001, 12);
    expect(await priced('in-house', '2026-02-28T23:00:00Z')).toBeCloseTo(0.005, 12);
    expect(await priced('in-house', '2026-03-01T00:00:00Z')).toBeCloseTo(0.007, 12);
    expect(await priced(MODEL, '2026-03-01T00:00:00Z')).toBe(0);
    await setPrices([]);
    await setPrices([], '/v2/model-prices');
  });

  it('hold for what comes by OpenTelemetry, too', async () => {
    await setPrices([{ model: 'of-the-house', from: '2020-01-01', input: 3, output: 0 }]);
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'of-the-house',
      'gen_ai.usage.input_tokens': 1000,
    };
    const request = toRequest({ scope: 'lib', spans: [{ spanId: '000000000000c059', name: 'chat', attributes }] });
    await send(server, request, { headers: { project: name, logstream: 'own prices' } });
    for (const kind of ['spans', 'traces'] as const)
      expect((await records(server, project, kind, 'own prices'))[0].metrics.cost).toBeCloseTo(0.003, 12);
    await setPrices([]);
  });

  it('are refused where a model would have two on one day', async () => {
    const twice = [
      { model: 'm', from: '2026-02-01', input: 1, output: 1 },
      { model: 'm', from: '2026-01-01', input: 2, output: 2 },
    ];
    expect(await setPrices(twice)).toMatchObject({
      status: 422,
      body: { code: 'prices_overlap', detail: [{ loc: ['body', 'prices', 0], type: 'prices_overlap' }] },
    });
  });
});
