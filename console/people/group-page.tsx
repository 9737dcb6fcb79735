import { useState } from 'preact/hooks';
import type { Group } from '../../core/access/groups/group.ts';
import { get, patch, remove } from '../api/client.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { Crumbs } from '../kit/crumbs.tsx';
import { navigate } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { allows } from '../sharing/permission.ts';
import { GroupDialog } from './group-dialog.tsx';
import { GroupMembers } from './group-members.tsx';

/** One group: what it is and who is in it. */
export function GroupPage({ params }: { params: Record<string, string> }) {
  const path = `/groups/${params.group_id}`;
  const [changing, setChanging] = useState(false);
  const loaded = useLoaded(path, (signal) => get<Group>(path, { query: { actions: ['update', 'list_members'] }, signal }));
  return (
    <Show loaded={loaded}>
      {(group) => (
        <>
          <Crumbs
            crumbs={[
              { label: 'People', path: '/people' },
              { label: 'Groups', path: '/people/groups' },
            ]}
            title={group.name}
          >
            {allows(group.permissions, 'update') && (
              <>
                <button
                  type="button"
                  class="btn btn-sm btn-outline-secondary"
                  aria-haspopup="dialog"
                  onClick={() => setChanging(true)}
                >
                  Edit
                </button>
                <ConfirmButton
                  label="Delete"
                  question={`What was shared with ${group.name} will no longer be shared with its members.`}
                  onConfirm={async () => {
                    await remove(path);
                    navigate('/people/groups');
                  }}
                />
              </>
            )}
          </Crumbs>
          <p class="text-body-secondary">
            {group.visibility} group{group.role && `, you are ${group.role}`}
            {group.description && ` · ${group.description}`}
          </p>
          {allows(group.permissions, 'list_members') ? (
            <GroupMembers group={group} onChanged={loaded.reload} />
          ) : (
            <Empty title="Its members are shown to its members" />
          )}
          {changing && (
            <GroupDialog
              title="Edit group"
              verb="Save"
              group={group}
              onClose={() => setChanging(false)}
              onSubmit={async (update) => {
                await patch(path, update);
                loaded.reload();
              }}
            />
          )}
        </>
      )}
    </Show>
  );
}
