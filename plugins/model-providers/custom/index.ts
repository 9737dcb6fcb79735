import {
  ClientCredentials,
  defineModelProvider,
  Endpoint,
  httpClient,
  MultiModalConfig,
  oauth2Token,
  readJson,
  remembered,
  secret,
  Token,
  z,
} from '../../../core/plugin-sdk/index.ts';
import { AI_SDK_FEATURES, aiSdkCalls, CHAT_PARAMETERS } from '../ai-sdk.ts';
import { FILE_KINDS, fileKindsByName, readingFiles } from '../readable-files.ts';

/** Names a class that hosts with another runtime load. Nothing is loaded here: the endpoint is asked in its place. */
const CustomLlm = z.strictObject({
  file_name: z.string().min(1).max(1024),
  class_name: z.string().min(1).max(300),
  init_kwargs: secret(z.record(z.string().max(300), z.json())).nullish(),
});

const Settings = z
  .strictObject({
    endpoint: Endpoint.describe('The base URL; `/chat/completions` is asked under it.'),
    models: z.array(z.string().min(1).max(300)).min(1).max(1000).describe('The names of the models it has.'),
    default_model: z
      .string()
      .min(1)
      .max(300)
      .nullish()
      .describe('The model that is asked to see whether it answers; else the first.'),
    authentication_type: z.enum(['oauth2', 'none', 'api_key']).default('oauth2').describe('How it knows who asks.'),
    authentication_scope: z.string().min(1).max(1000).nullish().describe('The scope to ask a token for.'),
    oauth2_token_url: Endpoint.nullish().describe('Where a token is asked for; else `endpoint`.'),
    token: secret(z.string().trim().min(1).max(16_384))
      .nullish()
      .describe('For `oauth2` JSON text with `client_id` and `client_secret`.'),
    api_key_header: z
      .string()
      .regex(/^[\w-]{1,100}$/)
      .nullish()
      .describe('The header of the key; else `authorization`, as a bearer token.'),
    api_key_value: Token.nullish().describe('The key, for `api_key`.'),
    structured_output: z
      .enum(['json_schema', 'json_object', 'none'])
      .default('json_schema')
      .describe('How it is asked for a structured answer.'),
    custom_llm_config: CustomLlm.nullish().describe('A class of another runtime; kept and not loaded: `endpoint` is asked.'),
    reads_files: z
      .array(z.enum(FILE_KINDS))
      .max(FILE_KINDS.length)
      .nullish()
      .describe('Kinds of files that its models read; known by the names of models where absent.'),
    multi_modal_config: MultiModalConfig,
  })
  .superRefine(({ authentication_type, token, api_key_value, models, default_model }, ctx) => {
    const issue = (field: string, message: string) => ctx.addIssue({ code: 'custom', path: [field], message });
    if (authentication_type === 'oauth2' && !readJson(ClientCredentials, token ?? ''))
      issue('token', 'has to be JSON text with client_id and client_secret');
    if (authentication_type === 'api_key' && !api_key_value) issue('api_key_value', 'is required for api_key');
    if (default_model && !models.includes(default_model)) issue('default_model', 'is not one of models');
  });

/** A server of one's own that speaks the chat-completions protocol. */
export const custom = defineModelProvider({
  id: 'custom',
  sdk: 1,
  stability: 'stable',
  label: 'Custom',
  summary: 'A server of your own that speaks the chat-completions protocol.',
  settings: Settings,
  create: (host, { endpoint, models, default_model, authentication_type, structured_output, ...settings }) => {
    const far = httpClient(host, 'custom');
    const issued = remembered(host.clock, (signal) => {
      const client = readJson(ClientCredentials, settings.token ?? '');
      const form = { grant_type: 'client_credentials', ...client, scope: settings.authentication_scope ?? undefined };
      return oauth2Token(far, { url: settings.oauth2_token_url ?? endpoint, form, now: host.clock(), signal });
    });
    const authorization = async (signal: AbortSignal): Promise<Record<string, string>> => {
      if (authentication_type === 'oauth2') return { authorization: `Bearer ${(await issued(signal)).value}` };
      const { api_key_header: header, api_key_value: key } = settings;
      if (authentication_type === 'none' || !key) return {};
      return header ? { [header]: key } : { authorization: `Bearer ${key}` };
    };
    const calls = aiSdkCalls(
      'custom',
      far,
      async (request, fetch) => {
        const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
        const provider = createOpenAICompatible({
          name: 'custom',
          baseURL: endpoint.replace(/\/$/, ''),
          headers: await authorization(request.signal),
          supportsStructuredOutputs: structured_output === 'json_schema',
          includeUsage: true,
          fetch,
        });
        return provider.chatModel(request.model);
      },
      { structured: structured_output !== 'none', schemas: structured_output === 'json_schema', cost: true },
    );
    return {
      ...calls,
      supports: [...(structured_output === 'none' ? (['tools'] as const) : AI_SDK_FEATURES), ...CHAT_PARAMETERS],
      models: async () =>
        models.map((name) => ({
          name,
          for_scorers: true,
          ...readingFiles(settings.reads_files ?? fileKindsByName(name), settings.multi_modal_config),
        })),
      // Nothing else of such a server is known, so it is asked for one token.
      check: async (signal) => {
        const model = default_model ?? models[0] ?? '';
        await calls.complete({ model, messages: [{ role: 'user', content: 'ping' }], max_tokens: 1, signal });
      },
    };
  },
});
