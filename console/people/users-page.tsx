import { TableHeaders } from '../kit/table-headers.tsx';
import '../styles/admin.css';
import { useState } from 'preact/hooks';
import type { UserView } from '../../core/access/users/user.ts';
import { get } from '../api/client.ts';
import { useView } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { startIn, ViewPager } from '../kit/pager.tsx';
import { Table } from '../kit/table.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { NewUserDialog } from './new-user-dialog.tsx';
import { PeopleHead } from './people-head.tsx';
import { UserRow } from './user-row.tsx';
import type { UserPage } from './users.ts';

const LIMIT = 50;

/** Everybody in the organisation. */
export function UsersPage() {
  const [view] = useView();
  const [adding, setAdding] = useState<'one' | 'many'>();
  const stop = (): void => setAdding(undefined);
  const starting_token = startIn(view);
  const loaded = useLoaded(`users ${starting_token}`, (signal) =>
    get<UserPage>('/users', { query: { starting_token, limit: LIMIT, actions: ['update', 'delete'] }, signal }),
  );
  const me = useLoaded('current_user', (signal) => get<UserView>('/current_user', { signal })).value;
  const mayCreate = me?.role === 'admin' || me?.role === 'manager';
  return (
    <>
      <PeopleHead active="/people">
        {mayCreate && (
          <>
            <button
              type="button"
              class="btn btn-sm btn-outline-secondary"
              aria-haspopup="dialog"
              onClick={() => setAdding('many')}
            >
              Invite users
            </button>
            <button type="button" class="btn btn-sm btn-primary" aria-haspopup="dialog" onClick={() => setAdding('one')}>
              New user
            </button>
          </>
        )}
      </PeopleHead>
      <Show loaded={loaded}>
        {(page) => (
          <>
            <Table class="table table-hover table-rows table-controls">
              <TableHeaders of={['User', 'Role', 'Sign-in method', 'Status', 'Created']} actions />
              <tbody>
                {page.users.map((user) => (
                  <UserRow key={user.id} user={user} isMe={user.id === me?.id} onChanged={loaded.reload} />
                ))}
              </tbody>
            </Table>
            <ViewPager page={page} />
          </>
        )}
      </Show>
      {adding === 'one' && <NewUserDialog onClose={stop} onCreated={loaded.reload} />}
      {adding === 'many' && <InviteDialog onClose={stop} onInvited={loaded.reload} />}
    </>
  );
}
