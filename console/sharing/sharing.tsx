import { useState } from 'preact/hooks';
import type { GroupCollaborator, UserCollaborator } from '../../core/access/groups/collaborator.ts';
import type { PageFields } from '../../core/kernel/query/page.ts';
import { get } from '../api/client.ts';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { toFullName } from '../people/users.ts';
import { Collaborators } from './collaborators.tsx';
import { ShareWithGroup, ShareWithUser } from './share-dialogs.tsx';

type Page<C> = PageFields & { readonly collaborators: readonly C[] };
/** The largest page that lists give. */
const LIMIT = 1000;

interface SharingProps {
  /** The object, as `/projects/…`. */
  readonly path: string;
  readonly mayShare: boolean;
}

/** With whom an object is shared, and in which role. */
export function Sharing({ path, mayShare }: SharingProps) {
  const [adding, setAdding] = useState<'user' | 'group'>();
  const loaded = useLoaded(`sharing ${path}`, async (signal) => {
    const [users, groups] = await Promise.all([
      get<Page<UserCollaborator>>(`${path}/users`, { query: { limit: LIMIT }, signal }),
      get<Page<GroupCollaborator>>(`${path}/groups`, { query: { limit: LIMIT }, signal }),
    ]);
    return { users: users.collaborators.map(ofUser), groups: groups.collaborators.map(ofGroup) };
  });
  const common = { mayShare, onChanged: loaded.reload };
  return (
    <Show loaded={loaded}>
      {({ users, groups }) => (
        <>
          {mayShare && (
            <div class="d-flex gap-2 mb-2">
              <button type="button" class="btn btn-sm btn-primary" aria-haspopup="dialog" onClick={() => setAdding('user')}>
                Share with a user
              </button>
              <button
                type="button"
                class="btn btn-sm btn-outline-secondary"
                aria-haspopup="dialog"
                onClick={() => setAdding('group')}
              >
                Share with a group
              </button>
            </div>
          )}
          <Collaborators kind="User" path={`${path}/users`} collaborators={users} {...common} />
          <Collaborators kind="Group" path={`${path}/groups`} collaborators={groups} {...common} />
          {adding === 'user' && <ShareWithUser path={path} onClose={() => setAdding(undefined)} onShared={loaded.reload} />}
          {adding === 'group' && <ShareWithGroup path={path} onClose={() => setAdding(undefined)} onShared={loaded.reload} />}
        </>
      )}
    </Show>
  );
}

const ofUser = (user: UserCollaborator) => ({
  id: user.user_id,
  name: [user.email, toFullName(user)].filter((part) => part).join(' · '),
  role: user.role,
  created_at: user.created_at,
});

const ofGroup = ({ group_id, group_name, role, created_at }: GroupCollaborator) => ({
  id: group_id,
  name: group_name,
  role,
  created_at,
});
