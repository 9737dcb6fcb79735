import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CompletionRequest, defineModelProvider, PluginError, z } from '../../../core/plugin-sdk/index.ts';
import { ADMIN, startTestServer, type TestServer } from '../harness.ts';

const asked: CompletionRequest[] = [];
/** Of the model that answers once nobody waits for it any more. */
const givenUp: CompletionRequest[] = [];
const echo = defineModelProvider({
  id: 'echo',
  sdk: 1,
  stability: 'experimental',
  label: 'Echo',
  summary: 'A model of the tests.',
  settings: z.strictObject({ token: z.string() }),
  create: () => ({
    complete: async (request) => {
      asked.push(request);
      if (request.model === 'patient') {
        await new Promise((resolve) => request.signal.addEventListener('abort', resolve, { once: true }));
        givenUp.push(request);
        throw request.signal.reason;
      }
      if (request.model === 'broken') throw new PluginError('bad_reply', 'a secret of the provider');
      const text = `${request.model}: ${request.messages.at(-1)!.content}`;
      return { text, usage: { input_tokens: 3, output_tokens: 2 }, finish_reason: 'stop', model: 'echo-1.1', cost: 0.5 };
    },
    models: async () => ['echo-1', 'echo-2', 'broken', 'patient'].map((name) => ({ name, alias: name, for_scorers: true })),
    check: async () => {},
  }),
});

let server: TestServer;
let path: string;
beforeAll(async () => {
  server = await startTestServer({ modelProviders: [echo] });
  const project = await server.request('POST', '/v2/projects', { name: `p ${randomUUID()}` });
  path = `/v2/projects/${project.body.id}/playground`;
  expect((await server.request('PUT', '/v2/integrations/echo', { token: 'a' })).status).toBe(200);
});
afterAll(() => server.close());

const call = (variants: object[], values: object = {}) => server.request('POST', path, { variants, values });

describe('the playground', () => {
  it('tries variants side by side, each with its own model, output, tokens, cost and failure', async () => {
    const messages = [
      { role: 'system', content: 'Speak {{language}}.' },
      { role: 'user', content: '{{question.text}}' },
    ];
    const { status, body } = await call(
      [
        { template: 'Answer {{question.text}}', settings: { model_alias: 'echo-1', temperature: 0.5 } },
        { template: messages, settings: { model_alias: 'echo-2' } },
        { template: 'x', settings: { model_alias: 'broken' } },
        { template: 'x', settings: { model_alias: 'nobody has it' } },
      ],
      { question: { text: 'why?' } },
    );
    expect(status).toBe(200);
    expect(body.variants).toMatchObject([
      {
        messages: [{ content: 'Answer why?' }],
        ...{ output: 'echo-1: Answer why?', model: 'echo-1.1', finish_reason: 'stop', num_input_tokens: 3, cost: 0.5 },
        ...{ missing_variables: [], error: null },
      },
      { output: 'echo-2: why?', missing_variables: ['language'], messages: [{ content: 'Speak {{language}}.' }, {}] },
      { output: null, cost: null, error: { kind: 'bad_reply' } },
      { output: null, model: 'nobody has it', error: { kind: 'unsupported' } },
    ]);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(asked.find(({ model }) => model === 'echo-1')).toMatchObject({ temperature: 0.5 });
    expect(asked.find(({ model }) => model === 'echo-2')).toMatchObject({ system: 'Speak {{language}}.' });
  });

  it('counts as spending of the project, and logs nothing', async () => {
    await call([{ template: 'x', settings: { model_alias: 'echo-1' } }]);
    const spending = await server.request('GET', path.replace('playground', 'model-spending'));
    expect(JSON.stringify(spending.body)).toContain('"purpose":"playground"');
    const streams = await server.request('GET', `${path.replace('/playground', '')}/log_streams`);
    expect(streams.body).toEqual([]);
  });

  it('ends the calls of a caller who goes away, which is no failure of the service', async () => {
    const gone = new AbortController();
    const body = JSON.stringify({ variants: [{ template: 'x', settings: { model_alias: 'patient' } }] });
    const headers = { 'Content-Type': 'application/json', 'Service-API-Key': ADMIN.api_key };
    const left = fetch(`${server.url}${path}`, { method: 'POST', headers, body, signal: gone.signal });
    await expect.poll(() => asked.some(({ model }) => model === 'patient')).toBe(true);
    gone.abort();
    await expect(left).rejects.toThrow();
    await expect.poll(() => givenUp.length).toBe(1);
    expect((await call([{ template: 'x', settings: { model_alias: 'echo-1' } }])).status).toBe(200);
    expect(server.logged.filter((line) => line.includes('request failed'))).toEqual([]);
  });

  it.each([
    { variants: [] },
    { variants: Array.from({ length: 7 }, () => ({ template: 'x' })) },
    { variants: [{ template: [] }] },
    { variants: [{ template: 'x', settings: { temperature: -1 } }] },
    { variants: [{ template: 'x' }], values: [] },
  ])('refuses %j', async (body) => {
    const before = asked.length;
    expect((await server.request('POST', path, body)).status).toBe(422);
    expect(asked.length).toBe(before);
  });
});
