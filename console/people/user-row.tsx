import type { UserRole } from '../../core/access/role.ts';
import type { UserView } from '../../core/access/users/user.ts';
import { patch, remove } from '../api/client.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { Failure } from '../kit/notices.tsx';
import { Time } from '../kit/time.tsx';
import { useAction } from '../kit/use-action.ts';
import { allows } from '../sharing/permission.ts';
import { RoleSelect } from '../sharing/role-select.tsx';
import { SignupLinkButton } from './signup-link.tsx';
import { toFullName } from './users.ts';

export const USER_ROLES: readonly UserRole[] = ['admin', 'manager', 'user', 'read_only'];

interface UserRowProps {
  readonly user: UserView;
  readonly isMe: boolean;
  readonly onChanged: () => void;
}

/** A user, with what the caller may change of them. Nobody changes their own role or state. */
export function UserRow({ user, isMe, onChanged }: UserRowProps) {
  const { id, email, permissions, is_disabled, email_is_verified } = user;
  const set = async (change: Partial<Pick<UserView, 'role' | 'is_disabled'>>) => {
    await patch(`/users/${id}`, change);
    onChanged();
  };
  const switching = useAction(() => set({ is_disabled: !is_disabled }));
  const mayChange = !isMe && allows(permissions, 'update');
  return (
    <tr class={is_disabled ? 'text-body-secondary' : undefined}>
      <td>
        {email}
        {isMe && <span class="badge text-bg-secondary ms-2">you</span>}
        <div class="small text-body-secondary">{toFullName(user)}</div>
      </td>
      <td>
        <RoleSelect
          label={`Role of ${email}`}
          role={user.role}
          roles={USER_ROLES}
          fixed={!mayChange}
          onChange={(role) => set({ role })}
        />
      </td>
      <td>{user.auth_method}</td>
      <td>{getState(user)}</td>
      <td>
        <Time at={user.created_at} />
      </td>
      <td class="text-end text-nowrap">
        {mayChange && !email_is_verified && !is_disabled && <SignupLinkButton email={email} />}
        {mayChange && (
          <button
            type="button"
            class="btn btn-sm btn-outline-secondary me-2"
            aria-label={`${is_disabled ? 'Enable' : 'Disable'} ${email}`}
            disabled={switching.busy}
            onClick={() => void switching.run()}
          >
            {is_disabled ? 'Enable' : 'Disable'}
          </button>
        )}
        {allows(permissions, 'delete') && (
          <ConfirmButton
            label="Delete"
            question={`${email} and their API keys will be deleted. What only they owned becomes yours.`}
            onConfirm={async () => {
              await remove(`/users/${id}`);
              onChanged();
            }}
          />
        )}
        <Failure error={switching.error} />
      </td>
    </tr>
  );
}

function getState({ is_disabled, email_is_verified }: UserView): string {
  if (is_disabled) return 'disabled';
  return email_is_verified ? 'active' : 'address not verified';
}
