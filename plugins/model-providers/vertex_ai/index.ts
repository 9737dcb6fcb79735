import {
  defineModelProvider,
  httpClient,
  MultiModalConfig,
  oauth2Token,
  PluginError,
  readJson,
  remembered,
  secret,
  z,
} from '../../../core/plugin-sdk/index.ts';
import { aiSdkCalls } from '../ai-sdk.ts';
import { fileKindsByName, readingFiles } from '../readable-files.ts';
import { prices } from './prices.ts';

const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const MODELS = ['gemini-3-pro-preview', 'gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-2.5-flash-lite', 'gemini-2.0-flash-001'];

const PRIVATE_KEY = /-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----/;
const ServiceAccount = z.object({
  client_email: z.string().min(1),
  private_key: z.string().regex(PRIVATE_KEY),
  project_id: z.string().regex(/^[\w:.-]{1,100}$/),
});
type ServiceAccount = z.output<typeof ServiceAccount>;

const Settings = z
  .strictObject({
    token: secret(z.string().min(1).max(16_384)).describe('The JSON text of the key of a service account.'),
    location: z
      .string()
      .regex(/^[a-z0-9-]{1,40}$/)
      .default('global')
      .describe('The location that answers, `global` or a region.'),
    gcs_config: z
      .strictObject({
        service_account_credentials: secret(z.string().min(1).max(16_384)),
        bucket_name: z.string().min(1).max(222),
        object_path_prefix: z.string().max(1024),
      })
      .nullish()
      .describe('Where files for messages are kept.'),
    multi_modal_config: MultiModalConfig,
  })
  .superRefine(({ token }, ctx) => {
    if (readJson(ServiceAccount, token)) return;
    ctx.addIssue({
      code: 'custom',
      path: ['token'],
      message: 'has to be JSON text with client_email, private_key and project_id',
    });
  });

const Count = z.object({ totalTokens: z.number() });

/** Gemini on Vertex AI, with the key of a service account. */
export const vertexAi = defineModelProvider({
  id: 'vertex_ai',
  sdk: 1,
  stability: 'stable',
  label: 'Vertex AI',
  summary: 'Gemini models of Vertex AI.',
  settings: Settings,
  prices,
  create: (host, { token, location, multi_modal_config }) => {
    const far = httpClient(host, 'vertex_ai');
    const account = readJson(ServiceAccount, token);
    const origin = `https://${location === 'global' ? '' : `${location}-`}aiplatform.googleapis.com`;
    const base = `${origin}/v1/projects/${account?.project_id}/locations/${location}/publishers/google`;
    const issued = remembered(host.clock, async (signal) => {
      const now = host.clock();
      const assertion = account && (await signedClaims(account, now));
      return oauth2Token(far, { url: TOKEN_URL, form: { grant_type: GRANT, assertion }, now, signal });
    });
    return {
      ...aiSdkCalls(
        'vertex_ai',
        far,
        async (request, fetch) => {
          const { createGoogle } = await import('@ai-sdk/google');
          const { value } = await issued(request.signal);
          const provider = createGoogle({
            name: 'google.vertex.chat',
            baseURL: base,
            // The adapter asks for a key; ours goes in another header.
            apiKey: 'unused',
            headers: { 'x-goog-api-key': undefined, authorization: `Bearer ${value}` },
            fetch,
          });
          return provider.chat(request.model);
        },
        { parameters: ['top_k', 'frequency_penalty', 'presence_penalty', 'reasoning_effort'] },
      ),
      models: async () =>
        MODELS.map((name) => ({
          name,
          for_scorers: true,
          input_modalities: ['text', 'image', 'audio'],
          ...readingFiles(fileKindsByName(name), multi_modal_config),
        })),
      // Counting tokens costs nothing.
      async check(signal) {
        const { value } = await issued(signal);
        const headers = { authorization: `Bearer ${value}`, 'content-type': 'application/json' };
        const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'ping' }] }] });
        await far.json(Count, `${base}/models/gemini-2.5-flash:countTokens`, { method: 'POST', headers, body, signal });
      },
    };
  },
});

/** The claim, signed with the account's key, for which Google issues a token (RFC 7523). */
async function signedClaims({ client_email, private_key }: ServiceAccount, now: Date): Promise<string> {
  const iat = Math.floor(now.getTime() / 1000);
  const scope = 'https://www.googleapis.com/auth/cloud-platform';
  const claims = { iss: client_email, scope, aud: TOKEN_URL, iat, exp: iat + 3600 };
  const unsigned = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((part) => base64url(new TextEncoder().encode(JSON.stringify(part))))
    .join('.');
  const der = Uint8Array.from(atob((PRIVATE_KEY.exec(private_key)?.[1] ?? '').replace(/\s/g, '')), (char) => char.charCodeAt(0));
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']).catch(() => {
    throw new PluginError('credentials_rejected', 'vertex_ai: the private key cannot be read');
  });
  const signature = await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(unsigned));
  return `${unsigned}.${base64url(new Uint8Array(signature))}`;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (char) => ({ '+': '-', '/': '_' })[char] ?? '');
