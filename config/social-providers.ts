import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { OidcProvider, OidcProviders } from '../adapters/security/oidc-identity-verifier.ts';
import { isSafeAddress } from '../adapters/security/safe-address.ts';
import { SocialProvider } from '../core/access/login/social-login.ts';

const texts = z.union(
  [
    z
      .string()
      .min(1)
      .transform((one) => [one]),
    z.array(z.string().min(1)).min(1),
  ],
  {
    error: 'has to be a text or a list of strings, and not empty',
  },
);

/** A public key; with what makes it a private or a shared one it would be no key to verify with. */
const Key = z
  .looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']) })
  .refine((key) => !('d' in key), { message: 'is a private key; leave only its public part' });
const Jwks = z.looseObject({ keys: z.array(Key).min(1) });
type Jwks = z.output<typeof Jwks>;

const keysUrl = z
  .url()
  .refine((url) => isSafeAddress(new URL(url)), { message: 'has to be https; http only on the loopback address' })
  .refine((url) => new URL(url).username === '', { message: 'has a user name in it' });

const jwksFile = z.string().transform((path, ctx): Jwks => {
  const problem = (message: string): Jwks => {
    ctx.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  try {
    const parsed = Jwks.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : problem(`${path} is not a set of public keys`);
  } catch (error) {
    return problem(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
});

const Provider = z
  .strictObject({
    issuer: texts.refine((issuers) => !issuers.some((issuer) => /[{}]/.test(issuer)), {
      message: 'has to be the issuer of one tenant, without a placeholder',
    }),
    audience: texts,
    jwks_url: keysUrl.optional(),
    jwks: Jwks.optional(),
    jwks_file: jwksFile.optional(),
    sign_up_domains: z.array(z.string().min(1).toLowerCase()).nullable().default(null),
    single_use: z.boolean().default(false),
    vouches_for_email: z.boolean().default(false),
  })
  .transform((entry, ctx): OidcProvider => {
    const { issuer, audience, jwks_url, jwks, jwks_file, ...settings } = entry;
    const keys = [jwks_url && { url: jwks_url }, jwks && { jwks }, jwks_file && { jwks: jwks_file }].filter((one) => !!one);
    if (keys.length !== 1) ctx.addIssue({ code: 'custom', message: 'needs exactly one of jwks_url, jwks, jwks_file' });
    return { ...settings, issuers: issuer, audiences: audience, keys: keys[0] ?? { jwks: { keys: [] } } };
  });

/** The setting SOCIAL_PROVIDERS: a JSON object, by the name of the provider. */
export const socialProviders = z
  .string()
  .transform((text, ctx): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      ctx.addIssue({ code: 'custom', message: 'is not JSON' });
      return z.NEVER;
    }
  })
  .pipe(z.partialRecord(SocialProvider, Provider))
  .transform((providers, ctx): OidcProviders => {
    const issuers = Object.values(providers).flatMap((provider) => [...new Set(provider?.issuers)]);
    const twice = issuers.filter((issuer, index) => issuers.indexOf(issuer) !== index);
    for (const issuer of new Set(twice)) ctx.addIssue({ code: 'custom', message: `${issuer} is the issuer of two providers` });
    return providers as OidcProviders;
  });
