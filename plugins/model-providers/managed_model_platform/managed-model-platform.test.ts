import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answers, type FakeProvider, getHost, startFakeProvider } from '../../../plugin-kit/fake-provider.ts';
import { modelProviderKit } from '../../../plugin-kit/model-provider/model-provider.kit.ts';
import { managedModelPlatform } from './index.ts';
import { managedModelPlatformKit } from './kit.ts';
import answer from './replies/answer.json' with { type: 'json' };
import generated from './replies/generated.json' with { type: 'json' };
import token from './replies/token.json' with { type: 'json' };

modelProviderKit(managedModelPlatformKit);

describe('managed model platform', () => {
  let fake: FakeProvider;
  beforeEach(async () => {
    fake = await startFakeProvider();
    fake.answer = answers({ [answer.asks]: answer.body, [generated.asks]: generated.body, [token.asks]: token.body });
  });
  afterEach(() => fake.close());

  const role = { role_arn: 'arn:aws:iam::123456789012:role/judges', external_id: 'external-1' };
  const own: Readonly<Record<string, string>> = { aws_access_key_id: 'AKIAOWN', aws_secret_access_key: 'own-secret' };
  const create = (models: object[]) =>
    managedModelPlatform.create(
      getHost(fake, { operatorSetting: (name) => own[name] }),
      managedModelPlatform.settings.parse({ credential_type: 'assumed_role', token: role, models }),
    );
  const request = {
    model: 'judge',
    system: 'You judge.',
    messages: [{ role: 'user', content: 'Good?' }],
    max_tokens: 50,
    top_p: 1,
    signal: new AbortController().signal,
  } as const;

  it('speaks to a container with fields of its own as the settings say', async () => {
    const provider = create([
      {
        name: 'tgi-endpoint',
        alias: 'judge',
        max_top_p: 0.99,
        params_map: { max_tokens: 'parameters.max_new_tokens', top_p: 'parameters.top_p' },
        input_map: { prompt: 'inputs', prefix: '<s>', suffix: '</s>' },
        output_map: { response: '0.generated_text' },
      },
    ]);
    const completion = await provider.complete({ ...request, schema: { type: 'object' } });
    expect(completion).toEqual({
      text: generated.body[0]!.generated_text,
      value: { explanation: 'It answers the question.', rating: true },
      usage: {},
      finish_reason: 'stop',
      model: 'judge',
    });
    expect(JSON.parse(fake.seen.at(-1)!.body)).toEqual({
      inputs: '<s>You judge.\n\nGood?</s>',
      parameters: { max_new_tokens: 50, top_p: 0.99 },
    });
    expect(fake.seen.at(-1)!.headers.authorization).toContain('/us-west-2/sagemaker/aws4_request');
  });

  it('refuses a reply without text where the settings say it is', async () => {
    const provider = create([{ name: 'tgi-endpoint', alias: 'judge', output_map: { response: 'constructor.name' } }]);
    await expect(provider.complete(request)).rejects.toMatchObject({ failure: 'bad_reply' });
  });

  it("gives a chat model its own names, and what is the system's before what is the user's", async () => {
    const provider = create([
      { name: 'judge-endpoint', alias: 'judge', user_role: 'human', params_map: { max_tokens: 'max_new_tokens' } },
    ]);
    await provider.complete(request);
    const { messages, ...parameters } = JSON.parse(fake.seen.at(-1)!.body) as { messages: unknown };
    expect(messages).toEqual([{ role: 'human', content: 'You judge.\n\nGood?' }]);
    expect(parameters).toMatchObject({ max_new_tokens: 50 });
    expect(parameters).not.toHaveProperty('max_tokens');
  });

  it('offers the models of the settings without asking', async () => {
    const offered = await create([{ name: 'judge-endpoint', alias: 'judge' }]).models(new AbortController().signal);
    expect(offered).toEqual([{ name: 'judge-endpoint', alias: 'judge', for_scorers: true }]);
    expect(fake.seen).toEqual([]);
  });
});
