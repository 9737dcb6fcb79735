import {
  ClientCredentials,
  defineModelProvider,
  Endpoint,
  HeaderMapping,
  httpClient,
  MultiModalConfig,
  mappedHeaders,
  oauth2Token,
  readJson,
  remembered,
  secret,
  z,
} from '../../../core/plugin-sdk/index.ts';
import { aiSdkCalls } from '../ai-sdk.ts';
import { readingFiles } from '../readable-files.ts';
import { prices } from './prices.ts';

/** Input of every model that is still offered. */
const READS = { input_modalities: ['text', 'image'] };

const BASE = 'https://api.anthropic.com';
const VERSION = '2023-06-01';

const Settings = z
  .strictObject({
    token: secret(z.string().trim().min(1).max(16_384)).describe(
      'An API key; for `custom_oauth2` JSON text with `client_id` and `client_secret`.',
    ),
    authentication_type: z.enum(['api_key', 'custom_oauth2']).default('api_key').describe('What `token` is.'),
    endpoint: Endpoint.nullish().describe('The base URL of a proxy; `/v1/messages` is asked under it.'),
    authentication_scope: z.string().min(1).max(1000).nullish().describe('The scope to ask a token for.'),
    oauth2_token_url: Endpoint.nullish().describe('Where a token is asked for.'),
    custom_header_mapping: HeaderMapping.nullish().describe(
      'From `model`, or a label of the call, to the header that carries it.',
    ),
    multi_modal_config: MultiModalConfig,
  })
  .superRefine((settings, ctx) => {
    if (settings.authentication_type === 'api_key') return;
    const missing = (field: string, message: string) => ctx.addIssue({ code: 'custom', path: [field], message });
    if (!readJson(ClientCredentials, settings.token)) missing('token', 'has to be JSON text with client_id and client_secret');
    for (const field of ['endpoint', 'oauth2_token_url'] as const)
      if (!settings[field]) missing(field, 'is required for custom_oauth2');
  });

const ModelList = z.object({ data: z.array(z.object({ id: z.string(), display_name: z.string().optional() })) });

/** Anthropic, or a proxy in front of it. */
export const anthropic = defineModelProvider({
  id: 'anthropic',
  sdk: 1,
  stability: 'stable',
  label: 'Anthropic',
  summary: 'Models of Anthropic, directly or through a proxy.',
  settings: Settings,
  prices,
  create: (host, settings) => {
    const { token, authentication_type, endpoint, oauth2_token_url, authentication_scope, custom_header_mapping } = settings;
    const far = httpClient(host, 'anthropic');
    const base = `${(endpoint ?? BASE).replace(/\/(v1\/?)?$/, '')}/v1`;
    const client = authentication_type === 'custom_oauth2' ? readJson(ClientCredentials, token) : undefined;
    const issued = remembered(host.clock, (signal) => {
      const form = { grant_type: 'client_credentials', ...client, scope: authentication_scope ?? undefined };
      return oauth2Token(far, { url: oauth2_token_url ?? '', form, now: host.clock(), signal });
    });
    const bearer = async (signal: AbortSignal) => (client ? (await issued(signal)).value : undefined);
    const models = async (signal: AbortSignal) => {
      const own = await bearer(signal);
      const headers = { 'anthropic-version': VERSION, ...(own ? { authorization: `Bearer ${own}` } : { 'x-api-key': token }) };
      const { data } = await far.json(ModelList, `${base}/models?limit=1000`, { headers, signal });
      return data.map(({ id, display_name }) => ({
        name: id,
        ...(display_name && { alias: display_name }),
        for_scorers: true,
        ...READS,
        ...readingFiles(['image', 'document'], settings.multi_modal_config),
      }));
    };
    return {
      ...aiSdkCalls(
        'anthropic',
        far,
        async (request, fetch) => {
          const { createAnthropic } = await import('@ai-sdk/anthropic');
          const authToken = await bearer(request.signal);
          const headers = mappedHeaders(custom_header_mapping, request);
          const keys = authToken ? { authToken } : { apiKey: token };
          const provider = createAnthropic({ baseURL: base, ...keys, headers, fetch });
          return provider.messages(request.model);
        },
        { parameters: ['top_k', 'reasoning_effort'] },
      ),
      models,
      check: async (signal) => void (await models(signal)),
    };
  },
});
