import '../styles/admin.css';
import { useState } from 'preact/hooks';
import type { Group, GroupMember, GroupRole } from '../../core/access/groups/group.ts';
import type { PageFields } from '../../core/kernel/query/page.ts';
import { get, patch, post, remove } from '../api/client.ts';
import { Choice } from '../kit/choice.tsx';
import { ConfirmButton } from '../kit/confirm.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { useView } from '../kit/location.ts';
import { Failure, Show } from '../kit/notices.tsx';
import { startIn, ViewPager } from '../kit/pager.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { Time } from '../kit/time.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { allows } from '../sharing/permission.ts';
import { RoleField, RoleSelect } from '../sharing/role-select.tsx';
import { allUsers, toFullName } from './users.ts';

type MemberPage = PageFields & { readonly members: readonly GroupMember[] };
const LIMIT = 50;
const ROLES: readonly GroupRole[] = ['maintainer', 'member', 'pending'];
const GIVEN: readonly GroupRole[] = ['member', 'maintainer'];

/** Who is in a group, also those who wait to be let in. */
export function GroupMembers({ group, onChanged }: { group: Group; onChanged: () => void }) {
  const [view] = useView();
  const [adding, setAdding] = useState(false);
  const path = `/groups/${group.id}/members`;
  const starting_token = startIn(view);
  const loaded = useLoaded(`${path} ${starting_token}`, (signal) =>
    get<MemberPage>(path, { query: { starting_token, limit: LIMIT, actions: ['update_role', 'delete'] }, signal }),
  );
  const reload = () => {
    loaded.reload();
    onChanged();
  };
  return (
    <Show loaded={loaded}>
      {(page) => (
        <>
          {allows(group.permissions, 'update') && (
            <button type="button" class="btn btn-sm btn-primary mb-2" aria-haspopup="dialog" onClick={() => setAdding(true)}>
              Add member
            </button>
          )}
          <Table class="table table-hover table-rows table-controls">
            <TableHeaders of={['Member', 'Role', 'Added']} actions />
            <tbody>
              {page.members.map((member) => (
                <MemberRow key={member.id} path={path} member={member} onChanged={reload} />
              ))}
            </tbody>
          </Table>
          <ViewPager page={page} />
          {adding && (
            <FormDialog
              title={`Add a member to ${group.name}`}
              verb="Add"
              onClose={() => setAdding(false)}
              onSubmit={async (values) => {
                await post(path, [{ user_id: values.get('user_id'), role: values.get('role') }]);
                reload();
              }}
            >
              <UserSelect />
              <RoleField roles={GIVEN} />
            </FormDialog>
          )}
        </>
      )}
    </Show>
  );
}

function MemberRow({ path, member, onChanged }: { path: string; member: GroupMember; onChanged: () => void }) {
  const one = `${path}/${member.user_id}`;
  return (
    <tr>
      <td>
        {member.email}
        <div class="small text-body-secondary">{toFullName(member)}</div>
      </td>
      <td>
        <RoleSelect
          label={`Role of ${member.email}`}
          role={member.role}
          roles={ROLES}
          fixed={!allows(member.permissions, 'update_role')}
          onChange={async (role) => {
            await patch(one, { role });
            onChanged();
          }}
        />
      </td>
      <td>
        <Time at={member.created_at} />
      </td>
      <td class="text-end">
        {allows(member.permissions, 'delete') && (
          <ConfirmButton
            label="Remove"
            question={`${member.email} will no longer see what is shared with this group.`}
            onConfirm={async () => {
              await remove(one);
              onChanged();
            }}
          />
        )}
      </td>
    </tr>
  );
}

/** Chooses a user; arrives in the form as `user_id`. */
function UserSelect() {
  const { value: users = [], error } = useLoaded('all users', (signal) => allUsers(signal));
  return (
    <>
      <Failure error={error} />
      <Choice
        label="User"
        name="user_id"
        required
        choices={users.map((user) => ({ id: user.id, label: [user.email, toFullName(user)].filter((part) => part).join(' · ') }))}
      />
    </>
  );
}
