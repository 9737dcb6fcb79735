import type { Row } from '../row.ts';
import { anew } from '../row-helpers.ts';

export const GROUPS: readonly Row[] = [
  { operation: 'createGroup', on: 'organization', allowed: ['admin', 'manager', 'user'], body: anew },
  {
    operation: 'listGroups',
    on: 'group',
    needs: 'sight',
    query: () => ({ limit: '1000' }),
    shows: ({ groups }, { group_id }) => groups.some(({ id }: { id: string }) => id === group_id),
  },
  {
    operation: 'searchGroups',
    on: 'group',
    needs: 'sight',
    body: ({ name }) => ({ filters: [{ name: 'name', operator: 'eq', value: name }] }),
    shows: ({ groups }) => groups.length > 0,
  },
  { operation: 'getGroup', on: 'group', needs: 'sight' },
  { operation: 'updateGroup', on: 'group', needs: 'maintainer', body: () => ({ description: 'changed' }) },
  { operation: 'deleteGroup', on: 'group', needs: 'maintainer' },
  { operation: 'listGroupMembers', on: 'group', needs: 'membership' },
  {
    operation: 'addGroupMembers',
    on: 'group',
    needs: 'maintainer',
    body: ({ user_id }) => [{ user_id, role: 'pending' }],
    mixed: { user_id: 200 },
    known: ['user_id'],
  },
  {
    operation: 'updateGroupMember',
    on: 'group',
    needs: 'maintainer',
    body: () => ({ role: 'pending' }),
    mixed: { user_id: 404 },
  },
  { operation: 'removeGroupMember', on: 'group', needs: 'maintainer', mixed: { user_id: 404 } },
  { operation: 'removeGroupMember', variant: 'leaving', on: 'group', needs: 'leaving', path: { user_id: 'caller_id' } },
  { operation: 'joinGroup', on: 'group', needs: 'joining' },
];
