import { afterAll, beforeAll, expect, it } from 'vitest';
import { toRequest } from '../../fixtures/otel/otlp-bodies.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { newProject, records, send } from '../otel/otlp-client.ts';

let server: TestServer;
let project: { id: string; name: string };
beforeAll(async () => {
  const own = { provider: 'gateway', model: 'in-house', from: '2026-01-01', input: 4, output: 20 };
  server = await startTestServer({ modelPrices: [own] });
  project = await newProject(server, 'costs');
});
afterAll(() => server.close());

it.each([
  ['gpt-4o-2024-08-06', {}, (1000 * 2.5 + 100 * 10) / 1e6],
  ['in-house', {}, (1000 * 4 + 100 * 20) / 1e6],
  ['in-house', { 'gen_ai.usage.cost': 0.5 }, 0.5],
  ['unheard-of', {}, undefined],
])('prices the tokens of a span by its model %s and %j', async (model, more, cost) => {
  const logstream = `${model} ${Object.keys(more).length}`;
  const usage = { 'gen_ai.usage.input_tokens': 1000, 'gen_ai.usage.output_tokens': 100 };
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model, ...usage, ...more };
  const request = toRequest({ scope: 'lib', spans: [{ spanId: '000000000000c057', name: 'chat', attributes }] });
  expect((await send(server, request, { headers: { project: 'costs', logstream } })).status).toBe(200);
  const [span] = await records(server, project.id, 'spans', logstream);
  expect(span.metrics.num_input_tokens).toBe(1000);
  if (cost === undefined) expect(span.metrics.cost ?? null).toBeNull();
  else expect(span.metrics.cost).toBeCloseTo(cost, 12);
});
