import { defineModelProvider, HeaderText, httpClient, type OfferedModel, Token, z } from '../../../core/plugin-sdk/index.ts';
import { aiSdkCalls } from '../ai-sdk.ts';
import { openaiModalities } from '../openai-modalities.ts';
import { fileKindsByName, readingFiles } from '../readable-files.ts';
import { prices } from './prices.ts';

const BASE = 'https://api.openai.com/v1';

const Settings = z.strictObject({
  token: Token.describe('An API key.'),
  organization_id: HeaderText.optional().describe('The organization to charge, when the key has more than one.'),
});

const ModelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/** The list says nothing of what a model does; those that answer texts with texts are known by name. */
const CHAT = /^(gpt-|o\d|chatgpt-|ft:gpt-)/;
const OTHER = /audio|realtime|transcribe|tts|image|search|instruct|codex/;

/** OpenAI, by its responses interface: the newest models answer nowhere else. */
export const openai = defineModelProvider({
  id: 'openai',
  sdk: 1,
  stability: 'stable',
  label: 'OpenAI',
  summary: 'Models of OpenAI.',
  settings: Settings,
  prices,
  create: (host, { token, organization_id }) => {
    const far = httpClient(host, 'openai');
    const headers = { authorization: `Bearer ${token}`, ...(organization_id && { 'openai-organization': organization_id }) };
    const models = async (signal: AbortSignal): Promise<OfferedModel[]> => {
      const { data } = await far.json(ModelList, `${BASE}/models`, { headers, signal });
      return data.map(({ id }) => ({
        name: id,
        for_scorers: CHAT.test(id) && !OTHER.test(id),
        input_modalities: openaiModalities(id),
        ...readingFiles(fileKindsByName(id)),
      }));
    };
    return {
      ...aiSdkCalls(
        'openai',
        far,
        async (request, fetch) => {
          const { createOpenAI } = await import('@ai-sdk/openai');
          const provider = createOpenAI({ baseURL: BASE, apiKey: token, headers, fetch });
          // Not stored: a judge's material is nobody else's.
          return provider.responses(request.model);
        },
        { providerOptions: { openai: { store: false, reasoningSummary: null } }, parameters: ['reasoning_effort', 'verbosity'] },
      ),
      models,
      check: async (signal) => void (await models(signal)),
    };
  },
});
