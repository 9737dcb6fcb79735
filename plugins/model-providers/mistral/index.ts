import { defineModelProvider, httpClient, type OfferedModel, Token, z } from '../../../core/plugin-sdk/index.ts';
import { aiSdkCalls } from '../ai-sdk.ts';
import { readingFiles } from '../readable-files.ts';
import { prices } from './prices.ts';

const BASE = 'https://api.mistral.ai/v1';

const Settings = z.strictObject({ token: Token.describe('An API key.') });

const Capabilities = z.object({ completion_chat: z.boolean(), vision: z.boolean().optional(), audio: z.boolean().optional() });
const ModelList = z.object({
  data: z.array(z.object({ id: z.string(), capabilities: Capabilities.optional() })),
});

/** Mistral AI. */
export const mistral = defineModelProvider({
  id: 'mistral',
  sdk: 1,
  stability: 'stable',
  label: 'Mistral AI',
  summary: 'Models of Mistral AI.',
  settings: Settings,
  prices,
  create: (host, { token }) => {
    const far = httpClient(host, 'mistral');
    const models = async (signal: AbortSignal): Promise<OfferedModel[]> => {
      const { data } = await far.json(ModelList, `${BASE}/models`, { headers: { authorization: `Bearer ${token}` }, signal });
      return data.map(({ id, capabilities }) => ({
        name: id,
        for_scorers: capabilities?.completion_chat === true,
        input_modalities: ['text', ...(capabilities?.vision ? ['image'] : []), ...(capabilities?.audio ? ['audio'] : [])],
        ...readingFiles(capabilities?.vision ? ['image'] : []),
      }));
    };
    return {
      ...aiSdkCalls(
        'mistral',
        far,
        async (request, fetch) => {
          const { createMistral } = await import('@ai-sdk/mistral');
          const provider = createMistral({ baseURL: BASE, apiKey: token, fetch });
          return provider.chat(request.model);
        },
        { parameters: ['frequency_penalty', 'presence_penalty', 'reasoning_effort'] },
      ),
      models,
      check: async (signal) => void (await models(signal)),
    };
  },
});
