import { globSync, readFileSync } from 'node:fs';
import { asValue } from 'awilix';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { ProjectPrices } from '../../../core/models/prices/project-prices.ts';
import type { OtlpEncoding } from '../../../core/otel/otlp-codec.ts';
import type { SpanType } from '../../../core/traces/catalogue/span-types.ts';
import { FLAT } from '../../../core/traces/ingest/ingest-schema.ts';
import { toRequest } from '../../fixtures/otel/otlp-bodies.ts';
import type { ShortCase } from '../../fixtures/otel/short-form.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { newProject, records, send } from './otlp-client.ts';

const files = globSync('test/fixtures/otel/*/*.json').filter((path) => !path.includes('/captured/'));

let server: TestServer;
let project: { id: string; name: string };
beforeAll(async () => {
  const prices = { input: 2.5e-6, cached_input: 0.25e-6, cache_write_input: 3.125e-6, output: 10e-6 };
  const getPrices = (model: string) => (model === 'priced' ? prices : undefined);
  const overrides = {
    getPrices: asValue(getPrices),
    priceLookup: asValue({ pricesFor: async () => getPrices, forget: () => {} } as unknown as ProjectPrices),
  };
  server = await startTestServer({ overrides });
  project = await newProject(server, 'demo');
});
afterAll(() => server.close());

/** Expected record of a case, in the words of the API. */
function expected(fields: Readonly<Record<string, JsonValue>>): JsonObject {
  // Of the mapping, not of the record.
  const { created_at, session_external_id: _session, spans_count: _count, kept_attributes: _kept, ...rest } = fields;
  return { ...rest, ...(typeof created_at === 'string' && { created_at: toUtc(created_at)! }) };
}

const only = (record: JsonObject, names: readonly string[]) => Object.fromEntries(names.map((name) => [name, record[name]]));

describe.each(files)('%s', (path) => {
  const case_ = JSON.parse(readFileSync(path, 'utf8')) as ShortCase;

  it.each<OtlpEncoding>(['json', 'protobuf'])(`${case_.about} (%s)`, async (encoding) => {
    const logstream = `${path.split('/').slice(-2).join(' ')} ${encoding}`;
    const request = toRequest({ scope: case_.scope, spans: case_.spans });
    const reply = await send(server, request, { encoding, headers: { project: 'demo', logstream } });
    expect([reply.status, reply.bytes.toString()]).toEqual([200, encoding === 'json' ? '{}' : '']);

    const spans = await records(server, project.id, 'spans', logstream);
    for (const [at, { spanId }] of case_.spans.entries()) {
      const span = spans.find(({ external_id }: JsonObject) => external_id === spanId);
      const wanted = expected(case_.out[at] ?? {});
      expect(only(span, Object.keys(wanted))).toEqual(wanted);
      expect(FLAT[span.type as SpanType].safeParse(span).error).toBeUndefined();
    }
    const [trace] = await records(server, project.id, 'traces', logstream);
    const wanted = expected(case_.trace ?? {});
    expect(only(trace, Object.keys(wanted))).toEqual(wanted);
    expect(FLAT.trace.safeParse(trace).error).toBeUndefined();
    const { session_external_id, spans_count } = case_.trace ?? {};
    if (session_external_id !== undefined) expect(await toSession(trace)).toBe(session_external_id);
    if (spans_count !== undefined) expect(spans).toHaveLength(spans_count as number);
  });
});

/** Id of a trace's session in the application. */
async function toSession({ session_id, id }: { session_id: string; id: string }): Promise<string | undefined> {
  if (session_id === id) return undefined;
  return (await server.request('GET', `/v2/projects/${project.id}/sessions/${session_id}`)).body.external_id;
}

it('finds the cases', () => {
  expect(files.length).toBeGreaterThan(30);
});

describe.each<OtlpEncoding>(['json', 'protobuf'])('numbers of a trace (%s)', (encoding) => {
  const llm = (model: string, input: number, output: number, more: Record<string, number> = {}) => ({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': model,
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': output,
    ...more,
  });
  const toTrace = async (logstream: string, spans: ShortCase['spans']) => {
    await send(server, toRequest({ spans }), { encoding, headers: { project: 'demo', logstream: `${logstream} ${encoding}` } });
    return (await records(server, project.id, 'traces', `${logstream} ${encoding}`))[0];
  };

  it.each([
    ['cached tokens within the input', 1000],
    ['cached tokens apart from it', 300],
  ])('have the cost by the prices of the model: %s', async (name, input) => {
    const cached = { 'gen_ai.usage.cache_read.input_tokens': 600, 'gen_ai.usage.cache_creation.input_tokens': 100 };
    const { metrics } = await toTrace(name, [{ spanId: '00f067aa0ba902b7', attributes: llm('priced', input, 50, cached) }]);
    expect(metrics).toMatchObject({ num_input_tokens: 1000, num_output_tokens: 50, cost: expect.closeTo(0.0017125, 10) });
  });

  it('count a call once, however many wrap it', async () => {
    const span = (n: number, parent: number | undefined, attributes: Record<string, JsonValue>) => ({
      spanId: String(n).padStart(16, '0'),
      ...(parent !== undefined && { parentSpanId: String(parent).padStart(16, '0') }),
      attributes,
    });
    const { metrics } = await toTrace('wrapped calls', [
      span(1, undefined, {
        'traceloop.span.kind': 'workflow',
        'gen_ai.usage.input_tokens': 200,
        'gen_ai.usage.output_tokens': 20,
      }),
      span(2, 1, llm('ChatOpenAI', 100, 10)),
      span(3, 2, llm('openai.chat', 100, 10)),
      span(4, 1, llm('agent turn', 50, 5)),
      span(5, 4, { 'gen_ai.operation.name': 'execute_tool' }),
      span(6, 5, llm('inner', 30, 3)),
    ]);
    expect(metrics).toMatchObject({ num_input_tokens: 180, num_output_tokens: 18, num_total_tokens: 198 });
  });
});
