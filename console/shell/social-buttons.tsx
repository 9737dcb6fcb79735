import { get } from '../api/client.ts';
import { goTo, socialFailure } from '../api/social.ts';
import type { SocialSignIn } from '../api/social-return.ts';
import { Failure } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';

const NAMES: Readonly<Record<string, string>> = {
  google: 'Google',
  github: 'GitHub',
  okta: 'Okta',
  'azure-ad': 'Microsoft Entra ID',
  custom: 'single sign-on',
  saml: 'SAML single sign-on',
};

/** The providers that people may sign in by here; nothing where there are none. */
export function SocialButtons() {
  const { value, error } = useLoaded('social providers', (signal) =>
    get<{ readonly providers: readonly SocialSignIn[] }>('/login/social/providers', { signal }),
  );
  return (
    <div class="d-grid gap-2 mt-3">
      <Failure error={socialFailure.value ?? error} />
      {value?.providers.map((target) => (
        <button key={target.provider} type="button" class="btn btn-outline-secondary" onClick={() => goTo(target)}>
          Sign in with {NAMES[target.provider] ?? target.provider}
        </button>
      ))}
    </div>
  );
}
