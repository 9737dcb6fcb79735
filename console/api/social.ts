import { signal } from '@preact/signals';
import { navigate } from '../kit/location.ts';
import { beginSignIn, renew, signInWithCode, signInWithIdToken } from './sign-in.ts';
import {
  getCode,
  getIdToken,
  type PendingSignIn,
  readCodeReturn,
  readReturn,
  type SocialSignIn,
  signInAddress,
} from './social-return.ts';

const KEY = 'touchstone.social';

/** Why the last sign-in by a provider did not come about. */
export const socialFailure = signal<unknown>(undefined);

/** Leaves for the provider; it sends the browser back to this page. Rejects when the service does not say where to. */
export async function goTo(target: SocialSignIn): Promise<void> {
  const url = target.flow === 'code' ? await toCodeFlow(target) : toImplicitFlow(target);
  location.assign(url);
}

/** The service keeps what the sign-in is proven by in a cookie out of reach for scripts; the state says whether its answer comes to this tab. */
async function toCodeFlow({ provider }: SocialSignIn): Promise<string> {
  const url = await beginSignIn(provider);
  keepPending({ provider, state: new URL(url).searchParams.get('state') ?? '', place: placeNow() });
  return url;
}

function toImplicitFlow(target: SocialSignIn): string {
  const pending = { provider: target.provider, state: crypto.randomUUID(), nonce: crypto.randomUUID(), place: placeNow() };
  keepPending(pending);
  return signInAddress(target, pending, new URL('.', document.baseURI).href);
}

const keepPending = (pending: PendingSignIn): void => sessionStorage.setItem(KEY, JSON.stringify(pending));

/** Starts a page: takes the token that a provider sent along, else the session of the cookie. */
export async function arrive(): Promise<void> {
  const code = readCodeReturn(location.search);
  const token = readReturn(location.hash);
  if (code || token) {
    const pending = takePending();
    // First of all out of the address bar, and so out of the history.
    history.replaceState(null, '', location.pathname);
    navigate(pending?.place ?? '/', { replace: true });
    try {
      if (code) await signInWithCode(getCode(code, pending));
      else if (token) await signInWithIdToken(pending?.provider ?? '', getIdToken(token, pending));
      return;
    } catch (error) {
      socialFailure.value = error;
    }
  }
  await renew();
}

/** An answer is good once. */
function takePending(): PendingSignIn | undefined {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return kept === null ? undefined : (JSON.parse(kept) as PendingSignIn);
}

const placeNow = (): string => location.hash.slice(1) || '/';
