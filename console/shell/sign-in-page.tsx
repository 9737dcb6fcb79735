import { useState } from 'preact/hooks';
import { get } from '../api/client.ts';
import { hasSignedInBefore, signInWithKey, signInWithPassword } from '../api/sign-in.ts';
import { goTo, socialFailure } from '../api/social.ts';
import type { SocialSignIn } from '../api/social-return.ts';
import { TextField } from '../kit/field.tsx';
import { Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';

type Way = 'password' | 'key';

/** Signing in stays on the page one wanted: the address is not touched. */
export function SignIn() {
  const [way, setWay] = useState<Way>('password');
  const submit = useAction((values: FormData) =>
    way === 'password'
      ? signInWithPassword(toText(values, 'username'), toText(values, 'password'))
      : signInWithKey(toText(values, 'api_key')),
  );
  return (
    <main class="sign-in">
      <h1 class="h4 mb-3">Touchstone</h1>
      <fieldset class="btn-group mb-3 w-100" aria-label="Sign in with">
        <WayButton active={way === 'password'} label="Password" choose={() => setWay('password')} />
        <WayButton active={way === 'key'} label="API key" choose={() => setWay('key')} />
      </fieldset>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit.run(new FormData(event.currentTarget));
        }}
      >
        {way === 'password' ? (
          <>
            <TextField label="E-mail" name="username" type="email" autocomplete="username" required />
            <TextField label="Password" name="password" type="password" autocomplete="current-password" required />
          </>
        ) : (
          <TextField label="API key" name="api_key" type="password" autocomplete="off" required />
        )}
        <Failure error={submit.error} />
        <button type="submit" class="btn btn-primary w-100" disabled={submit.busy}>
          Sign in
        </button>
      </form>
      <SocialButtons />
      {!hasSignedInBefore() && (
        <p class="small text-body-secondary mt-3 mb-0">
          The first start prints an administrator and keeps it in <code>data/credentials.json</code>.
        </p>
      )}
    </main>
  );
}

const WayButton = ({ active, label, choose }: { active: boolean; label: string; choose: () => void }) => (
  <button type="button" class={`btn btn-outline-secondary ${active ? 'active' : ''}`} aria-pressed={active} onClick={choose}>
    {label}
  </button>
);

const toText = (values: FormData, name: string): string => String(values.get(name) ?? '');

const NAMES: Readonly<Record<string, string>> = {
  google: 'Google',
  github: 'GitHub',
  okta: 'Okta',
  'azure-ad': 'Microsoft Entra ID',
  custom: 'single sign-on',
  saml: 'SAML single sign-on',
};

/** The providers that people may sign in by here; nothing where there are none. */
function SocialButtons() {
  const { value, error } = useLoaded('social providers', (signal) =>
    get<{ readonly providers: readonly SocialSignIn[] }>('/login/social/providers', { signal }),
  );
  const leave = useAction(goTo);
  return (
    <div class="d-grid gap-2 mt-3">
      <Failure error={leave.error ?? socialFailure.value ?? error} />
      {value?.providers.map((target) => (
        <button
          key={target.provider}
          type="button"
          class="btn btn-outline-secondary"
          disabled={leave.busy}
          onClick={() => void leave.run(target)}
        >
          Sign in with {NAMES[target.provider] ?? target.provider}
        </button>
      ))}
    </div>
  );
}
