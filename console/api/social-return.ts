/** A provider that a browser can be sent to, as `GET /login/social/providers` lists them. */
export interface SocialSignIn {
  readonly provider: string;
  readonly client_id: string;
  readonly authorization_endpoint: string;
  /** `code`: the service begins the sign-in, and exchanges the code that comes back. */
  readonly flow: 'code' | 'implicit';
}

/** State that this tab keeps while somebody signs in at a provider. */
export interface PendingSignIn {
  readonly provider: string;
  readonly state: string;
  /** Of the implicit flow: in the other one the service keeps it. */
  readonly nonce?: string;
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
  { state, nonce = '' }: PendingSignIn,
  redirect_uri: string,
): string {
  const address = new URL(authorization_endpoint);
  const asked = { response_type: 'id_token', response_mode: 'fragment', scope: 'openid email profile' };
  for (const [name, value] of Object.entries({ ...asked, client_id, redirect_uri, state, nonce }))
    address.searchParams.set(name, value);
  return address.href;
}

/** Query with which the provider sends the browser back in the code flow. */
export interface CodeReturn {
  readonly state: string;
  readonly code: string | undefined;
  readonly iss: string | undefined;
  readonly error: string | undefined;
}

/** Reads the query of a page when it is a response of a provider. */
export function readCodeReturn(search: string): CodeReturn | undefined {
  const answer = new URLSearchParams(search);
  const code = answer.get('code') ?? undefined;
  const error = answer.get('error_description') ?? answer.get('error') ?? undefined;
  if (code === undefined && error === undefined) return undefined;
  return { state: answer.get('state') ?? '', code, iss: answer.get('iss') ?? undefined, error };
}

/** The part of an answer that the service exchanges for a session. Throws when this tab did not ask for the answer, or it is a refusal. */
export function getCode(
  { state, code, iss, error }: CodeReturn,
  pending: PendingSignIn | undefined,
): { readonly code: string; readonly state: string; readonly iss?: string } {
  requireState(state, pending);
  if (code === undefined) throw refusal(pending, error);
  return { code, state, ...(iss !== undefined && { iss }) };
}

/** An answer that this tab did not ask for is one that somebody may have slipped in: not even its message is shown. */
function requireState(state: string, pending: PendingSignIn | undefined): asserts pending {
  if (!pending || state !== pending.state) throw new Error('the sign-in was not begun in this tab: begin it again');
}

const refusal = ({ provider }: PendingSignIn, error: string | undefined): Error =>
  new Error(`${provider} did not sign you in: ${error ?? 'it did not say why'}`);

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
  requireState(state, pending);
  if (id_token === undefined) throw refusal(pending, error);
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
