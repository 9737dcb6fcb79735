import { useState } from 'preact/hooks';
import type { SignupLink } from '../../core/access/invitation.ts';
import { post } from '../api/client.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Failure } from '../kit/notices.tsx';
import { Time } from '../kit/time.tsx';
import { useAction } from '../kit/use-action.ts';

/** A link by which somebody without a password sets one. */
export function SignupLinkButton({ email }: { email: string }) {
  const [made, setMade] = useState<SignupLink>();
  const make = useAction(async () =>
    setMade(await post<SignupLink>('/signup_link', undefined, { query: { user_email: email } })),
  );
  return (
    <>
      <button
        type="button"
        class="btn btn-sm btn-outline-secondary me-2"
        aria-label={`Sign-up link for ${email}`}
        disabled={make.busy}
        aria-haspopup="dialog"
        onClick={() => void make.run()}
      >
        Sign-up link
      </button>
      <Failure error={make.error} />
      {made && (
        <Dialog title={`Sign-up link for ${email}`} onClose={() => setMade(undefined)}>
          <p class="text-wrap">
            It is good once, until <Time at={made.expires_at} />, and worth as much as the account until it is used.
          </p>
          <pre class="p-2 border rounded user-select-all text-start">{made.signup_link}</pre>
          <CopyButton text={() => made.signup_link} />
        </Dialog>
      )}
    </>
  );
}
