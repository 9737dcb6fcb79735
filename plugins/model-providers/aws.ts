import {
  type Expiring,
  type HttpClient,
  PluginError,
  type PluginHost,
  remembered,
  secret,
  z,
} from '../../core/plugin-sdk/index.ts';

const Key = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[\x21-\x7e]+$/, 'has to be printable ASCII without blanks');
const KeySecret = z.object({
  cloud_access_key_id: Key,
  cloud_secret_access_key: Key,
  cloud_session_token: Key.nullish(),
});
const AssumedRole = z.object({
  role_arn: z.string().regex(/^arn:aws[\w-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/, 'has to be the ARN of a role'),
  external_id: z
    .string()
    .min(2)
    .max(1224)
    .regex(/^[\w+=,.@:/-]+$/, 'has characters that no external id has'),
});

const TOKENS = { key_secret: KeySecret, assumed_role: AssumedRole } as const;
/** Clients send further strings beside those that are read: they are kept, sealed like the rest. */
const FurtherEntry = z.string().max(16_384).nullish();

/** The fields that say who asks, and where. */
export const awsFields = {
  credential_type: z.enum(['key_secret', 'assumed_role']).default('key_secret').describe('Which of the two forms `token` has.'),
  region: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d{1,2}$/, 'has to be the name of a region')
    .default('us-west-2')
    .describe('The region that answers.'),
  token: secret(z.union([KeySecret.catchall(FurtherEntry), AssumedRole.catchall(FurtherEntry)])).describe(
    '`key_secret`: `cloud_access_key_id`, `cloud_secret_access_key`, `cloud_session_token`?; `assumed_role`: `role_arn`, `external_id`. Further strings are kept.',
  ),
};

interface AwsSettings {
  readonly credential_type: 'key_secret' | 'assumed_role';
  readonly region: string;
  readonly token: object;
}

export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** For `superRefine`: the token holds what the credential type needs, whatever else it holds. */
export function tokenFitsType({ credential_type, token }: AwsSettings, ctx: z.RefinementCtx): void {
  if (TOKENS[credential_type].safeParse(token).success) return;
  ctx.addIssue({ code: 'custom', path: ['token'], message: `does not hold what credential_type ${credential_type} needs` });
}

/** The address of a service in a region; China has a domain of its own. */
export const awsAddress = (service: string, region: string): string =>
  `https://${service}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

/** The keys to sign with: those given, or those of the assumed role, asked for again before they expire. */
export function awsKeys(
  host: PluginHost,
  far: HttpClient,
  { region, credential_type, token: given }: AwsSettings,
): (signal: AbortSignal) => Promise<AwsKeys> {
  if (credential_type === 'key_secret') return async () => getKeys(KeySecret.parse(given));
  const token = AssumedRole.parse(given);
  return remembered(host.clock, async (signal) => {
    const body = new URLSearchParams({
      Action: 'AssumeRole',
      Version: '2011-06-15',
      RoleArn: token.role_arn,
      RoleSessionName: 'touchstone',
      ExternalId: token.external_id,
    }).toString();
    const url = `${awsAddress('sts', region)}/`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await far.fetch(url, await signed({ service: 'sts', region, keys: ownKeys(host), url, headers, body, signal }));
    return sessionIn(await reply.text());
  });
}

export interface AwsRequest {
  readonly service: string;
  readonly region: string;
  readonly keys: AwsKeys;
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** Builds the arguments of `fetch` that send a signed request. */
export async function signed({ service, region, keys, url, method = 'POST', headers = {}, body, signal }: AwsRequest) {
  const { AwsV4Signer } = await import('aws4fetch');
  const content = body === undefined ? {} : { body };
  const signer = new AwsV4Signer({ ...keys, url, method, service, region, headers, ...content });
  return { method, headers: (await signer.sign()).headers, ...content, signal };
}

function getKeys(token: z.output<typeof KeySecret>): AwsKeys {
  const { cloud_access_key_id: accessKeyId, cloud_secret_access_key: secretAccessKey, cloud_session_token } = token;
  return { accessKeyId, secretAccessKey, ...(cloud_session_token && { sessionToken: cloud_session_token }) };
}

/** The service's own identity, which the role has to trust. */
function ownKeys({ operatorSetting }: PluginHost): AwsKeys {
  const accessKeyId = operatorSetting?.('aws_access_key_id');
  const secretAccessKey = operatorSetting?.('aws_secret_access_key');
  const sessionToken = operatorSetting?.('aws_session_token');
  if (!accessKeyId || !secretAccessKey)
    throw new PluginError('unsupported', 'this service has no cloud identity of its own to assume a role with');
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}

function sessionIn(xml: string): AwsKeys & Expiring {
  const read = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml)?.[1]?.trim();
  const [accessKeyId, secretAccessKey, sessionToken] = ['AccessKeyId', 'SecretAccessKey', 'SessionToken'].map(read);
  const expires_at = new Date(read('Expiration') ?? Number.NaN);
  if (!accessKeyId || !secretAccessKey || !sessionToken || Number.isNaN(expires_at.getTime()))
    throw new PluginError('bad_reply', 'the reply to AssumeRole has an unknown shape');
  return { accessKeyId, secretAccessKey, sessionToken, expires_at };
}
