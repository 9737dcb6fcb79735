import { randomUUID } from 'node:crypto';
import { ADMIN } from '../http/harness.ts';
import { DATASETS } from './dataset-rows.ts';
import { INTEGRATIONS } from './integration-rows.ts';
import type { CallerFacts, Facts, Ids, Row } from './row.ts';

// To add an operation: one row here, with what it is about (`on`) and who may (`needs`, `allowed`).
// Every id it takes in path, query or body comes from `ids`, and beside the object's own has to stand in `mixed`.
// A new kind of object gets its row type in row.ts, its rule in rules.ts, a scene in *-scenes.ts, its relations in *-plans.ts.

const address = (): { email: string } => ({ email: `${randomUUID()}@example.org` });
const anew = (): { name: string } => ({ name: randomUUID() });
const seesAllGroups = ({ role }: CallerFacts): boolean => role === 'admin' || role === 'manager';
const mayCreate = ({ role, key_project, key_role }: CallerFacts): boolean =>
  role !== 'read_only' && key_project === null && key_role === null;
const hasPlainKey = ({ key_project, key_role }: CallerFacts): boolean => key_project === null && key_role === null;

function file(name: string, text: string, fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob([text]), name);
  return form;
}

/** No credentials are asked for: whoever comes gets the same. */
const OPEN: readonly Row[] = [
  { operation: 'healthcheck', on: 'open' },
  { operation: 'login', on: 'open', body: () => ({ username: ADMIN.email, password: ADMIN.password }) },
  { operation: 'loginWithApiKey', on: 'open', body: () => ({ api_key: ADMIN.api_key }) },
  { operation: 'loginWithSocial', on: 'open', body: () => ({}), ok: 422, code: 'request_invalid' },
  { operation: 'refreshToken', on: 'open', ok: 401, code: 'refresh_missing' },
  { operation: 'verifyEmail', on: 'open', body: address },
  { operation: 'completeEmailVerification', on: 'open', body: () => ({}), ok: 422, code: 'request_invalid' },
];

const USERS: readonly Row[] = [
  { operation: 'getCurrentUser', on: 'everyone' },
  { operation: 'listUsers', on: 'organization', allowed: ['admin', 'manager', 'user', 'read_only'], limited_keys: true },
  { operation: 'createUser', on: 'organization', allowed: ['admin', 'manager'], body: () => ({ ...address(), role: 'user' }) },
  {
    operation: 'createUser',
    variant: 'as a manager',
    on: 'organization',
    allowed: ['admin'],
    body: () => ({ ...address(), role: 'manager' }),
  },
  { operation: 'getUser', on: 'user', needs: 'sight' },
  { operation: 'updateUser', on: 'user', needs: 'change', body: () => ({ first_name: randomUUID() }) },
  {
    operation: 'updateUser',
    variant: 'making an administrator',
    on: 'user',
    needs: 'change',
    body: () => ({ role: 'admin' }),
    deviates: (usual, { caller }) => (usual === 200 && caller.role !== 'admin' ? 403 : usual),
  },
  {
    operation: 'updateUser',
    variant: 'giving another address',
    on: 'user',
    needs: 'change',
    body: address,
    deviates: (usual, { caller, relation }) => (usual === 200 && relation === 'oneself' && caller.role !== 'admin' ? 403 : usual),
  },
  {
    operation: 'updateUser',
    variant: 'disabling',
    on: 'user',
    needs: 'change',
    body: () => ({ is_disabled: true }),
    deviates: (usual, { relation }) => (usual === 200 && relation === 'oneself' ? 403 : usual),
  },
  {
    // One's own password is changed by who knows it: that it is missing is seen from the request.
    operation: 'updateUser',
    variant: 'giving a password',
    on: 'user',
    needs: 'change',
    body: () => ({ password: randomUUID() }),
    deviates: (usual, { relation }) => (relation === 'oneself' ? 422 : usual),
  },
  { operation: 'deleteUser', on: 'user', needs: 'deletion' },
  { operation: 'listApiKeys', on: 'user', needs: 'keys' },
  {
    operation: 'createApiKey',
    on: 'organization',
    allowed: ['admin', 'manager', 'user', 'read_only'],
    body: () => ({ description: 'a key' }),
  },
  {
    operation: 'createApiKey',
    variant: 'for a project',
    on: 'project',
    needs: 'viewer',
    body: ({ project_id }) => ({ description: 'a key', project_id }),
    deviates: (usual, { caller }) => (hasPlainKey(caller) ? usual : 403),
  },
  { operation: 'deleteApiKey', on: 'api_key' },
];

const ORGANIZATION: readonly Row[] = [
  { operation: 'listCollaboratorRoles', on: 'everyone' },
  { operation: 'checkAuditLog', on: 'organization', allowed: ['admin'] },
  { operation: 'listAuditLog', variant: 'all of it', on: 'organization', allowed: ['admin'] },
  {
    operation: 'listAuditLog',
    variant: 'of a project',
    on: 'project',
    needs: 'owner',
    query: ({ project_id, user_id }) => ({ object_kind: 'project', object_id: project_id, actor_id: user_id }),
    mixed: { user_id: 200 },
    reads: true,
  },
];

const PROJECTS: readonly Row[] = [
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
];

/** Who takes himself off needs no more than to be on. A limited key does not speak for the whole of its user. */
function leaving(usual: number, { caller, relation, role }: Facts): number {
  const isCollaborator = ['own', 'editor', 'annotator', 'viewer'].includes(relation);
  if (role === null || usual === 422) return usual;
  if (role !== 'owner' && !hasPlainKey(caller)) return 403;
  return isCollaborator ? 200 : 404;
}

const COLLABORATORS: readonly Row[] = [
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

const LOG_STREAMS: readonly Row[] = [
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

const search = ({ log_stream_id, previous_last_row_id }: Ids) => ({ log_stream_id, previous_last_row_id });

const TRACES: readonly Row[] = [
  {
    operation: 'logTraces',
    on: 'project',
    needs: 'editor',
    body: ({ log_stream_id, session_id, record_id }) => ({
      log_stream_id,
      session_id,
      traces: [{ id: record_id, input: 'a new trace' }],
    }),
    // Sessions and records are known within their run: the same id elsewhere is another thing.
    mixed: { log_stream_id: 404, session_id: 200, record_id: 200 },
    late: ['record_id'],
  },
  {
    operation: 'logSpans',
    on: 'project',
    needs: 'editor',
    body: ({ log_stream_id, trace_id, parent_id, record_id }) => ({
      log_stream_id,
      trace_id,
      parent_id,
      spans: [{ type: 'workflow', id: record_id, input: 'a new span' }],
    }),
    mixed: { log_stream_id: 404, trace_id: 404, parent_id: 404, record_id: 200 },
    late: ['record_id'],
  },
  {
    operation: 'updateTrace',
    on: 'project',
    needs: 'editor',
    body: ({ log_stream_id }) => ({ log_stream_id, output: 'changed' }),
    mixed: { log_stream_id: 404, trace_id: 404 },
  },
  {
    operation: 'updateSpan',
    on: 'project',
    needs: 'editor',
    body: ({ log_stream_id }) => ({ log_stream_id, output: 'changed' }),
    mixed: { log_stream_id: 404, span_id: 404 },
  },
  { operation: 'getTrace', on: 'project', needs: 'viewer', mixed: { trace_id: 404 } },
  { operation: 'getSpan', on: 'project', needs: 'viewer', mixed: { span_id: 404 } },
  {
    operation: 'searchTraces',
    on: 'project',
    needs: 'viewer',
    body: search,
    mixed: { log_stream_id: 404, previous_last_row_id: 200 },
    reads: true,
  },
  {
    operation: 'searchSpans',
    on: 'project',
    needs: 'viewer',
    body: search,
    mixed: { log_stream_id: 404, previous_last_row_id: 200 },
    reads: true,
  },
  {
    operation: 'searchTraces',
    variant: 'by id',
    on: 'project',
    needs: 'viewer',
    body: ({ log_stream_id, trace_id }) => ({
      log_stream_id,
      filters: [{ type: 'id', column_id: 'id', operator: 'eq', value: trace_id }],
    }),
    mixed: { log_stream_id: 404, trace_id: 200 },
    reads: true,
  },
  {
    operation: 'countTraces',
    on: 'project',
    needs: 'viewer',
    body: ({ log_stream_id }) => ({ log_stream_id }),
    mixed: { log_stream_id: 404 },
  },
  {
    operation: 'countSpans',
    on: 'project',
    needs: 'viewer',
    body: ({ log_stream_id }) => ({ log_stream_id }),
    mixed: { log_stream_id: 404 },
  },
];

const SESSIONS: readonly Row[] = [
  {
    operation: 'createSession',
    on: 'project',
    needs: 'editor',
    body: ({ log_stream_id, session_id }) => ({ log_stream_id, previous_session_id: session_id }),
    mixed: { log_stream_id: 404, session_id: 422 },
  },
  {
    operation: 'searchSessions',
    on: 'project',
    needs: 'viewer',
    body: search,
    mixed: { log_stream_id: 404, previous_last_row_id: 200 },
    reads: true,
  },
  {
    operation: 'searchSessionsPartly',
    on: 'project',
    needs: 'viewer',
    body: (ids) => ({ ...search(ids), select_columns: { column_ids: ['name'] } }),
    mixed: { log_stream_id: 404, previous_last_row_id: 200 },
    reads: true,
  },
  {
    operation: 'countSessions',
    on: 'project',
    needs: 'viewer',
    body: ({ log_stream_id }) => ({ log_stream_id }),
    mixed: { log_stream_id: 404 },
  },
  {
    operation: 'deleteSessions',
    on: 'project',
    needs: 'editor',
    body: ({ log_stream_id, session_id }) => ({
      log_stream_id,
      filters: [{ type: 'id', column_id: 'id', operator: 'eq', value: session_id }],
    }),
    mixed: { log_stream_id: 404, session_id: 200 },
  },
  { operation: 'getSession', on: 'project', needs: 'viewer', mixed: { session_id: 404 } },
];

const selecting = (ids: Ids) => ({ ...search(ids), select_columns: { column_ids: ['name', 'input'] } });
const ofStream = ({ log_stream_id }: Ids) => ({ log_stream_id });

const COLUMNS: readonly Row[] = [
  ...['searchTracesPartly', 'searchSpansPartly'].map(
    (operation): Row => ({
      operation,
      on: 'project',
      needs: 'viewer',
      body: selecting,
      mixed: { log_stream_id: 404, previous_last_row_id: 200 },
      reads: true,
    }),
  ),
  ...['listTraceColumns', 'listSpanColumns', 'listSessionColumns'].map(
    (operation): Row => ({ operation, on: 'project', needs: 'viewer', body: ofStream, mixed: { log_stream_id: 404 } }),
  ),
  {
    operation: 'listMetricsTestingColumns',
    on: 'project',
    needs: 'viewer',
    body: (ids) => ({ ...ofStream(ids), name: 'on trial' }),
    mixed: { log_stream_id: 404 },
  },
];

const MANY_RECORDS: readonly Row[] = [
  ...(['deleteTraces', 'deleteSpans'] as const).map(
    (operation): Row => ({
      operation,
      on: 'project',
      needs: 'editor',
      body: ({ log_stream_id }) => ({ log_stream_id }),
      mixed: { log_stream_id: 404 },
    }),
  ),
  {
    operation: 'exportRecords',
    on: 'project',
    needs: 'viewer',
    body: ({ log_stream_id }) => ({ log_stream_id, root_type: 'trace' }),
    mixed: { log_stream_id: 404 },
  },
  {
    operation: 'aggregateTraces',
    on: 'project',
    needs: 'viewer',
    body: ({ log_stream_id }) => ({ log_stream_id }),
    mixed: { log_stream_id: 404 },
  },
  {
    operation: 'searchMetrics',
    on: 'project',
    needs: 'viewer',
    body: ({ log_stream_id }) => ({ log_stream_id, start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-01T01:00:00Z' }),
    mixed: { log_stream_id: 404 },
  },
  ...(['recomputeMetrics', 'recomputeMetricsByOtherName'] as const).map(
    (operation): Row => ({
      operation,
      on: 'project',
      needs: 'editor',
      body: ({ log_stream_id, scorer_id }) => ({ log_stream_id, scorer_ids: [scorer_id] }),
      // Whoever may ask is told that the scorer is not enabled.
      ok: 422,
      mixed: { log_stream_id: 404, scorer_id: 422 },
    }),
  ),
  { operation: 'getProjectRetention', on: 'project', needs: 'viewer' },
  { operation: 'setProjectRetention', on: 'project', needs: 'editor', body: () => ({ days: 30 }) },
  { operation: 'previewProjectRetention', on: 'project', needs: 'viewer' },
  { operation: 'getLogStreamRetention', on: 'project', needs: 'viewer', mixed: { log_stream_id: 404 } },
  {
    operation: 'setLogStreamRetention',
    on: 'project',
    needs: 'editor',
    body: () => ({ days: 30 }),
    mixed: { log_stream_id: 404 },
  },
  { operation: 'previewLogStreamRetention', on: 'project', needs: 'viewer', mixed: { log_stream_id: 404 } },
];

const SCORERS: readonly Row[] = [
  {
    operation: 'createScorer',
    on: 'organization',
    allowed: ['admin', 'manager', 'user'],
    body: () => ({ ...anew(), scorer_type: 'code' }),
  },
  { operation: 'listScorers', on: 'everyone', body: () => ({}) },
  { operation: 'getScorer', on: 'scorer', needs: 'nothing' },
  { operation: 'getScorerVersion', on: 'scorer', needs: 'nothing' },
  { operation: 'getCode', on: 'scorer', needs: 'nothing' },
  { operation: 'createCodeVersion', on: 'scorer', needs: 'maker', form: () => file('one.js', 'function scorer() { return 1; }') },
  { operation: 'getMetricSettings', on: 'project', needs: 'viewer', mixed: { log_stream_id: 404 } },
  {
    operation: 'updateMetricSettings',
    on: 'project',
    needs: 'editor',
    body: ({ scorer_id, scorer_version_id }) => ({ scorers: [{ id: scorer_id, scorer_version: { id: scorer_version_id } }] }),
    mixed: { log_stream_id: 404, scorer_id: 422, scorer_version_id: 422 },
    known: ['scorer_id'],
  },
];

const GROUPS: readonly Row[] = [
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

export const ACCESS_MATRIX: readonly Row[] = [
  ...OPEN,
  ...ORGANIZATION,
  ...USERS,
  ...PROJECTS,
  ...COLLABORATORS,
  ...LOG_STREAMS,
  ...TRACES,
  ...COLUMNS,
  ...SESSIONS,
  ...MANY_RECORDS,
  ...SCORERS,
  ...GROUPS,
  ...DATASETS,
  ...INTEGRATIONS,
];
