import { post } from '../api/client.ts';
import { Check } from '../kit/check.tsx';
import { Choice } from '../kit/choice.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { USER_ROLES } from './user-row.tsx';

/** Makes a user; without a password they prove their address by mail, or come by another provider. */
export const NewUserDialog = ({ onClose, onCreated }: { onClose: () => void; onCreated: () => void }) => (
  <FormDialog
    title="New user"
    verb="Create"
    onClose={onClose}
    onSubmit={async (values) => {
      await post('/users', getUser(values));
      onCreated();
    }}
  >
    <TextField label="E-mail" name="email" type="email" required />
    <div class="row">
      <div class="col">
        <TextField label="First name" name="first_name" />
      </div>
      <div class="col">
        <TextField label="Last name" name="last_name" />
      </div>
    </div>
    <Choice label="Role" name="role" choices={USER_ROLES} value="user" />
    <TextField
      label="Password"
      name="password"
      type="password"
      autocomplete="new-password"
      help="Empty for people who sign in by another provider or by a key of their own."
    />
    <Check name="must_prove" label="Has to prove the address by a code that is mailed to it" />
  </FormDialog>
);

const getUser = (values: FormData) => ({
  email: values.get('email'),
  first_name: values.get('first_name'),
  last_name: values.get('last_name'),
  role: values.get('role'),
  password: values.get('password') || null,
  email_is_verified: !values.has('must_prove'),
});
