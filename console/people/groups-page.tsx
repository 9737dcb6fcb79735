import { TableHeaders } from '../kit/table-headers.tsx';
import '../styles/admin.css';
import { useState } from 'preact/hooks';
import type { Group } from '../../core/access/groups/group.ts';
import type { PageFields } from '../../core/kernel/query/page.ts';
import { get, post } from '../api/client.ts';
import { navigate, toHref, useView } from '../kit/location.ts';
import { Empty, Failure, Show } from '../kit/notices.tsx';
import { startIn, ViewPager } from '../kit/pager.tsx';
import { Table } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { allows } from '../sharing/permission.ts';
import { GroupDialog } from './group-dialog.tsx';
import { PeopleHead } from './people-head.tsx';

type GroupPage = PageFields & { readonly groups: readonly Group[] };
const LIMIT = 50;
const ACTIONS = ['join', 'request_to_join'];

/** The groups that the caller sees. */
export function GroupsPage() {
  const [view] = useView();
  const [creating, setCreating] = useState(false);
  const starting_token = startIn(view);
  const loaded = useLoaded(`groups ${starting_token}`, (signal) =>
    get<GroupPage>('/groups', { query: { starting_token, limit: LIMIT, actions: ACTIONS }, signal }),
  );
  return (
    <>
      <PeopleHead active="/people/groups">
        <button type="button" class="btn btn-sm btn-primary" aria-haspopup="dialog" onClick={() => setCreating(true)}>
          New group
        </button>
      </PeopleHead>
      <Show loaded={loaded}>
        {(page) =>
          page.groups.length === 0 ? (
            <Empty title="No groups yet">
              <p>Projects, datasets and integrations can be shared with a group in one step. Make one and add its members.</p>
            </Empty>
          ) : (
            <>
              <GroupTable groups={page.groups} onChanged={loaded.reload} />
              <ViewPager page={page} />
            </>
          )
        }
      </Show>
      {creating && (
        <GroupDialog
          title="New group"
          verb="Create"
          onClose={() => setCreating(false)}
          onSubmit={async (group) => {
            const { id } = await post<Group>('/groups', group);
            navigate(`/people/groups/${id}`);
          }}
        />
      )}
    </>
  );
}

const GroupTable = ({ groups, onChanged }: { groups: readonly Group[]; onChanged: () => void }) => (
  <Table class="table table-hover table-rows table-controls">
    <TableHeaders of={['Name', 'Description', 'Visibility', { end: 'Members' }, 'My role', 'Created']} />
    <tbody>
      {groups.map((group) => (
        <tr key={group.id}>
          <td>
            <a href={toHref(`/people/groups/${group.id}`)}>{group.name}</a>
          </td>
          <td class="text-body-secondary">{group.description}</td>
          <td>{group.visibility}</td>
          <td class="text-end">{group.size}</td>
          <td>{group.role ?? <JoinButton group={group} onJoined={onChanged} />}</td>
          <td>
            <Time at={group.created_at} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);

function JoinButton({ group, onJoined }: { group: Group; onJoined: () => void }) {
  const join = useAction(async () => {
    await post(`/groups/${group.id}/join`);
    onJoined();
  });
  const verb = allows(group.permissions, 'join')
    ? 'Join'
    : allows(group.permissions, 'request_to_join')
      ? 'Ask to join'
      : undefined;
  if (!verb) return <>–</>;
  return (
    <>
      <button
        type="button"
        class="btn btn-sm btn-outline-secondary"
        aria-label={`${verb} ${group.name}`}
        disabled={join.busy}
        onClick={() => void join.run()}
      >
        {verb}
      </button>
      <Failure error={join.error} />
    </>
  );
}
