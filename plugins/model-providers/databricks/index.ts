import {
  defineModelProvider,
  Hostname,
  httpClient,
  type OfferedModel,
  PluginError,
  Token,
  z,
} from '../../../core/plugin-sdk/index.ts';
import { aiSdkCalls, CHAT_PARAMETERS } from '../ai-sdk.ts';

const Settings = z.strictObject({
  token: Token.describe('A personal access token, or one of a service principal.'),
  hostname: Hostname.describe('The host of the workspace; https unless it says otherwise.'),
  default_catalog_name: z.string().min(1).max(255).nullish().describe('The catalog to look in first, for storage.'),
  path: z.string().min(1).max(1024).nullish().describe('The HTTP path of a SQL warehouse, for storage.'),
  llm: z.boolean().default(false).describe('Whether its models may be asked.'),
  storage: z.boolean().default(false).describe('Whether it holds data to read.'),
});

const EndpointList = z.object({ endpoints: z.array(z.object({ name: z.string(), task: z.string().nullish() })).default([]) });

/** Databricks model serving: the chat-completions protocol, a model being the name of a serving endpoint. */
export const databricks = defineModelProvider({
  id: 'databricks',
  sdk: 1,
  stability: 'stable',
  label: 'Databricks',
  summary: 'Serving endpoints of a Databricks workspace.',
  settings: Settings,
  former_paths: ['databricks/unity-catalog/sql'],
  create: (host, { token, hostname, llm }) => {
    const far = httpClient(host, 'databricks');
    const base = `${hostname.includes('://') ? '' : 'https://'}${hostname.replace(/\/$/, '')}`;
    const endpoints = async (signal: AbortSignal): Promise<OfferedModel[]> => {
      const init = { headers: { authorization: `Bearer ${token}` }, signal };
      const reply = await far.json(EndpointList, `${base}/api/2.0/serving-endpoints`, init);
      return reply.endpoints.map(({ name, task }) => ({ name, for_scorers: task === 'llm/v1/chat' }));
    };
    return {
      ...aiSdkCalls(
        'databricks',
        far,
        async (request, fetch) => {
          if (!llm) throw new PluginError('unsupported', 'databricks: the integration is not for models (`llm` is false)');
          const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
          const provider = createOpenAICompatible({
            name: 'databricks',
            baseURL: `${base}/serving-endpoints`,
            apiKey: token,
            supportsStructuredOutputs: true,
            includeUsage: true,
            fetch,
          });
          return provider.chatModel(request.model);
        },
        { parameters: CHAT_PARAMETERS },
      ),
      models: async (signal) => (llm ? endpoints(signal) : []),
      check: async (signal) => void (await endpoints(signal)),
    };
  },
});
