import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asks, type FakeProvider, startFakeProvider } from '../../../plugin-kit/fake-provider.ts';
import { value } from '../../../testing/index.ts';
import { eventually } from '../../setup/timing.ts';
import { makeDataset } from '../datasets/dataset-fixture.ts';
import { startTestServer, type TestServer } from '../harness.ts';

const readReply = (provider: string, name: string): { asks: string; body: unknown } =>
  JSON.parse(readFileSync(`plugins/model-providers/${provider}/replies/${name}.json`, 'utf8'));
const MODELS = { openai: 'gpt-5-mini', mistral: 'mistral-small-latest', custom: 'm-1' } as const;
type Provider = keyof typeof MODELS;

let fake: FakeProvider;
let server: TestServer;
let project: string;

beforeAll(async () => {
  fake = await startFakeProvider();
  server = await startTestServer({ overrides: { outbound: value({ fetch: fake.fetch, allows: async () => true }) } });
  const replies = (Object.keys(MODELS) as Provider[]).map((provider) => readReply(provider, 'answer'));
  replies.push(readReply('openai', 'models'), readReply('mistral', 'models'));
  fake.answer = (seen) => {
    const found = replies.find((one) => one.asks === asks(seen));
    return found ? { body: JSON.stringify(found.body) } : { status: 404, body: '' };
  };
  const integrations = {
    custom: { endpoint: 'https://models.example.org/v1', models: ['m-1'], authentication_type: 'none' },
    openai: { token: 'o' },
    mistral: { token: 'm' },
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
  fake.seen.length = 0;
});

const sentTo = (provider: Provider) => fake.seen.filter((seen) => asks(seen) === readReply(provider, 'answer').asks);

async function tryPrompt(provider: Provider, settings: object) {
  const variants = [{ template: 'Good?', settings: { ...settings, model_alias: MODELS[provider] } }];
  const { status, body } = await server.request('POST', `${project}/playground`, { variants });
  expect(status).toBe(200);
  return body.variants[0];
}

/** As clients of the interface give them when nobody chose any. */
const DEFAULTS = {
  temperature: 1,
  top_p: 1,
  top_k: 40,
  frequency_penalty: 0,
  presence_penalty: 0,
  reasoning_effort: 'medium',
  verbosity: 'medium',
};

describe('parameters of a prompt in the playground', () => {
  it('are sent where the model takes them, and told', async () => {
    const settings = { frequency_penalty: 0.5, presence_penalty: -0.25, seed: 7, stop_sequences: ['END'], max_tokens: 99 };
    const result = await tryPrompt('mistral', settings);
    expect(JSON.parse(sentTo('mistral')[0]!.body)).toMatchObject({
      frequency_penalty: 0.5,
      presence_penalty: -0.25,
      random_seed: 7,
      stop: ['END'],
      max_tokens: 99,
    });
    const { stop_sequences: stop, ...others } = settings;
    expect(result).toMatchObject({ error: null, parameters: { ...others, stop }, left_out: [] });
  });

  it.each([
    ['the provider', 'mistral', { verbosity: 'low' }, 'the provider does not take the parameter "verbosity"'],
    ['the model', 'openai', { temperature: 0.2 }, 'the model does not take the parameter "temperature"'],
  ] as const)(
    'are refused in words where %s does not take them, before anything is asked',
    async (_, provider, settings, words) => {
      const result = await tryPrompt(provider, settings);
      expect(result).toMatchObject({ output: null, parameters: settings, error: { kind: 'unsupported' } });
      expect(result.error.message).toContain(words);
      expect(sentTo(provider)).toHaveLength(0);
    },
  );

  it('are left out where nobody chose them, and that is told', async () => {
    const result = await tryPrompt('openai', DEFAULTS);
    expect(result.error).toBeNull();
    expect(result.left_out.toSorted()).toEqual(['frequency_penalty', 'presence_penalty', 'temperature', 'top_k', 'top_p']);
    expect(result.parameters).toEqual({ reasoning_effort: 'medium', verbosity: 'medium' });
    expect(JSON.parse(sentTo('openai')[0]!.body)).toMatchObject({
      reasoning: { effort: 'medium' },
      text: { verbosity: 'medium' },
    });
  });
});

it('parameters of a run over a dataset are on its records, and fail its rows where they cannot be sent', async () => {
  const run = async (settings: object) => {
    const dataset = await makeDataset(server, [{ input: 'a' }]);
    const made = await server.request('POST', '/v2/templates', {
      name: randomUUID(),
      template: 'Good? {{input}}',
      settings: { ...settings, model_alias: MODELS.custom },
    });
    const { status, body } = await server.request('POST', `${project}/experiments`, {
      name: randomUUID(),
      dataset: { dataset_id: dataset.id, version_index: 1 },
      prompt_template_version_id: made.body.selected_version.id,
      trigger: true,
    });
    expect(status).toBe(200);
    return eventually(async () => {
      const found = await server.request('POST', `${project}/spans/search`, { experiment_id: body.id, filters: [] });
      expect(found.body.records).toHaveLength(1);
      return found.body.records[0];
    });
  };
  const sent = await run({ reasoning_effort: 'high', top_k: 40, frequency_penalty: 0.5 });
  expect(sent.status_code).toBe(200);
  expect(sent.user_metadata).toEqual({
    'gen_ai.request.reasoning_effort': 'high',
    'gen_ai.request.frequency_penalty': 0.5,
    parameters_left_out: 'top_k',
  });
  expect(JSON.parse(sentTo('custom')[0]!.body)).toMatchObject({ reasoning_effort: 'high', frequency_penalty: 0.5 });
  const refused = await run({ top_k: 41 });
  expect(refused).toMatchObject({ status_code: 400 });
  expect(refused.user_metadata.error_message).toContain('"top_k"');
});
