import { signal } from '@preact/signals';
import { ApiFailure, type RefusalBody } from './failure.ts';

/** The token is kept in this page's memory only; the cookie that renews it is out of reach for scripts. */
export const accessToken = signal<string | undefined>(undefined);

/** Whether somebody is signed in; `unknown` until the cookie was asked. */
export const signedIn = signal<'unknown' | 'yes' | 'no'>('unknown');

interface Token {
  readonly access_token: string;
}

export const signInWithPassword = (username: string, password: string): Promise<void> =>
  signIn('v2/login', new URLSearchParams({ grant_type: 'password', username, password }));

export const signInWithKey = (api_key: string): Promise<void> => signIn('v2/login/api_key', { api_key });

/** With what a provider of social login says. */
export const signInWithIdToken = (provider: string, id_token: string): Promise<void> =>
  signIn('v2/login/social', { provider, id_token });

/** Begins a sign-in by the authorization code flow: where to go. */
export const beginSignIn = async (provider: string): Promise<string> =>
  (await post<{ authorization_url: string }>('v2/login/social/authorize', { provider })).authorization_url;

/** Ends it with what the provider sent along. */
export const signInWithCode = (answer: { readonly code: string; readonly state: string; readonly iss?: string }): Promise<void> =>
  signIn('v2/login/social/code', answer);

/** Sets the first password by the code of a sign-up link, and signs in with it. */
export async function signUp(
  code: string,
  facts: Readonly<Record<'first_name' | 'last_name' | 'password', string>>,
): Promise<void> {
  const { email } = await post<{ email: string }>('v2/signup', { code, ...facts });
  await signInWithPassword(email, facts.password);
}

async function signIn(path: string, body: URLSearchParams | object): Promise<void> {
  keep(await exchange(path, body));
}

let renewing: Promise<boolean> | undefined;

/** Set in this browser by the first sign-in: from then on nobody needs to be told where the first password is. */
const SIGNED_IN_BEFORE = 'signed-in-before';
export const hasSignedInBefore = (): boolean => localStorage.getItem(SIGNED_IN_BEFORE) !== null;

/** Exchanges the cookie for a new token; false when nobody is signed in any more. Callers at the same time share one exchange. */
export function renew(): Promise<boolean> {
  renewing ??= exchange('v2/refresh_token')
    .then(keep, () => {
      accessToken.value = undefined;
      signedIn.value = 'no';
    })
    .then(() => signedIn.value === 'yes')
    .finally(() => {
      renewing = undefined;
    });
  return renewing;
}

function keep({ access_token }: Token): void {
  accessToken.value = access_token;
  signedIn.value = 'yes';
  localStorage.setItem(SIGNED_IN_BEFORE, '1');
}

const exchange = (path: string, body?: URLSearchParams | object): Promise<Token> => post<Token>(path, body);

async function post<T>(path: string, body?: URLSearchParams | object): Promise<T> {
  const form = body instanceof URLSearchParams;
  const response = await fetch(new URL(path, new URL('.', document.baseURI)), {
    method: 'POST',
    headers: body && !form ? { 'Content-Type': 'application/json' } : {},
    body: body ? (form ? body : JSON.stringify(body)) : null,
  });
  const reply = (await response.json().catch(() => ({}))) as T & RefusalBody;
  if (!response.ok) throw new ApiFailure(response.status, reply);
  return reply;
}

/** Ends the login here and at the service, so that the cookie is of no use to whoever finds it. */
export async function signOut(): Promise<void> {
  await fetch(new URL('v2/logout', new URL('.', document.baseURI)), { method: 'POST' }).catch(() => undefined);
  accessToken.value = undefined;
  signedIn.value = 'no';
}
