import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Document, requestSchemas, Shapes } from '../../client/request-shapes.ts';
import { startTestServer, type TestServer } from '../harness.ts';

/** Bodies of PUT /integrations/<provider> that clients send, by the provider. */
const keys = { cloud_access_key_id: 'AKIAONE', cloud_secret_access_key: 'secret' };
const role = { role_arn: 'arn:aws:iam::123456789012:role/judges', external_id: 'given-by-us' };
const client = JSON.stringify({ client_id: 'c', client_secret: 's' });
const model = {
  name: 'endpoint',
  alias: 'Model',
  input_map: { prompt: 'inputs' },
  output_map: { response: '0.generated_text' },
};
const { privateKey } = await crypto.subtle
  .generateKey(
    { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
    true,
    ['sign', 'verify'],
  )
  .then(async (pair) => ({
    privateKey: Buffer.from(await crypto.subtle.exportKey('pkcs8', pair.privateKey)).toString('base64'),
  }));
const account = JSON.stringify({
  client_email: 'a@example.org',
  private_key: `-----BEGIN PRIVATE KEY-----\n${privateKey}\n-----END PRIVATE KEY-----\n`,
  project_id: 'p-1',
});
const multi_modal_config = { max_files: 3, max_file_size_bytes: null };
const public_host = '198.41.0.4';

const BODIES: readonly [provider: string, what: string, body: object][] = [
  ['openai', 'a key', { token: 'sk-1', organization_id: null }],
  ['anthropic', 'a key', { token: 'sk-ant', authentication_type: 'api_key', multi_modal_config }],
  [
    'azure',
    'a key and deployments',
    {
      token: 'k',
      endpoint: `https://${public_host}`,
      deployments: { a: 'b' },
      available_deployments: [{ model: 'gpt-4o', id: 'd1' }],
      multi_modal_config,
    },
  ],
  [
    'cloud_model_hosting',
    'keys',
    { token: keys, credential_type: 'key_secret', region: 'us-west-2', inference_profiles: { m: 'arn:x' }, multi_modal_config },
  ],
  [
    'cloud_model_hosting',
    'a role and further strings',
    { token: { ...role, session_name: 'Prüfung' }, credential_type: 'assumed_role' },
  ],
  ['managed_model_platform', 'models of its own', { token: keys, models: [model], multi_modal_config }],
  [
    'vertex_ai',
    'an account and a bucket',
    {
      token: account,
      gcs_config: { service_account_credentials: '{}', bucket_name: 'b', object_path_prefix: '' },
      multi_modal_config,
    },
  ],
  ['mistral', 'a key', { token: 'k' }],
  ['nvidia', 'a host', { token: 'k', hostname: public_host }],
  ['writer', 'an organization', { token: 'k', organization_id: 'o' }],
  ['databricks', 'a workspace', { token: 'k', hostname: public_host }],
  [
    'gateway',
    'a use case in other letters',
    { token: 'k', endpoint: `https://${public_host}/v1`, use_case: 'Köln 評価', multi_modal_config },
  ],
  ['custom', 'a client', { endpoint: `https://${public_host}/v1`, models: ['a'], token: client, multi_modal_config }],
];

let server: TestServer;
let document: Document;
beforeAll(async () => {
  server = await startTestServer();
  document = (await server.request('GET', '/v2/openapi.json')).body;
});
afterAll(() => server.close());

const put = (provider: string, body: unknown) =>
  server.request('PUT', `/v2/integrations/${provider}?name=${encodeURIComponent(provider)}`, body);
const changed = (provider: string, body: object, how: { nulls?: boolean; extra?: object }) => {
  const operation = document.paths[`/v2/integrations/${provider}`]!.put!.operationId;
  const { schema } = requestSchemas(document).find((one) => one.operation === operation)!;
  return new Shapes(document).filled(schema, body, how);
};

describe('the body of an integration', () => {
  it.each(BODIES)('of %s with %s is taken', async (provider, _, body) => {
    expect(await put(provider, body)).toMatchObject({ status: 200, body: { provider } });
  });

  it.each(BODIES)('of %s with %s may have null in every optional field', async (provider, _, body) => {
    expect(await put(provider, changed(provider, body, { nulls: true }))).toMatchObject({ status: 200 });
  });

  it.each(BODIES)('of %s with %s may have unknown fields at every level, which are not kept', async (provider, _, body) => {
    const extra = { unknown_field: 'unknown value' };
    expect(await put(provider, changed(provider, body, { extra }))).toMatchObject({ status: 200 });
    const kept = await server.request('GET', `/v2/integrations/${provider}`);
    expect(JSON.stringify(kept.body)).not.toContain('unknown');
  });

  it('is known here for every provider', () => {
    const providers = Object.keys(document.paths).flatMap((path) => /^\/v2\/integrations\/([a-z_]+)$/.exec(path)?.[1] ?? []);
    const taken = providers.filter((one) => document.paths[`/v2/integrations/${one}`]!.put);
    expect([...new Set(BODIES.map(([provider]) => provider))].sort()).toEqual(taken.sort());
  });

  it('is refused with the place of a required field that is null', async () => {
    const { status, body } = await put('gateway', { token: null, endpoint: `https://${public_host}`, use_case: 'x' });
    expect(status).toBe(422);
    expect(body.detail).toMatchObject([{ loc: ['body', 'token'] }]);
  });
});
