import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asks, type FakeProvider, startFakeProvider } from '../../../plugin-kit/fake-provider.ts';
import { account } from '../../../plugins/model-providers/vertex_ai/kit.ts';
import { value } from '../../../testing/index.ts';
import { eventually } from '../../setup/timing.ts';
import { makeDataset } from '../datasets/dataset-fixture.ts';
import { startTestServer, type TestServer } from '../harness.ts';

const PROVIDERS = 'plugins/model-providers';
const readReply = (provider: string, name: string): { asks: string; body: unknown } =>
  JSON.parse(readFileSync(`${PROVIDERS}/${provider}/replies/${name}.json`, 'utf8'));

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const TOOL = { type: 'function', function: { name: 'look_up', description: 'Looks up the weather.', parameters: SCHEMA } };
const VERDICT = { type: 'object', properties: { good: { type: 'boolean' } }, required: ['good'], additionalProperties: false };
const SETTINGS = {
  tools: [TOOL],
  tool_choice: 'required',
  response_format: { type: 'json_schema', json_schema: { name: 'verdict', schema: VERDICT, strict: true } },
};
const CALL = { id: 'call_0', type: 'function', function: { name: 'look_up', arguments: '{"city":"Lyon"}' } };
const CHAT = [
  { role: 'system', content: 'Be brief about {{city}}.' },
  { role: 'user', content: 'Weather in {{city}}?' },
  { role: 'assistant', content: null, tool_calls: [CALL] },
  { role: 'tool', tool_call_id: 'call_0', content: 'rain in Lyon' },
];

/** Wire form of each vendor, by the model that is asked. */
const MODELS = {
  compatible: { provider: 'custom', model: 'm-1' },
  anthropic: { provider: 'anthropic', model: 'claude-sonnet-4-5-20250929' },
  google: { provider: 'vertex_ai', model: 'gemini-2.5-flash' },
  openai: { provider: 'openai', model: 'gpt-5-mini' },
} as const;

let fake: FakeProvider;
let server: TestServer;
let project: string;
let replyName: 'answer' | 'finish-tool_calls' = 'answer';

beforeAll(async () => {
  fake = await startFakeProvider();
  server = await startTestServer({ overrides: { outbound: value({ fetch: fake.fetch, allows: async () => true }) } });
  const replies = (name: string) => Object.values(MODELS).map(({ provider }) => readReply(provider, name));
  const further = [readReply('vertex_ai', 'token'), readReply('anthropic', 'models'), readReply('openai', 'models')];
  fake.answer = (seen) => {
    const found = [...replies(replyName), ...further, readReply('vertex_ai', 'check')].find((one) => one.asks === asks(seen));
    return found ? { body: JSON.stringify(found.body) } : { status: 404, body: '' };
  };
  const integrations = {
    custom: { endpoint: 'https://models.example.org/v1', models: ['m-1', 'm-2'], authentication_type: 'none' },
    anthropic: { token: 'a' },
    vertex_ai: { token: JSON.stringify(account) },
    openai: { token: 'o' },
  };
  for (const [name, settings] of Object.entries(integrations))
    expect((await server.request('PUT', `/v2/integrations/${name}`, settings)).status).toBe(200);
  project = `/v2/projects/${(await server.request('POST', '/v2/projects', { name: randomUUID() })).body.id}`;
});
afterAll(async () => {
  await server.close();
  await fake.close();
});
beforeEach(() => {
  replyName = 'answer';
  fake.seen.length = 0;
});

/** Tries the prompt with the model; returns what was sent to it, and what came of it. */
async function tried(form: keyof typeof MODELS, template: unknown, settings: object = SETTINGS) {
  const { model, provider } = MODELS[form];
  const variants = [{ template, settings: { ...settings, model_alias: model } }];
  const { status, body } = await server.request('POST', `${project}/playground`, { variants, values: { city: 'Lyon' } });
  expect(status).toBe(200);
  const { asks: address } = readReply(provider, 'answer');
  const sent = fake.seen.find((seen) => asks(seen) === address);
  return { sent: sent ? JSON.parse(sent.body) : undefined, result: body.variants[0] };
}

describe('tools and response format of a prompt', () => {
  it('go to a service of the chat-completions protocol in its form, with calls and results of the conversation', async () => {
    const { sent, result } = await tried('compatible', CHAT);
    expect(result.error).toBeNull();
    expect(sent).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief about Lyon.' },
        { role: 'user', content: 'Weather in Lyon?' },
        { role: 'assistant', tool_calls: [CALL] },
        { role: 'tool', tool_call_id: 'call_0', content: 'rain in Lyon' },
      ],
      tools: [TOOL],
      tool_choice: 'required',
      response_format: { type: 'json_schema', json_schema: { name: 'verdict', schema: VERDICT, strict: true } },
    });
  });

  it('go to Anthropic in its form', async () => {
    const { sent } = await tried('anthropic', CHAT, {
      tools: [TOOL],
      tool_choice: { type: 'function', function: { name: 'look_up' } },
    });
    expect(sent).toMatchObject({
      system: [{ type: 'text', text: 'Be brief about Lyon.' }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Weather in Lyon?' }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_0', name: 'look_up', input: { city: 'Lyon' } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_0', content: 'rain in Lyon' }] },
      ],
      tools: [{ name: 'look_up', description: 'Looks up the weather.', input_schema: SCHEMA }],
      tool_choice: { type: 'tool', name: 'look_up' },
    });
    fake.seen.length = 0;
    const { sent: formatted } = await tried('anthropic', 'Good?', { response_format: SETTINGS.response_format });
    expect(JSON.stringify(formatted)).toContain(JSON.stringify(VERDICT.properties));
  });

  it('go to Google in its form', async () => {
    const { sent } = await tried('google', CHAT, { tools: [TOOL], tool_choice: 'any' });
    expect(sent).toMatchObject({
      contents: [
        { role: 'user', parts: [{ text: 'Weather in Lyon?' }] },
        { role: 'model', parts: [{ functionCall: { name: 'look_up', args: { city: 'Lyon' } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'look_up', response: { content: 'rain in Lyon' } } }] },
      ],
      tools: [{ functionDeclarations: [{ name: 'look_up', description: 'Looks up the weather.' }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    });
    fake.seen.length = 0;
    const { sent: formatted } = await tried('google', 'Good?', { response_format: SETTINGS.response_format });
    expect(formatted.generationConfig).toMatchObject({ responseMimeType: 'application/json', responseJsonSchema: VERDICT });
  });

  it("go to OpenAI's responses interface in its form", async () => {
    const { sent } = await tried('openai', CHAT);
    expect(sent).toMatchObject({
      input: [
        { content: 'Be brief about Lyon.' },
        { role: 'user', content: [{ type: 'input_text', text: 'Weather in Lyon?' }] },
        { type: 'function_call', call_id: 'call_0', name: 'look_up', arguments: '{"city":"Lyon"}' },
        { type: 'function_call_output', call_id: 'call_0', output: 'rain in Lyon' },
      ],
      tools: [{ type: 'function', name: 'look_up', parameters: SCHEMA }],
      tool_choice: 'required',
      text: { format: { type: 'json_schema', name: 'verdict', schema: VERDICT, strict: true } },
    });
  });

  it.each(Object.keys(MODELS) as (keyof typeof MODELS)[])('come back from %s as calls that the model asks for', async (form) => {
    replyName = 'finish-tool_calls';
    const { result } = await tried(form, 'Weather in {{city}}?', { tools: [TOOL] });
    expect(result).toMatchObject({ output: '', error: null, finish_reason: 'tool_calls' });
    expect(result.tool_calls).toEqual([
      { id: expect.any(String), type: 'function', function: { name: 'look_up', arguments: expect.any(String) } },
    ]);
    expect(JSON.parse(result.tool_calls[0].function.arguments)).toEqual({ city: 'Köln' });
  });

  it.each([
    ['as Anthropic writes them', { tools: [{ name: 'look_up', description: 'Looks up the weather.', input_schema: SCHEMA }] }],
    ['as Google writes them', { tools: [{ function_declarations: [TOOL.function] }] }],
    ['beside the type', { tools: [{ type: 'function', ...TOOL.function }] }],
  ])('are read %s, too', async (_form, settings) => {
    expect((await tried('compatible', 'x', settings)).sent.tools).toEqual([TOOL]);
  });

  it.each([
    [{ tools: [{ type: 'web_search' }] }, 'tool 1 of the prompt'],
    [{ response_format: { type: 'grammar' } }, 'the response format cannot be sent'],
    [{ tools: [TOOL], tool_choice: { type: 'allowed_tools' } }, 'the choice of a tool cannot be sent'],
  ])('are never left out: %j fails in words', async (settings, words) => {
    const { sent, result } = await tried('compatible', 'x', settings);
    expect(sent).toBeUndefined();
    expect(result.error.message).toContain(words);
  });

  it('are refused by an integration that is set up without them', async () => {
    const plain = {
      endpoint: 'https://models.example.org/v1',
      models: ['m-1'],
      authentication_type: 'none',
      structured_output: 'none',
    };
    await server.request('PUT', '/v2/integrations/custom', plain);
    const { sent, result } = await tried('compatible', 'x', { response_format: { type: 'json_object' } });
    expect(sent).toBeUndefined();
    expect(result.error).toEqual({
      kind: 'unsupported',
      code: null,
      message: 'the provider takes no response format, or none as it is set up',
    });
    await server.request('PUT', '/v2/integrations/custom', { ...plain, structured_output: 'json_schema' });
  });

  it('are kept by a version, sent for each row of a run over a dataset, and logged with the calls that came of it', async () => {
    replyName = 'finish-tool_calls';
    const settings = { ...SETTINGS, model_alias: 'm-1' };
    const template = (await server.request('POST', '/v2/templates', { name: randomUUID(), template: CHAT, settings })).body;
    expect(template.selected_version).toMatchObject({ settings, template: [{}, {}, { content: '', tool_calls: [CALL] }, {}] });
    const dataset = await makeDataset(server, [{ city: 'Lyon' }]);
    const wanted = {
      dataset: { dataset_id: dataset.id, version_index: 1 },
      prompt_template_version_id: template.selected_version_id,
    };
    const made = await server.request('POST', `${project}/experiments`, { name: randomUUID(), ...wanted, trigger: true });
    expect(made.status).toBe(200);
    const spans = { experiment_id: made.body.id, filters: [] };
    await eventually(async () => {
      const { body } = await server.request('POST', `${project}/spans/search`, spans);
      expect(body.records).toMatchObject([
        {
          tools: [TOOL],
          finish_reason: 'tool_calls',
          output: { role: 'assistant', tool_calls: [{ function: { name: 'look_up' } }] },
        },
      ]);
    });
    expect(JSON.parse(fake.seen.at(-1)!.body)).toMatchObject({ tools: [TOOL], tool_choice: 'required' });
    const traces = await server.request('POST', `${project}/traces/search`, spans);
    expect(traces.body.records[0].output).toContain('look_up');
  });
});
