import { defineModelProvider, HeaderText, httpClient, type OfferedModel, Token, z } from '../../../core/plugin-sdk/index.ts';
import { aiSdkCalls, CHAT_PARAMETERS } from '../ai-sdk.ts';
import { prices } from './prices.ts';

const BASE = 'https://api.writer.com/v1';

const Settings = z.strictObject({
  token: Token.describe('An API key.'),
  organization_id: HeaderText.describe('The organization of the key. Kept with the integration; the key alone decides who asks.'),
});

const ModelList = z.object({ models: z.array(z.object({ id: z.string() })) });

/** Writer: the chat-completions protocol on a path of its own. */
export const writer = defineModelProvider({
  id: 'writer',
  sdk: 1,
  stability: 'stable',
  label: 'Writer',
  summary: 'Palmyra models of Writer.',
  settings: Settings,
  prices,
  create: (host, { token }) => {
    const far = httpClient(host, 'writer');
    const models = async (signal: AbortSignal): Promise<OfferedModel[]> => {
      const reply = await far.json(ModelList, `${BASE}/models`, { headers: { authorization: `Bearer ${token}` }, signal });
      return reply.models.map(({ id }) => ({ name: id, for_scorers: true }));
    };
    return {
      ...aiSdkCalls(
        'writer',
        far,
        async (request, fetch) => {
          const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
          const chat: typeof fetch = (input, init) => fetch(String(input).replace(/\/chat\/completions$/, '/chat'), init);
          const options = { baseURL: BASE, apiKey: token, supportsStructuredOutputs: true, includeUsage: true };
          return createOpenAICompatible({ name: 'writer', ...options, fetch: chat }).chatModel(request.model);
        },
        { parameters: CHAT_PARAMETERS },
      ),
      models,
      check: async (signal) => void (await models(signal)),
    };
  },
});
