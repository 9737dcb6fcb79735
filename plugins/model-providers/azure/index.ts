import {
  ClientCredentials,
  defineModelProvider,
  Endpoint,
  HeaderMapping,
  HeaderText,
  httpClient,
  MultiModalConfig,
  mappedHeaders,
  type OfferedModel,
  oauth2Token,
  readJson,
  remembered,
  secret,
  z,
} from '../../../core/plugin-sdk/index.ts';
import { aiSdkCalls, CHAT_PARAMETERS } from '../ai-sdk.ts';
import { openaiModalities } from '../openai-modalities.ts';
import { fileKindsByName, readingFiles } from '../readable-files.ts';
import { prices } from './prices.ts';

const SCOPE = 'https://cognitiveservices.azure.com/.default';
const Tenant = z.string().regex(/^[\w.-]{1,200}$/);

/** Schemas of `token` as JSON text, by authentication type; an API key is the token itself. */
const TOKENS = {
  client_secret: ClientCredentials.extend({ tenant_id: Tenant }),
  username_password: z.object({ tenant_id: Tenant, client_id: z.string(), username: z.string(), password: z.string() }),
  custom_oauth2: ClientCredentials,
};

const Settings = z
  .strictObject({
    token: secret(z.string().trim().min(1).max(16_384)).describe(
      'An API key; else JSON text with `client_id` and, for `client_secret`, `tenant_id`, `client_secret`; for `username_password`, `tenant_id`, `username`, `password`; for `custom_oauth2`, `client_secret`.',
    ),
    endpoint: Endpoint.describe('The URL of the resource; of the proxy, up to `/deployments`, if `proxy`.'),
    api_version: z
      .string()
      .regex(/^[\w.-]{1,50}$/)
      .default('2025-03-01-preview')
      .describe('The version of the interface.'),
    proxy: z.boolean().default(false).describe('Whether `endpoint` is a proxy with paths of its own.'),
    azure_deployment: z.string().min(1).max(200).nullish().describe('The deployment that answers for every model.'),
    authentication_type: z
      .enum(['api_key', 'client_secret', 'username_password', 'custom_oauth2'])
      .default('api_key')
      .describe('What `token` is.'),
    authentication_scope: z.string().min(1).max(1000).nullish().describe('The scope to ask a token for.'),
    default_headers: secret(z.record(z.string().regex(/^[\w-]{1,100}$/), HeaderText))
      .nullish()
      .describe('Headers to send with every call.'),
    deployments: z
      .record(z.string().min(1), z.string().min(1))
      .default({})
      .describe('From the name of a model to its deployment.'),
    oauth2_token_url: Endpoint.nullish().describe('Where a token is asked for, if not at Entra.'),
    custom_header_mapping: HeaderMapping.nullish().describe(
      'From `model`, or a label of the call, to the header that carries it.',
    ),
    available_deployments: z
      .array(z.strictObject({ model: z.string().min(1), id: z.string().min(1) }))
      .nullish()
      .describe('What is offered; then the upstream service is not asked.'),
    multi_modal_config: MultiModalConfig,
  })
  .superRefine(({ authentication_type: type, token, oauth2_token_url }, ctx) => {
    if (type === 'api_key') return;
    const names = Object.keys(TOKENS[type].shape).join(', ');
    if (!readJson(TOKENS[type], token))
      ctx.addIssue({ code: 'custom', path: ['token'], message: `has to be JSON text with ${names}` });
    if (type === 'custom_oauth2' && !oauth2_token_url)
      ctx.addIssue({ code: 'custom', path: ['oauth2_token_url'], message: 'is required for custom_oauth2' });
  });

const ModelList = z.object({ data: z.array(z.object({ id: z.string(), model: z.string().optional() })) });

/** Azure OpenAI by deployments, with a key or a token of Entra. */
export const azure = defineModelProvider({
  id: 'azure',
  sdk: 1,
  stability: 'stable',
  label: 'Azure OpenAI',
  summary: 'Deployments of an Azure OpenAI resource.',
  settings: Settings,
  prices,
  create: (host, settings) => {
    const far = httpClient(host, 'azure');
    const { authentication_type: type, token, endpoint, api_version, default_headers, custom_header_mapping } = settings;
    const base = `${endpoint.replace(/\/$/, '')}${settings.proxy || /\/openai\/?$/.test(endpoint) ? '' : '/openai'}`;
    const deployments = new Map(Object.entries(settings.deployments));
    for (const { model, id } of settings.available_deployments ?? []) deployments.set(model, id);

    const issued = remembered(host.clock, (signal) => {
      const { tenant_id, ...client } = readJson(z.record(z.string(), z.string()), token) ?? {};
      const url = settings.oauth2_token_url ?? `https://login.microsoftonline.com/${tenant_id}/oauth2/v2.0/token`;
      const grant_type = type === 'username_password' ? 'password' : 'client_credentials';
      const form = { ...client, grant_type, scope: settings.authentication_scope ?? SCOPE };
      return oauth2Token(far, { url, form, now: host.clock(), signal });
    });
    const bearer = async (signal: AbortSignal) => (type === 'api_key' ? undefined : (await issued(signal)).value);
    const list = async (signal: AbortSignal, of: string) => {
      const own = await bearer(signal);
      const headers = { ...default_headers, ...(own ? { authorization: `Bearer ${own}` } : { 'api-key': token }) };
      return far.json(ModelList, `${base}/${of}?api-version=${api_version}`, { headers, signal });
    };
    return {
      ...aiSdkCalls(
        'azure',
        far,
        async (request, fetch) => {
          const { createAzure } = await import('@ai-sdk/azure');
          const own = await bearer(request.signal);
          const provider = createAzure({
            baseURL: base,
            apiVersion: api_version,
            useDeploymentBasedUrls: true,
            ...(own ? { tokenProvider: async () => own } : { apiKey: token }),
            headers: { ...default_headers, ...mappedHeaders(custom_header_mapping, request) },
            fetch,
          });
          const deployment = settings.azure_deployment ?? deployments.get(request.model) ?? request.model;
          return provider.chat(deployment);
        },
        { parameters: CHAT_PARAMETERS },
      ),
      async models(signal) {
        const named = [...deployments.keys()];
        if (named.length > 0 || settings.available_deployments) return named.map((name) => offeredAs(settings, name));
        const { data } = await list(signal, 'deployments');
        return data.map(({ id, model }) => offeredAs(settings, id, model ?? undefined));
      },
      check: async (signal) => void (await list(signal, 'models')),
    };
  },
});

/** Offers a deployment. Its model decides which input it reads; one without is named like it. */
const offeredAs = ({ multi_modal_config }: z.output<typeof Settings>, name: string, model?: string): OfferedModel => ({
  name,
  ...(model && { alias: model }),
  for_scorers: true,
  input_modalities: openaiModalities(model ?? name),
  ...readingFiles(fileKindsByName(model ?? name), multi_modal_config),
});
