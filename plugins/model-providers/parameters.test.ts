import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CompletionRequest, ModelParameter, ModelProviderPlugin } from '../../core/plugin-sdk/index.ts';
import { asks, type FakeProvider, getHost, type SeenRequest, startFakeProvider } from '../../plugin-kit/fake-provider.ts';
import { anthropicKit } from './anthropic/kit.ts';
import { azureKit } from './azure/kit.ts';
import { cloudModelHostingKit } from './cloud_model_hosting/kit.ts';
import { customKit } from './custom/kit.ts';
import { mistralKit } from './mistral/kit.ts';
import { openaiKit } from './openai/kit.ts';
import { vertexAiKit } from './vertex_ai/kit.ts';

const KITS = {
  openai: openaiKit,
  anthropic: anthropicKit,
  gemini: vertexAiKit,
  mistral: mistralKit,
  bedrock: cloudModelHostingKit,
  azure: azureKit,
  compatible: customKit,
};
type Form = keyof typeof KITS;

const GIVEN = {
  temperature: 0.25,
  top_p: 0.75,
  top_k: 17,
  frequency_penalty: 0.5,
  presence_penalty: -0.5,
  stop: ['END'],
  seed: 4711,
  reasoning_effort: 'high',
  verbosity: 'low',
} as const;

/** The part of each vendor's body that a parameter is; null where it is refused before anything is sent. */
const WIRE: Readonly<Record<Form, Readonly<Record<ModelParameter, object | null>>>> = {
  // A model that reasons, by the responses interface.
  openai: {
    temperature: null,
    top_p: null,
    top_k: null,
    frequency_penalty: null,
    presence_penalty: null,
    stop: null,
    seed: null,
    reasoning_effort: { reasoning: { effort: 'high' } },
    verbosity: { text: { verbosity: 'low' } },
  },
  anthropic: {
    temperature: { temperature: 0.25 },
    top_p: { top_p: 0.75 },
    top_k: { top_k: 17 },
    frequency_penalty: null,
    presence_penalty: null,
    stop: { stop_sequences: ['END'] },
    seed: null,
    reasoning_effort: { thinking: { type: 'enabled', budget_tokens: 38_400 } },
    verbosity: null,
  },
  gemini: {
    temperature: { generationConfig: { temperature: 0.25 } },
    top_p: { generationConfig: { topP: 0.75 } },
    top_k: { generationConfig: { topK: 17 } },
    frequency_penalty: { generationConfig: { frequencyPenalty: 0.5 } },
    presence_penalty: { generationConfig: { presencePenalty: -0.5 } },
    stop: { generationConfig: { stopSequences: ['END'] } },
    seed: { generationConfig: { seed: 4711 } },
    reasoning_effort: { generationConfig: { thinkingConfig: { thinkingBudget: 24_576 } } },
    verbosity: null,
  },
  mistral: {
    temperature: { temperature: 0.25 },
    top_p: { top_p: 0.75 },
    top_k: null,
    frequency_penalty: { frequency_penalty: 0.5 },
    presence_penalty: { presence_penalty: -0.5 },
    stop: { stop: ['END'] },
    seed: { random_seed: 4711 },
    reasoning_effort: { reasoning_effort: 'high' },
    verbosity: null,
  },
  bedrock: {
    temperature: { inferenceConfig: { temperature: 0.25 } },
    top_p: { inferenceConfig: { topP: 0.75 } },
    top_k: { inferenceConfig: { topK: 17 } },
    frequency_penalty: null,
    presence_penalty: null,
    stop: { inferenceConfig: { stopSequences: ['END'] } },
    seed: null,
    reasoning_effort: { additionalModelRequestFields: { thinking: { type: 'enabled' } } },
    verbosity: null,
  },
  azure: {
    temperature: { temperature: 0.25 },
    top_p: { top_p: 0.75 },
    top_k: null,
    frequency_penalty: { frequency_penalty: 0.5 },
    presence_penalty: { presence_penalty: -0.5 },
    stop: { stop: ['END'] },
    seed: { seed: 4711 },
    reasoning_effort: { reasoning_effort: 'high' },
    verbosity: { verbosity: 'low' },
  },
  compatible: {
    temperature: { temperature: 0.25 },
    top_p: { top_p: 0.75 },
    top_k: null,
    frequency_penalty: { frequency_penalty: 0.5 },
    presence_penalty: { presence_penalty: -0.5 },
    stop: { stop: ['END'] },
    seed: { seed: 4711 },
    reasoning_effort: { reasoning_effort: 'high' },
    verbosity: { verbosity: 'low' },
  },
};

let fake: FakeProvider;
beforeAll(async () => {
  fake = await startFakeProvider();
});
afterAll(() => fake.close());
beforeEach(() => {
  fake.seen.length = 0;
});

function openProvider(form: Form) {
  const { plugin, settings, folder, model } = KITS[form] as unknown as {
    readonly plugin: ModelProviderPlugin;
    readonly settings: object;
    readonly folder: string;
    readonly model: string;
  };
  const read = (name: string) => JSON.parse(readFileSync(`${folder}/replies/${name}.json`, 'utf8'));
  const answer = read('answer');
  const isAnswer = (seen: SeenRequest) => asks(seen) === answer.asks;
  fake.answer = (seen) => ({ body: JSON.stringify((isAnswer(seen) ? answer : read('token')).body) });
  const provider = plugin.create(getHost(fake), plugin.settings.parse(settings));
  const complete = async (more: Partial<CompletionRequest>) => {
    const signal = new AbortController().signal;
    const completion = await provider.complete({ model, messages: [{ role: 'user', content: 'Good?' }], signal, ...more });
    const [sent] = fake.seen.filter(isAnswer);
    return { completion, body: JSON.parse(sent!.body) };
  };
  return { provider, complete, asked: () => fake.seen.filter(isAnswer).length };
}

const CASES = Object.entries(WIRE).flatMap(([form, parameters]) =>
  Object.entries(parameters).map(([name, sent]) => [form as Form, name as ModelParameter, sent] as const),
);

describe('parameters of a call', () => {
  it.each(CASES.filter(([, , sent]) => sent !== null))('%s is sent %s in its own form', async (form, name, sent) => {
    const { complete, provider } = openProvider(form);
    const { body, completion } = await complete({ [name]: GIVEN[name], required: [name] });
    expect(body).toMatchObject(sent!);
    expect(completion.left_out).toBeUndefined();
    if (name in OPTIONAL) expect(provider.supports).toContain(name);
  });

  it.each(CASES.filter(([, , sent]) => sent === null))(
    '%s is not asked without %s where the answer is worth nothing without it',
    async (form, name) => {
      const { complete, asked, provider } = openProvider(form);
      if (name in OPTIONAL) expect(provider.supports).not.toContain(name);
      await expect(complete({ [name]: GIVEN[name], required: [name] })).rejects.toMatchObject({
        failure: 'unsupported',
        parameter: name,
      });
      expect(asked()).toBe(0);
      const { completion } = await complete({ [name]: GIVEN[name] });
      expect(completion.left_out).toEqual([name]);
    },
  );

  it('of how much OpenAI is to think ask for no summary of it, which not every organisation may have', async () => {
    const { body } = await openProvider('openai').complete({ reasoning_effort: 'high' });
    expect(body.reasoning).toEqual({ effort: 'high' });
  });

  it('are looked for beside the texts of the call, in which they may be named', async () => {
    const { complete, asked } = openProvider('openai');
    const messages = [{ role: 'user', content: '{"top_k": 17}' }] as const;
    const parameters = { type: 'object', properties: { top_k: { const: 17 } }, top_k: 17 };
    const tools = [{ name: 'f', parameters }];
    await expect(complete({ messages, tools, top_k: 17, required: ['top_k'] })).rejects.toMatchObject({ parameter: 'top_k' });
    expect(asked()).toBe(0);
  });

  it('of a stream are looked at before it begins', async () => {
    const { provider, asked } = openProvider('openai');
    const { signal } = new AbortController();
    const request = { model: 'gpt-5-mini', messages: [{ role: 'user', content: 'Good?' }], signal } as const;
    const parts = provider.stream!({ ...request, temperature: 0.25, required: ['temperature'] });
    const first = parts[Symbol.asyncIterator]().next();
    await expect(first).rejects.toMatchObject({ parameter: 'temperature' });
    expect(asked()).toBe(0);
  });

  it('are refused where a value beside them makes the vendor go without', async () => {
    const { complete, asked } = openProvider('anthropic');
    const both = { reasoning_effort: 'high', top_k: 17 } as const;
    await expect(complete({ ...both, required: ['top_k'] })).rejects.toMatchObject({ parameter: 'top_k' });
    expect(asked()).toBe(0);
  });
});

const OPTIONAL = { top_k: 1, frequency_penalty: 1, presence_penalty: 1, reasoning_effort: 1, verbosity: 1 };
