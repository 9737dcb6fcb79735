import { secret, z } from '../../../core/plugin-sdk/index.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Tells whether nobody on the way can change what is said at a URL: https, or http on this machine. */
export const isSafeUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));

const OneOrSeveral = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
  error: 'has to be a string or a list of strings, and not empty',
});

/** A public key; with what makes it a private or a shared one it would be no key to verify with. */
const Key = z
  .looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']) })
  .refine((key) => !('d' in key), { message: 'is a private key; leave only its public part' });

const KeysUrl = z
  .url()
  .refine((url) => isSafeUrl(new URL(url)), { message: 'has to be https; http only on the loopback address' })
  .refine((url) => new URL(url).username === '', { message: 'has a user name in it' });

export const toList = (given: string | readonly string[]): readonly string[] => (typeof given === 'string' ? [given] : given);

/** Issuer whose description of itself is read: the first that is a URL. */
export const toDescribedIssuer = ({ issuer }: { readonly issuer: string | readonly string[] }): string | undefined =>
  toList(issuer).find((one) => URL.canParse(one) && isSafeUrl(new URL(one)));

interface Flow {
  readonly flow?: 'code' | 'implicit' | undefined;
  readonly client_secret?: string | undefined;
}

export const usesCode = ({ flow, client_secret }: Flow): boolean =>
  flow === undefined ? client_secret !== undefined : flow === 'code';

/** How to check the id tokens of one provider (OpenID Connect Core 1.0 §3.1.3.7), and how browsers sign in there. */
export const Settings = z
  .strictObject({
    issuer: OneOrSeveral.refine((given) => !toList(given).some((issuer) => /[{}]/.test(issuer)), {
      message: 'has to be the issuer of one tenant, without a placeholder',
    }).describe('Who signs the tokens, as they name themselves.'),
    audience: OneOrSeveral.describe('Client ids that a token may be made for; browsers sign in for the first.'),
    client_secret: secret(z.string().min(1).max(4096))
      .optional()
      .describe('Proves the client where a code is exchanged; none for a public client.'),
    flow: z
      .enum(['code', 'implicit'])
      .optional()
      .describe('How browsers sign in; by code where there is a client secret, otherwise by implicit flow.'),
    jwks_url: KeysUrl.optional().describe("Where the issuer's keys are; where its description says when absent."),
    jwks: z
      .looseObject({ keys: z.array(Key).min(1) })
      .optional()
      .describe("The issuer's public keys themselves."),
    vouches_for_email: z
      .boolean()
      .default(false)
      .describe('That addresses of the issuer are verified where its tokens are silent about it.'),
  })
  .refine(({ jwks_url, jwks }) => jwks_url === undefined || jwks === undefined, {
    message: 'takes one of jwks_url, jwks, jwks_file',
  })
  .refine(({ jwks_url, jwks, issuer }) => (jwks_url ?? jwks) !== undefined || toDescribedIssuer({ issuer }) !== undefined, {
    message: 'needs one of jwks_url, jwks, jwks_file, because the issuer is no https URL that says where its keys are',
  })
  .refine((given) => !usesCode(given) || toDescribedIssuer(given) !== undefined, {
    message: 'needs an issuer that is an https URL for the code flow',
  });
export type Settings = z.output<typeof Settings>;
