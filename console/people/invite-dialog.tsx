import { post } from '../api/client.ts';
import { Choice } from '../kit/choice.tsx';
import { commaList } from '../kit/comma-list.ts';
import { Field } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { USER_ROLES } from './user-row.tsx';

/** Makes accounts for many addresses at once; who has one keeps it. Each sets a password by a sign-up link or a mailed code. */
export const InviteDialog = ({ onClose, onInvited }: { onClose: () => void; onInvited: () => void }) => (
  <FormDialog
    title="Invite users"
    verb="Invite"
    onClose={onClose}
    onSubmit={async (values) => {
      const emails = commaList(String(values.get('emails')).replaceAll(/\s+/g, ','));
      await post('/invite_users', { emails, role: values.get('role') });
      onInvited();
    }}
  >
    <Field label="E-mail addresses" help="One per line, at most 100.">
      {(id) => <textarea class="form-control" id={id} name="emails" rows={5} required />}
    </Field>
    <Choice label="Role" name="role" choices={USER_ROLES} value="user" />
  </FormDialog>
);
