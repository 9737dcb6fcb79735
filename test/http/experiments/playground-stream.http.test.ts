import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CompletionPart,
  type CompletionRequest,
  defineModelProvider,
  PluginError,
  z,
} from '../../../core/plugin-sdk/index.ts';
import { value } from '../../../testing/index.ts';
import { ADMIN, startTestServer, type TestServer } from '../harness.ts';

const COMPLETION = { usage: { input_tokens: 3, output_tokens: 2 }, finish_reason: 'stop', model: 'echo-1.1', cost: 0.5 } as const;
const asked: string[] = [];
const left: string[] = [];
let release = Promise.withResolvers<void>();

/** Waits until it is released, or aborted. */
const held = (signal: AbortSignal): Promise<void> =>
  Promise.race([
    release.promise,
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
  ]);

async function* write({ model, signal }: CompletionRequest): AsyncGenerator<CompletionPart, void> {
  asked.push(model);
  try {
    if (model === 'flaky' && asked.filter((one) => one === 'flaky').length === 1) throw new PluginError('unavailable', 'not now');
    yield { type: 'text', text: 'one ' };
    if (model === 'breaks') throw new PluginError('unavailable', 'a secret of the provider');
    if (model === 'patient') await held(signal);
    if (model === 'long') for (let at = 0; at < 9_000; at += 1) yield { type: 'text', text: 'x'.repeat(100) };
    yield { type: 'text', text: 'two' };
    yield { type: 'end', completion: { ...COMPLETION, text: 'one two' } };
  } finally {
    if (signal.aborted) left.push(model);
  }
}

const provider = (id: string, models: readonly string[], streams: boolean) =>
  defineModelProvider({
    id,
    sdk: 1,
    stability: 'experimental',
    label: id,
    summary: 'A model of the tests.',
    settings: z.strictObject({ token: z.string() }),
    create: () => ({
      complete: async () => ({ ...COMPLETION, text: 'whole' }),
      ...(streams && { stream: write }),
      models: async () => models.map((name) => ({ name, alias: name, for_scorers: true })),
      check: async () => {},
    }),
  });

let server: TestServer;
let project: string;
beforeAll(async () => {
  const providers = [
    provider('writing', ['quick', 'flaky', 'breaks', 'patient', 'long'], true),
    provider('whole', ['at-once'], false),
  ];
  const overrides = { retryClock: value({ sleep: async () => {}, random: () => 0.5 }) };
  server = await startTestServer({ modelProviders: providers, overrides });
  project = `/v2/projects/${(await server.request('POST', '/v2/projects', { name: randomUUID() })).body.id}`;
  for (const id of ['writing', 'whole'])
    expect((await server.request('PUT', `/v2/integrations/${id}`, { token: 'a' })).status).toBe(200);
});
afterAll(() => server.close());

interface Event {
  readonly event: string;
  readonly data: { readonly variant?: number; readonly text?: string; readonly output?: string };
}

const open = (models: readonly string[], signal: AbortSignal | null = null) =>
  fetch(`${server.url}${project}/playground/stream`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Service-API-Key': ADMIN.api_key },
    body: JSON.stringify({ variants: models.map((model_alias) => ({ template: 'x', settings: { model_alias } })) }),
    signal,
  });

const eventsIn = (text: string): Event[] =>
  text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => ({ event: /^event: (.*)$/m.exec(block)![1]!, data: JSON.parse(/^data: (.*)$/m.exec(block)![1]!) }));

async function follow(...models: string[]): Promise<Event[]> {
  const response = await open(models);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  return eventsIn(await response.text());
}

const textOf = (events: readonly Event[], variant = 0): string =>
  events.map(({ event, data }) => (event === 'delta' && data.variant === variant ? data.text : '')).join('');

/** Reads until the text holds this. */
async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, wanted: string): Promise<string> {
  let text = '';
  while (!text.includes(wanted)) {
    const { done, value: chunk } = await reader.read();
    if (done) throw new Error(`ended without ${wanted}: ${text}`);
    text += new TextDecoder().decode(chunk);
  }
  return text;
}

describe('a call of the playground that is followed', () => {
  it('tells the texts of each variant, then its result with what it used and cost, and ends', async () => {
    const events = await follow('quick', 'at-once');
    expect(events[0]).toEqual({ event: 'start', data: { variants: 2 } });
    expect(events.at(-1)).toEqual({ event: 'end', data: {} });
    expect([textOf(events, 0), textOf(events, 1)]).toEqual(['one two', 'whole']);
    const results = events.filter(({ event }) => event === 'result').map(({ data }) => data);
    expect(results.toSorted((a, b) => a.variant! - b.variant!)).toMatchObject([
      { variant: 0, output: 'one two', num_input_tokens: 3, cost: 0.5, finish_reason: 'stop', error: null },
      { variant: 1, output: 'whole' },
    ]);
  });

  it('tells the first text before the last is written, and what stops before its end ends the call of the model', async () => {
    release = Promise.withResolvers();
    const gone = new AbortController();
    const response = await open(['patient'], gone.signal);
    await readUntil(response.body!.getReader(), 'one ');
    expect(left).not.toContain('patient');
    gone.abort();
    await expect.poll(() => left).toContain('patient');
    expect(server.logged.filter((line) => line.includes('request failed'))).toEqual([]);
  });

  it('is tried again before the first text, and never after it', async () => {
    expect(textOf(await follow('flaky'))).toBe('one two');
    expect(asked.filter((model) => model === 'flaky')).toHaveLength(2);
    const events = await follow('breaks', 'quick');
    expect(asked.filter((model) => model === 'breaks')).toHaveLength(1);
    expect(textOf(events)).toBe('one ');
    expect(events.find(({ event }) => event === 'error')?.data).toMatchObject({ variant: 0, error: { kind: 'unavailable' } });
    expect(events.filter(({ event }) => event === 'result')).toHaveLength(1);
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  it('counts as spending, with the calls that failed', async () => {
    const before = (await server.request('GET', `${project}/model-spending`)).body;
    await follow('quick');
    const after = (await server.request('GET', `${project}/model-spending`)).body;
    expect(after.total_cost - before.total_cost).toBeCloseTo(0.5);
  });

  it('joins texts for a reader that is slow, and loses none', async () => {
    const response = await open(['long']);
    const reader = response.body!.getReader();
    let text = await readUntil(reader, 'event: start');
    await expect.poll(() => asked).toContain('long');
    text += await readUntil(reader, 'event: end');
    const events = eventsIn(text);
    expect(textOf(events)).toHaveLength('one two'.length + 900_000);
    expect(events.length).toBeLessThan(9_000);
  });

  it('is refused as any request is: rights, project, body', async () => {
    const stream = `${project}/playground/stream`;
    expect((await server.request('POST', stream, { variants: [] })).status).toBe(422);
    expect(
      (await server.request('POST', `/v2/projects/${randomUUID()}/playground/stream`, { variants: [{ template: 'x' }] })).status,
    ).toBe(404);
  });

  it('ends with an event when the service is stopped, at once', async () => {
    release = Promise.withResolvers();
    const response = await open(['patient']);
    const reader = response.body!.getReader();
    await readUntil(reader, 'one ');
    left.length = 0;
    server.cradle.playgroundService.stop();
    expect(eventsIn(await readUntil(reader, 'interrupted')).at(-1)).toMatchObject({ event: 'interrupted' });
    await expect.poll(() => left).toContain('patient');
    expect((await reader.read()).done).toBe(true);
    expect((await follow('quick')).map(({ event }) => event)).toEqual(['start', 'interrupted']);
  });
});
