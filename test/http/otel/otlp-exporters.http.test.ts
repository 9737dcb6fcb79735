import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OpenTelemetry } from '@ai-sdk/otel';
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import { trace as api, ROOT_CONTEXT, SpanStatusCode } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { generateText, isStepCount, jsonSchema, registerTelemetry, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../core/kernel/errors.ts';
import { ADMIN, startTestServer, type TestServer } from '../harness.ts';
import { newProject, records } from './otlp-client.ts';

const EXPORTERS = { json: JsonExporter, protobuf: ProtobufExporter };
type Encoding = keyof typeof EXPORTERS;

let server: TestServer;
let project: { id: string; name: string };
let provider: NodeTracerProvider | undefined;
beforeAll(async () => {
  server = await startTestServer();
  project = await newProject(server, 'my project');
});
afterEach(() => provider?.shutdown());
afterAll(() => server.close());

/** An SDK as applications set it up; `flush` sends what it has. */
function sdk(
  logstream: string,
  { encoding = 'protobuf' as Encoding, compression = 'gzip' as 'gzip' | 'none', key = ADMIN.api_key } = {},
) {
  const headers = { 'Service-API-Key': key, project: encodeURIComponent(project.name), logstream };
  const exporter = new EXPORTERS[encoding]({ url: `${server.url}/v1/traces`, headers, compression: compression as never });
  const resource = resourceFromAttributes({ 'service.name': 'shop' });
  provider = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  return { provider, tracer: provider.getTracer('shop'), flush: () => provider!.forceFlush() };
}

interface Shown {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly parent_id: string;
  readonly input: unknown;
  readonly output: unknown;
}
const toSpans = async (name: string): Promise<Shown[]> => records(server, project.id, 'spans', name);
const toTrace = async (name: string) => (await records(server, project.id, 'traces', name))[0];
const requests = () => server.logged.filter((line) => line.includes('"path":"/v1/traces"')).length;

describe.each(['json', 'protobuf'] as const)('the exporter for %s', (encoding) => {
  it.each(['gzip', 'none'] as const)('delivers spans, compressed by %s', async (compression) => {
    const name = `${encoding} ${compression}`;
    const { tracer, flush } = sdk(name, { encoding, compression });
    const outer = tracer.startSpan('outer');
    tracer.startSpan('inner', {}, api.setSpan(ROOT_CONTEXT, outer)).end();
    outer.setStatus({ code: SpanStatusCode.ERROR, message: 'no' }).end();
    await flush();
    expect(await toTrace(name)).toMatchObject({ name: 'outer', status_code: 500, is_complete: true });
    expect((await toSpans(name)).map(({ name: one }) => one).toSorted()).toEqual(['inner', 'outer']);
  });

  it('sends again after a passing fault, when we said so', async () => {
    const { otelTraceStore } = server.cradle;
    const whole = otelTraceStore.standings;
    let failures = 0;
    otelTraceStore.standings = () => {
      failures += 1;
      otelTraceStore.standings = whole;
      throw new AppError('unavailable', 'database_unavailable', 'the database does not answer', { retryAfterSeconds: 1 });
    };
    const { tracer, flush } = sdk(`again ${encoding}`, { encoding });
    tracer.startSpan('patient').end();
    const started = performance.now();
    await flush();
    expect(failures).toBe(1);
    expect(performance.now() - started).toBeGreaterThan(900);
    expect(await toSpans(`again ${encoding}`)).toMatchObject([{ name: 'patient' }]);
  });

  it('does not send again what was refused', async () => {
    const { tracer, flush } = sdk(`refused ${encoding}`, { encoding, key: 'wrong' });
    const before = requests();
    tracer.startSpan('hasty').end();
    await flush().catch(() => undefined);
    expect(requests() - before).toBe(1);
  });
});

it('keeps what the AI SDK tells of an agent', async () => {
  const { provider: own, flush } = sdk('ai sdk');
  own.register();
  registerTelemetry(new OpenTelemetry({ runtimeContext: true, usage: true }));
  const usage = {
    inputTokens: { total: 40, noCache: 24, cacheRead: 16, cacheWrite: 0 },
    outputTokens: { total: 9, text: 7, reasoning: 2 },
  };
  const response = { modelId: 'gpt-5-mini-2026', timestamp: new Date(0) };
  const call = { type: 'tool-call', toolCallId: 'call_1', toolName: 'weather', input: '{"city":"Lima"}' } as const;
  const model = new MockLanguageModelV4({
    provider: 'openai.chat',
    modelId: 'gpt-5-mini',
    doGenerate: [
      { content: [call], finishReason: { unified: 'tool-calls', raw: 'tool_calls' }, usage, warnings: [], response },
      {
        content: [{ type: 'text', text: 'It is 19 degrees in Lima.' }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage,
        warnings: [],
        response,
      },
    ],
  });
  const inputSchema = jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } });
  await generateText({
    model,
    prompt: 'Weather in Lima?',
    stopWhen: isStepCount(3),
    tools: { weather: tool({ inputSchema, execute: async ({ city }) => ({ city, degrees: 19 }) }) },
    telemetry: { functionId: 'ask-weather' },
  });
  await flush();
  api.disable();
  expect(await toTrace('ai sdk')).toMatchObject({
    name: 'ask-weather',
    input: 'Weather in Lima?',
    output: 'It is 19 degrees in Lima.',
    is_complete: true,
    metrics: { num_input_tokens: 80, num_output_tokens: 18, num_total_tokens: 98, num_cached_input_tokens: 32 },
    user_metadata: { 'resource.service.name': 'shop' },
  });
  const types = (await toSpans('ai sdk')).map(({ type }) => type).toSorted();
  expect(types).toEqual(['agent', 'llm', 'llm', 'tool', 'workflow', 'workflow']);
});

it('keeps what OpenInference tells of calls to a model', async () => {
  const { far, url } = await startUpstream();
  const { provider: own, tracer, flush } = sdk('openinference', { encoding: 'json' });
  own.register();
  const instrumentation = new OpenAIInstrumentation({ tracerProvider: own });
  instrumentation.manuallyInstrument(OpenAI);
  const client = new OpenAI({ apiKey: 'k', baseURL: url });
  const kind = { 'openinference.span.kind': 'CHAIN', 'input.value': 'Weather in Lima?', 'session.id': 's1', 'user.id': 'u1' };
  await tracer.startActiveSpan('ask', { attributes: kind }, async (span) => {
    await client.chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Weather in Lima?' }],
      temperature: 0,
    });
    span.end();
  });
  await flush();
  api.disable();
  far.close();
  expect(await toTrace('openinference')).toMatchObject({
    name: 'ask',
    input: 'Weather in Lima?',
    output: 'It is 19 degrees in Lima.',
    is_complete: true,
    metrics: { num_input_tokens: 40, num_output_tokens: 9, num_total_tokens: 49 },
    user_metadata: { 'user.id': 'u1' },
  });
  const [call, ask] = (await toSpans('openinference')).toSorted((a, b) => (a.type < b.type ? -1 : 1));
  expect(ask).toMatchObject({ type: 'workflow', name: 'ask', parent_id: (await toTrace('openinference')).id });
  expect(call).toMatchObject({
    type: 'llm',
    parent_id: ask!.id,
    model: 'gpt-4o-2024-08-06',
    input: [{ role: 'user', content: 'Weather in Lima?' }],
    output: { role: 'assistant', content: 'It is 19 degrees in Lima.' },
  });
});

/** Starts the upstream service of a model. */
async function startUpstream(): Promise<{ far: Server; url: string }> {
  const message = { role: 'assistant', content: 'It is 19 degrees in Lima.' };
  const usage = { prompt_tokens: 40, completion_tokens: 9, total_tokens: 49 };
  const choices = [{ index: 0, finish_reason: 'stop', message }];
  const completion = { id: 'c1', object: 'chat.completion', created: 0, model: 'gpt-4o-2024-08-06', choices, usage };
  const far = createServer((req, res) => {
    req.resume().on('end', () => res.setHeader('content-type', 'application/json').end(JSON.stringify(completion)));
  });
  await new Promise<void>((resolve) => far.listen(0, '127.0.0.1', resolve));
  return { far, url: `http://127.0.0.1:${(far.address() as AddressInfo).port}/v1` };
}
