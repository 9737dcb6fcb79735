import type { Group } from '../../core/access/groups/group.ts';
import type { PageFields } from '../../core/kernel/query/page.ts';
import { get, post } from '../api/client.ts';
import { Choice, named } from '../kit/choice.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Failure } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { ROLES } from './collaborators.tsx';
import { RoleField } from './role-select.tsx';

interface ShareProps {
  /** The object, as `/projects/…`. */
  readonly path: string;
  readonly onClose: () => void;
  readonly onShared: () => void;
}

/** From the least: whoever shares in haste gives little. */
const FROM_THE_LEAST = ROLES.toReversed();
const LIMIT = 1000;

export const ShareWithUser = ({ path, onClose, onShared }: ShareProps) => (
  <FormDialog
    title="Share with a user"
    verb="Share"
    onClose={onClose}
    onSubmit={async (values) => {
      await post(`${path}/users`, [{ user_email: values.get('user_email'), role: values.get('role') }]);
      onShared();
    }}
  >
    <TextField label="E-mail" name="user_email" type="email" required />
    <RoleField roles={FROM_THE_LEAST} />
  </FormDialog>
);

export function ShareWithGroup({ path, onClose, onShared }: ShareProps) {
  const { value, error } = useLoaded('all groups', (signal) =>
    get<PageFields & { readonly groups: readonly Group[] }>('/groups', { query: { limit: LIMIT }, signal }),
  );
  return (
    <FormDialog
      title="Share with a group"
      verb="Share"
      onClose={onClose}
      onSubmit={async (values) => {
        await post(`${path}/groups`, [{ group_id: values.get('group_id'), role: values.get('role') }]);
        onShared();
      }}
    >
      <Failure error={error} />
      <Choice
        label="Group"
        name="group_id"
        required
        choices={value?.groups.map(named) ?? []}
        help={value?.groups.length === 0 ? 'There is none yet: make one under People.' : undefined}
      />
      <RoleField roles={FROM_THE_LEAST} />
    </FormDialog>
  );
}
