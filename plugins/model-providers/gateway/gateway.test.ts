import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeProvider, getHost, startFakeProvider } from '../../../plugin-kit/fake-provider.ts';
import { modelProviderKit } from '../../../plugin-kit/model-provider/model-provider.kit.ts';
import { gateway } from './index.ts';
import { gatewayKit } from './kit.ts';
import answer from './replies/answer.json' with { type: 'json' };

modelProviderKit(gatewayKit);

describe('gateway', () => {
  let fake: FakeProvider;
  beforeEach(async () => {
    fake = await startFakeProvider();
  });
  afterEach(() => fake.close());

  const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
  const completed = async (more: object, headers = {}) => {
    fake.answer = () => ({ headers, body: JSON.stringify({ ...answer.body, usage: null }) });
    const settings = gateway.settings.parse({
      token: 'k-1',
      endpoint: 'https://gateway.example.org/v1',
      use_case: 'evaluation',
      ...more,
    });
    const request = {
      model: 'm',
      messages: [{ role: 'user', content: 'Good?' }],
      schema,
      signal: new AbortController().signal,
    } as const;
    return gateway.create(getHost(fake), settings).complete(request);
  };

  it.each([
    ['json_schema', { type: 'json_schema', json_schema: { name: 'answer', schema } }],
    ['json_object', { type: 'json_object' }],
    ['none', undefined],
  ])('asks for a structured answer by %s', async (structured_output, response_format) => {
    await completed({ structured_output });
    const body = JSON.parse(fake.seen[0]!.body) as { response_format?: unknown };
    if (response_format) expect(body.response_format).toMatchObject(response_format);
    else expect(body).not.toHaveProperty('response_format');
    expect(fake.seen[0]!.headers).toMatchObject({ authorization: 'Bearer k-1', 'x-use-case': 'evaluation' });
  });

  it.each([
    ['evaluation', 'evaluation'],
    ['Bewertung für Köln', 'Bewertung f%C3%BCr K%C3%B6ln'],
    ['評価 🙂', '%E8%A9%95%E4%BE%A1 %F0%9F%99%82'],
    ['100 %\r\nx-other: 1', '100 %25%0D%0Ax-other: 1'],
    ['', ''],
  ])('sends the use case %j as a header that any letters fit in', async (use_case, header) => {
    await completed({ use_case });
    expect(fake.seen[0]!.headers['x-use-case'] ?? '').toBe(header);
    expect(decodeURIComponent(header)).toBe(use_case);
    expect(fake.seen[0]!.headers).not.toHaveProperty('x-other');
  });

  it('reads what the call cost from the header of a proxy', async () => {
    expect(await completed({}, { 'x-litellm-response-cost': '0.0025' })).toMatchObject({ cost: 0.0025, usage: {} });
    expect(await completed({})).not.toHaveProperty('cost');
  });
});
