import { signUp } from '../api/sign-in.ts';
import { TextField } from '../kit/field.tsx';
import { navigate } from '../kit/location.ts';
import { Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';

/** The code of a sign-up link, from what stands behind `#`. */
export const signupCode = (hash: string): string | undefined => /^#\/signup\/([\w-]+)$/.exec(hash)?.[1];

/** The first password of an invited user. The code leaves the address bar once it is used. */
export function SignUp({ code }: { code: string }) {
  const submit = useAction(async (values: FormData) => {
    const text = (name: string): string => String(values.get(name) ?? '');
    await signUp(code, { first_name: text('first_name'), last_name: text('last_name'), password: text('password') });
    navigate('/', { replace: true });
  });
  return (
    <main class="sign-in">
      <h1 class="h4 mb-3">Touchstone</h1>
      <form
        aria-label="Sign up"
        onSubmit={(event) => {
          event.preventDefault();
          void submit.run(new FormData(event.currentTarget));
        }}
      >
        <TextField label="First name" name="first_name" autocomplete="given-name" />
        <TextField label="Last name" name="last_name" autocomplete="family-name" />
        <TextField
          label="Password"
          name="password"
          type="password"
          autocomplete="new-password"
          help="At least 8 characters."
          required
        />
        <Failure error={submit.error} />
        <button type="submit" class="btn btn-primary w-100" disabled={submit.busy}>
          Sign up
        </button>
      </form>
    </main>
  );
}
