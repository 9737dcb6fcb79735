import { asValue } from 'awilix';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TrendChanges } from '../../../core/trends/changes/trend-change.ts';
import { toRequest } from '../../fixtures/otel/otlp-bodies.ts';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { logStreamId, newProject, send } from '../otel/otlp-client.ts';

const HOUR = 3_600_000;
/** Times of the short form of spans count from here. */
const FIRST = Date.UTC(2026, 0, 1);
const HOURS = 20;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ overrides: { clock: asValue(() => new Date(FIRST + HOURS * HOUR)) } });
});
afterAll(() => server.close());

it('models are those that the provider answered with, where OpenTelemetry tells them, and go with their calls', async () => {
  const { id, name } = await newProject(server, 'Atlas');
  const spans = Array.from({ length: HOURS }, (_, hour) => ({
    traceId: String(hour + 1).padStart(32, '0'),
    spanId: String(hour + 1).padStart(16, '0'),
    name: 'chat',
    startMs: hour * HOUR + 60_000,
    endMs: hour * HOUR + 61_000,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'small',
      'gen_ai.response.model': hour < 10 ? 'small-2025-12' : 'small-2026-01',
    },
  }));
  expect((await send(server, toRequest({ spans }), { headers: { project: name } })).status).toBe(200);
  const log_stream_id = await logStreamId(server, id);
  const toTime = (hour: number): string => new Date(FIRST + hour * HOUR).toISOString();
  const query = async () => {
    const path = `/v2/projects/${id}/log_streams/${log_stream_id}/trends/changes/query`;
    const { changes }: TrendChanges = (await server.request('POST', path, { start_time: toTime(0), end_time: toTime(HOURS) }))
      .body;
    return changes.map(({ kind, model, at }) => [kind, model, at]);
  };
  await eventually(async () =>
    expect(await query()).toEqual([
      ['model_ended', 'small-2025-12', toTime(10)],
      ['model_began', 'small-2026-01', toTime(10)],
    ]),
  );
  expect((await server.request('POST', `/v2/projects/${id}/traces/delete`, { log_stream_id })).status).toBe(200);
  await eventually(async () => expect(await query()).toEqual([]));
});
