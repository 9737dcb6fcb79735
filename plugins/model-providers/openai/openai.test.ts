import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answers, type FakeProvider, getHost, startFakeProvider } from '../../../plugin-kit/fake-provider.ts';
import { modelProviderKit } from '../../../plugin-kit/model-provider/model-provider.kit.ts';
import { openai } from './index.ts';
import { openaiKit } from './kit.ts';
import answer from './replies/answer.json' with { type: 'json' };

modelProviderKit(openaiKit);

describe('openai', () => {
  let fake: FakeProvider;
  beforeEach(async () => {
    fake = await startFakeProvider();
  });
  afterEach(() => fake.close());

  const schema = {
    type: 'object',
    properties: { rating: { type: 'boolean' } },
    required: ['rating'],
    additionalProperties: false,
  };
  const completed = async (reply: object) => {
    fake.answer = answers({ [answer.asks]: reply });
    const request = {
      model: 'gpt-4.1',
      system: 'You judge.',
      messages: [{ role: 'user', content: 'Good?' }],
      schema,
      max_tokens: 100,
      temperature: 0,
      signal: new AbortController().signal,
    } as const;
    const settings = openai.settings.parse({ token: 'sk-1', organization_id: 'org-1' });
    return openai.create(getHost(fake), settings).complete(request);
  };

  it('asks strictly for the schema, and that nothing is stored', async () => {
    await completed(answer.body);
    const { headers, body } = fake.seen[0]!;
    expect(headers).toMatchObject({ authorization: 'Bearer sk-1', 'openai-organization': 'org-1' });
    expect(JSON.parse(body)).toMatchObject({
      model: 'gpt-4.1',
      store: false,
      max_output_tokens: 100,
      temperature: 0,
      text: { format: { type: 'json_schema', name: 'answer', strict: true, schema } },
    });
  });

  it('says that an answer was cut or filtered', async () => {
    const cut = { ...answer.body, status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    expect(await completed(cut)).toMatchObject({ finish_reason: 'length', text: 'Yes, it is good.' });
    const filtered = { ...answer.body, status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
    expect(await completed(filtered)).toMatchObject({ finish_reason: 'content_filter' });
  });
});
