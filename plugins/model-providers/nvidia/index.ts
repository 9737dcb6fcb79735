import { defineModelProvider, Hostname, httpClient, type OfferedModel, Token, z } from '../../../core/plugin-sdk/index.ts';
import { aiSdkCalls, CHAT_PARAMETERS } from '../ai-sdk.ts';

const Settings = z.strictObject({
  token: Token.describe('An API key.'),
  hostname: Hostname.describe('`integrate.api.nvidia.com`, or where an own NIM answers; https unless it says otherwise.'),
});

const ModelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/** The list says nothing of what a model does; those that do not answer texts are known by name. */
const OTHER = /embed|rerank|parse|ocr|clip|detect|reward|nvclip|vila|deplot/i;

/** NVIDIA NIM, hosted or one's own, by the chat-completions protocol. */
export const nvidia = defineModelProvider({
  id: 'nvidia',
  sdk: 1,
  stability: 'stable',
  label: 'NVIDIA NIM',
  summary: 'Models behind NVIDIA NIM, hosted or self-hosted.',
  settings: Settings,
  create: (host, { token, hostname }) => {
    const far = httpClient(host, 'nvidia');
    const base = `${hostname.includes('://') ? '' : 'https://'}${hostname.replace(/\/$/, '')}/v1`;
    const models = async (signal: AbortSignal): Promise<OfferedModel[]> => {
      const { data } = await far.json(ModelList, `${base}/models`, { headers: { authorization: `Bearer ${token}` }, signal });
      return data.map(({ id }) => ({ name: id, for_scorers: !OTHER.test(id) }));
    };
    return {
      ...aiSdkCalls(
        'nvidia',
        far,
        async (request, fetch) => {
          const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
          const options = { baseURL: base, apiKey: token, supportsStructuredOutputs: true, includeUsage: true };
          return createOpenAICompatible({ name: 'nvidia', ...options, fetch }).chatModel(request.model);
        },
        { parameters: CHAT_PARAMETERS },
      ),
      models,
      check: async (signal) => void (await models(signal)),
    };
  },
});
