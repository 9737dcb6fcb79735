/** A provider that a browser can be sent to, as `GET /login/social/providers` tells. */
export interface SocialSignIn {
  readonly provider: string;
  readonly client_id: string;
  readonly authorization_endpoint: string;
}

/** State that this tab keeps while somebody signs in at a provider. */
export interface PendingSignIn {
  readonly provider: string;
  readonly state: string;
  readonly nonce: string;
  /** Where in the console they came from. */
  readonly place: string;
}

/** Fragment behind `#` with which the provider sends the browser back. */
export interface SocialReturn {
  readonly state: string;
  readonly id_token: string | undefined;
  readonly error: string | undefined;
}

/** Where to send the browser for an id token (OpenID Connect Core 1.0 §3.2.2.1). */
export function signInAddress(
  { client_id, authorization_endpoint }: SocialSignIn,
  { state, nonce }: PendingSignIn,
  redirect_uri: string,
): string {
  const address = new URL(authorization_endpoint);
  const asked = { response_type: 'id_token', response_mode: 'fragment', scope: 'openid email profile' };
  for (const [name, value] of Object.entries({ ...asked, client_id, redirect_uri, state, nonce }))
    address.searchParams.set(name, value);
  return address.href;
}

/** Reads the fragment behind `#` when it is a response of a provider and no view of the console. */
export function readReturn(hash: string): SocialReturn | undefined {
  if (/^#?\//.test(hash)) return undefined;
  const answer = new URLSearchParams(hash.replace(/^#/, ''));
  const id_token = answer.get('id_token') ?? undefined;
  const error = answer.get('error_description') ?? answer.get('error') ?? undefined;
  if (id_token === undefined && error === undefined) return undefined;
  return { state: answer.get('state') ?? '', id_token, error };
}

/**
 * The id token of an answer that this tab asked for. Throws when the answer is to another question, as one that somebody
 * slips to a victim would be, or a refusal.
 */
export function getIdToken({ state, id_token, error }: SocialReturn, pending: PendingSignIn | undefined): string {
  if (!pending || state !== pending.state) throw new Error('the sign-in was not begun in this tab: begin it again');
  if (id_token === undefined) throw new Error(`${pending.provider} did not sign you in: ${error ?? 'it did not say why'}`);
  if (parseNonce(id_token) !== pending.nonce) throw new Error('the id token was made for another sign-in: begin it again');
  return id_token;
}

/** The service checks the signature; only who asked knows the nonce. */
function parseNonce(id_token: string): unknown {
  try {
    const payload = (id_token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(payload)) as { nonce?: unknown }).nonce;
  } catch {
    return undefined;
  }
}
