import type { CallerFacts, Facts, Row } from '../row.ts';

const hasPlainKey = ({ key_project, key_role }: CallerFacts): boolean => key_project === null && key_role === null;
const seesAllGroups = ({ role }: CallerFacts): boolean => role === 'admin' || role === 'manager';

/** Who takes himself off needs no more than to be on. A limited key does not speak for the whole of its user. */
function leaving(usual: number, { caller, relation, role }: Facts): number {
  const isCollaborator = ['own', 'editor', 'annotator', 'viewer'].includes(relation);
  if (role === null || usual === 422) return usual;
  if (role !== 'owner' && !hasPlainKey(caller)) return 403;
  return isCollaborator ? 200 : 404;
}

/** The eight operations on whom an object is shared with. */
export function collaboratorRows(Kind: string, on: 'integration' | 'template'): readonly Row[] {
  return [
    { on, operation: `list${Kind}Users`, needs: 'viewer' },
    {
      on,
      operation: `add${Kind}Users`,
      needs: 'owner',
      body: ({ user_id }) => [{ user_id, role: 'editor' }],
      mixed: { user_id: 200 },
      known: ['user_id'],
    },
    { on, operation: `update${Kind}User`, needs: 'owner', body: () => ({ role: 'annotator' }), mixed: { user_id: 404 } },
    { on, operation: `remove${Kind}User`, needs: 'owner', mixed: { user_id: 404 } },
    {
      on,
      operation: `remove${Kind}User`,
      variant: 'leaving',
      needs: 'viewer',
      path: { user_id: 'caller_id' },
      deviates: leaving,
    },
    { on, operation: `list${Kind}Groups`, needs: 'viewer' },
    {
      on,
      operation: `add${Kind}Groups`,
      needs: 'owner',
      body: ({ group_id }) => [{ group_id, role: 'editor' }],
      mixed: { group_id: (caller) => (seesAllGroups(caller) ? 200 : 422) },
    },
    { on, operation: `update${Kind}Group`, needs: 'owner', body: () => ({ role: 'annotator' }), mixed: { group_id: 404 } },
    { on, operation: `remove${Kind}Group`, needs: 'owner', mixed: { group_id: 404 } },
  ];
}
