import { signal } from '@preact/signals';
import { navigate } from '../kit/location.ts';
import { renew, signInWithIdToken } from './sign-in.ts';
import { getIdToken, type PendingSignIn, readReturn, type SocialSignIn, signInAddress } from './social-return.ts';

const KEY = 'touchstone.social';

/** Why the last sign-in by a provider did not come about. */
export const socialFailure = signal<unknown>(undefined);

/** Leaves for the provider; it sends the browser back to this page. */
export function goTo(target: SocialSignIn): void {
  const pending = { provider: target.provider, state: crypto.randomUUID(), nonce: crypto.randomUUID(), place: placeNow() };
  sessionStorage.setItem(KEY, JSON.stringify(pending));
  location.assign(signInAddress(target, pending, new URL('.', document.baseURI).href));
}

/** Starts a page: takes the token that a provider sent along, else the session of the cookie. */
export async function arrive(): Promise<void> {
  const returned = readReturn(location.hash);
  if (returned) {
    const pending = takePending();
    // First of all out of the address bar, and so out of the history.
    navigate(pending?.place ?? '/', { replace: true });
    try {
      await signInWithIdToken(pending?.provider ?? '', getIdToken(returned, pending));
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
