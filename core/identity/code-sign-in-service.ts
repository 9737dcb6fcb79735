import type { BegunSignIn, CodeAnswer, CodeSignIns, PendingSignIn, Secrets } from '../access/login/identity.ts';
import type { SealedSecrets, SecretBox } from '../integrations/secret-box.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock } from '../kernel/ports.ts';
import { type Identity, z } from '../plugin-sdk/index.ts';
import type { IdentityProviders } from './identity-providers.ts';

export interface CodeSignInDeps {
  readonly identityProviders: IdentityProviders;
  readonly secretBox: SecretBox;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Where the service is reached from outside; providers send browsers back there. */
  readonly publicUrl: string | undefined;
}

/** How long somebody may take at the provider. */
export const SIGN_IN_MINUTES = 10;
const OWNER = 'sign-in';
const MAX_SEALED_CHARS = 4_000;

const Pending = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  code_verifier: z.string(),
  expires_at: z.iso.datetime(),
});
const Sealed = z.object({
  key_id: z.string(),
  key: z.string(),
  fields: z.array(z.object({ path: z.array(z.string()), text: z.string() })).max(1),
});

/**
 * Signs people in by the authorization code flow with PKCE. Nothing is stored meanwhile: state, nonce and code verifier are sealed and kept by
 * the browser that begins, so that the code that comes back is good in that browser alone, once, for some minutes. Browsers are sent
 * back to one URL, which the operator has set: requests name none.
 */
export class CodeSignInService implements CodeSignIns {
  readonly #deps: CodeSignInDeps;

  /** Throws an Error where a provider signs people in by a code and nobody has set where it is to send them back to. */
  constructor(deps: CodeSignInDeps) {
    this.#deps = deps;
    const names = deps.identityProviders.names.filter((name) => deps.identityProviders.usesCode(name));
    if (names.length > 0 && deps.publicUrl === undefined)
      throw new Error(`SOCIAL_PROVIDERS: ${names.join(', ')}: the code flow needs PUBLIC_URL, where browsers are sent back to`);
  }

  async begin(provider: string): Promise<BegunSignIn> {
    const { identityProviders, secrets, clock } = this.#deps;
    if (!identityProviders.usesCode(provider))
      throw new AppError('bad_request', 'provider_not_configured', `sign-in by a code of ${provider} is not set up`);
    const [state, nonce, code_verifier] = [secrets.mint(''), secrets.mint(''), secrets.mint('')];
    const code_challenge = toBase64Url(secrets.digest(code_verifier));
    const redirect_uri = this.#redirectUri();
    const authorization_url = await identityProviders.authorize(provider, { redirect_uri, state, nonce, code_challenge });
    if (authorization_url === undefined)
      throw new AppError('bad_request', 'provider_not_configured', `${provider} gives no codes to sign in by`);
    const expires_at = new Date(clock().getTime() + SIGN_IN_MINUTES * 60_000).toISOString();
    return { authorization_url, sealed: this.#seal({ provider, state, nonce, code_verifier, expires_at }) };
  }

  open(sealed: string, state: string): PendingSignIn | undefined {
    const pending = this.#unseal(sealed);
    if (!pending || pending.state !== state) return undefined;
    return Date.parse(pending.expires_at) > this.#deps.clock().getTime() ? pending : undefined;
  }

  redeem({ provider, nonce, code_verifier }: PendingSignIn, { code, iss }: CodeAnswer): Promise<Identity | undefined> {
    const returned = { code, issuer: iss ?? undefined, nonce, code_verifier, redirect_uri: this.#redirectUri() };
    return this.#deps.identityProviders.redeem(provider, returned);
  }

  #redirectUri(): string {
    return `${this.#deps.publicUrl}/`;
  }

  #seal(pending: PendingSignIn): string {
    const sealed = this.#deps.secretBox.seal(OWNER, [{ path: [], text: JSON.stringify(pending) }]);
    return btoa(JSON.stringify(sealed)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  }

  #unseal(text: string): PendingSignIn | undefined {
    if (text.length > MAX_SEALED_CHARS) return undefined;
    try {
      const sealed: SealedSecrets = Sealed.parse(JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/'))));
      const [opened] = this.#deps.secretBox.open(OWNER, sealed);
      return Pending.parse(JSON.parse(opened?.text ?? ''));
    } catch {
      return undefined;
    }
  }
}

/** Challenge of a verifier by its SHA-256 in hexadecimal (RFC 7636 §4.2). */
function toBase64Url(hex: string): string {
  const bytes = hex.match(/../g)?.map((pair) => String.fromCharCode(Number.parseInt(pair, 16))) ?? [];
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
