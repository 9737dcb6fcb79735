import type { Row } from '../row.ts';
import { anew, file, leaving, mayCreate, seesAllGroups } from '../row-helpers.ts';

export const PROJECTS: readonly Row[] = [
  { operation: 'createProject', on: 'organization', allowed: ['admin', 'manager', 'user'], body: anew },
  {
    operation: 'createProject',
    variant: 'for somebody else',
    on: 'organization',
    allowed: ['admin'],
    body: ({ user_id }) => ({ ...anew(), created_by: user_id }),
    mixed: { user_id: 200 },
    known: ['user_id'],
  },
  {
    // Who sees the project of this name gets it. A name is taken in the whole organisation: whoever may create learns that.
    operation: 'createProject',
    variant: 'of a name that is taken',
    on: 'project',
    needs: 'viewer',
    body: ({ name }) => ({ name }),
    deviates: (usual, { caller, relation }) => {
      if (usual !== 404) return usual;
      if (!mayCreate(caller)) return 403;
      return relation === 'non-existent' ? 200 : 409;
    },
  },
  {
    operation: 'listProjects',
    on: 'project',
    needs: 'viewer',
    query: ({ name }) => ({ project_name: name }),
    shows: (projects, { project_id }) => projects.some(({ id }: { id: string }) => id === project_id),
  },
  {
    operation: 'listAllProjects',
    on: 'project',
    needs: 'viewer',
    shows: (projects, { project_id }) => projects.some(({ id }: { id: string }) => id === project_id),
  },
  {
    operation: 'searchProjects',
    on: 'project',
    needs: 'viewer',
    body: ({ project_id }) => ({ filters: [{ name: 'id', operator: 'eq', value: project_id }] }),
    shows: ({ projects }) => projects.length > 0,
  },
  {
    operation: 'countProjects',
    on: 'project',
    needs: 'viewer',
    body: ({ project_id }) => ({ filters: [{ name: 'id', operator: 'eq', value: project_id }] }),
    shows: (count) => count > 0,
  },
  {
    operation: 'searchText',
    on: 'project',
    needs: 'viewer',
    body: ({ project_id }) => ({ text: 'nothing says this', project_id }),
  },
  { operation: 'getProject', on: 'project', needs: 'viewer' },
  { operation: 'updateProject', on: 'project', needs: 'editor', body: () => ({ description: 'changed' }) },
  {
    operation: 'updateProject',
    variant: 'naming another creator',
    on: 'project',
    needs: 'editor',
    body: ({ user_id }) => ({ created_by: user_id }),
    mixed: { user_id: ({ role }) => (role === 'admin' ? 200 : 403) },
    known: ['user_id'],
    deviates: (usual, { caller }) => (usual === 200 && caller.role !== 'admin' ? 403 : usual),
  },
  { operation: 'deleteProject', on: 'project', needs: 'owner' },
  {
    operation: 'uploadProjectFile',
    on: 'project',
    needs: 'editor',
    form: () => file('notes.txt', 'notes', { upload_metadata: '{}' }),
  },
  { operation: 'getProjectFile', on: 'project', needs: 'viewer', mixed: { file_id: 404 } },
  { operation: 'getProjectFileUrl', on: 'project', needs: 'viewer', mixed: { file_id: 404 } },
];

export const COLLABORATORS: readonly Row[] = [
  { operation: 'listProjectUsers', on: 'project', needs: 'viewer' },
  {
    operation: 'addProjectUsers',
    on: 'project',
    needs: 'owner',
    body: ({ user_id }) => [{ user_id, role: 'editor' }],
    mixed: { user_id: 200 },
    known: ['user_id'],
  },
  {
    operation: 'updateProjectUser',
    on: 'project',
    needs: 'owner',
    body: () => ({ role: 'annotator' }),
    mixed: { user_id: 404 },
  },
  { operation: 'removeProjectUser', on: 'project', needs: 'owner', mixed: { user_id: 404 } },
  {
    operation: 'removeProjectUser',
    variant: 'leaving',
    on: 'project',
    needs: 'viewer',
    path: { user_id: 'caller_id' },
    deviates: leaving,
  },
  { operation: 'listProjectGroups', on: 'project', needs: 'viewer' },
  {
    operation: 'addProjectGroups',
    on: 'project',
    needs: 'owner',
    body: ({ group_id }) => [{ group_id, role: 'editor' }],
    mixed: { group_id: (caller) => (seesAllGroups(caller) ? 200 : 422) },
  },
  {
    operation: 'updateProjectGroup',
    on: 'project',
    needs: 'owner',
    body: () => ({ role: 'annotator' }),
    mixed: { group_id: 404 },
  },
  { operation: 'removeProjectGroup', on: 'project', needs: 'owner', mixed: { group_id: 404 } },
];

export const LOG_STREAMS: readonly Row[] = [
  { operation: 'createLogStream', on: 'project', needs: 'editor', body: anew },
  {
    operation: 'createLogStream',
    variant: 'of a name that exists',
    on: 'project',
    needs: 'viewer',
    body: ({ stream_name }) => ({ name: stream_name }),
  },
  { operation: 'listLogStreams', on: 'project', needs: 'viewer' },
  { operation: 'listLogStreamPage', on: 'project', needs: 'viewer' },
  { operation: 'searchLogStreams', on: 'project', needs: 'viewer', body: () => ({ include_counts: true }) },
  { operation: 'getLogStream', on: 'project', needs: 'viewer', mixed: { log_stream_id: 404 } },
  { operation: 'updateLogStream', on: 'project', needs: 'editor', body: anew, mixed: { log_stream_id: 404 } },
  { operation: 'deleteLogStream', on: 'project', needs: 'editor', ok: 204, mixed: { log_stream_id: 404 } },
];
