import { randomUUID } from 'node:crypto';
import type { UserRole } from '../../core/access/role.ts';
import { flattenTraces } from '../../core/traces/flatten.ts';
import type { TestServer } from '../http/harness.ts';
import { ID_NAMES, type IdName, type Ids, type Role } from './row.ts';
import type { Standing, Visibility } from './rules.ts';

/** An object of its own with all that belongs to it, made through the stores. */
export interface Scene {
  readonly ids: Ids;
  /** Stands in the texts of the object: who does not see it must not find this in a reply. */
  readonly secret: string;
  /** Everything stored of it, to tell whether a request changed anything. */
  picture(): Promise<string>;
}

/** The people who are there whoever asks. */
export interface Town {
  readonly server: TestServer;
  /** Owns what the scenes hold. */
  readonly host_id: string;
  /** A user with no part in anything. */
  readonly stranger_id: string;
}

const ALL = { offset: 0, limit: 1000 };
const now = (): string => new Date().toISOString();

/** Ids of nothing. */
export function unknownIds(caller_id: string): Ids {
  const ids = Object.fromEntries(ID_NAMES.map((name) => [name, randomUUID()])) as Record<IdName, string>;
  return { ...ids, caller_id, name: `name ${randomUUID()}`, stream_name: `stream ${randomUUID()}` };
}

/** A user without credentials. */
export async function makeUser(server: TestServer, role: UserRole = 'user'): Promise<string> {
  const id = randomUUID();
  await server.cradle.accessStore.insertUser({
    id,
    email: `${id}@example.org`,
    first_name: '',
    last_name: '',
    role,
    auth_method: 'email',
    email_is_verified: true,
    is_disabled: false,
    password_hash: null,
    token_version: 0,
    created_at: now(),
    updated_at: now(),
  });
  return id;
}

/** A project of the host with a log stream, a trace with a span, a scorer, a collaborator and a group. */
export async function makeProject({ server, host_id }: Town, caller_id: string, group: Visibility = 'hidden'): Promise<Scene> {
  const { projectStore, collaboratorStore } = server.cradle;
  const secret = `secret ${randomUUID()}`;
  const user_id = await makeUser(server);
  const group_id = await makeGroupRow(server, host_id, randomUUID(), group);
  const drawn = unknownIds(caller_id);
  const ids = { ...drawn, user_id, group_id, parent_id: drawn.trace_id, previous_last_row_id: drawn.trace_id };
  const { project_id, log_stream_id, name, stream_name } = ids;
  const facts = { created_by: host_id, created_at: now(), updated_at: now() };
  const labels = { description: secret, labels: [] };
  await projectStore.insertProject({ ...facts, ...labels, id: project_id, name, type: 'training_inference' });
  const run = { ...facts, kind: 'log_stream' as const, has_user_created_sessions: false };
  await projectStore.insertRun({ ...run, project_id, id: log_stream_id, name: stream_name });
  const project = { kind: 'project', id: project_id } as const;
  await giveRole(server, project_id, host_id, 'owner');
  await giveRole(server, project_id, user_id, 'viewer');
  await collaboratorStore.putGroups(project, [{ id: randomUUID(), group_id, role: 'viewer', created_at: now() }]);
  await logTrace(server, ids, secret);
  await makeScorerRow(server, host_id, ids);
  return { ids, secret, picture: () => pictureOfProject(server, ids) };
}

export async function giveRole(server: TestServer, project_id: string, user_id: string, role: Role): Promise<void> {
  const user = { id: randomUUID(), user_id, role, created_at: now() };
  await server.cradle.collaboratorStore.putUsers({ kind: 'project', id: project_id }, [user]);
}

/** Shares the project with a hidden group of its own, which the user is in by the given role. */
export async function giveRoleByGroup(
  { server, host_id }: Town,
  project_id: string,
  user_id: string,
  role: 'maintainer' | 'member' | 'pending',
): Promise<void> {
  const group_id = await makeGroupRow(server, host_id, randomUUID(), 'hidden');
  await putMember(server, group_id, user_id, role);
  const group = { id: randomUUID(), group_id, role: 'editor' as const, created_at: now() };
  await server.cradle.collaboratorStore.putGroups({ kind: 'project', id: project_id }, [group]);
}

/** A group that the host maintains, with one member; the caller is in it as told. */
export async function makeGroup(
  { server, host_id }: Town,
  caller_id: string,
  { visibility, standing }: { readonly visibility: Visibility; readonly standing: Standing },
): Promise<Scene> {
  const secret = `secret ${randomUUID()}`;
  const name = `group ${secret}`;
  const group_id = await makeGroupRow(server, host_id, name, visibility);
  const user_id = await makeUser(server);
  await putMember(server, group_id, host_id, 'maintainer');
  await putMember(server, group_id, user_id, 'member');
  if (standing !== 'outsider') await putMember(server, group_id, caller_id, standing);
  const { groupStore, auditStore } = server.cradle;
  const picture = async () =>
    JSON.stringify([
      await groupStore.findMany([group_id]),
      await groupStore.listMembers(group_id, ALL),
      (await auditStore.list({ object_id: group_id }, ALL)).length,
    ]);
  return { ids: { ...unknownIds(caller_id), group_id, user_id, name }, secret, picture };
}

/** A user of the role, or the caller. */
export async function makeUserScene({ server }: Town, caller_id: string, role: UserRole | 'oneself'): Promise<Scene> {
  const user_id = role === 'oneself' ? caller_id : await makeUser(server, role);
  const { accessStore } = server.cradle;
  const picture = async () => JSON.stringify(await accessStore.findUser(user_id));
  return { ids: { ...unknownIds(caller_id), user_id }, secret: '', picture };
}

/** A key, unused so far. */
export async function makeApiKey({ server }: Town, caller_id: string, user_id: string): Promise<Scene> {
  const api_key_id = randomUUID();
  const description = `secret ${api_key_id}`;
  const limits = { project_id: null, max_role: null, expires_at: null };
  const facts = { description, truncated: 'abcd', last_used_at: null, created_at: now() };
  await server.cradle.accessStore.insertApiKey({ id: api_key_id, user_id, key_hash: api_key_id, ...limits, ...facts });
  const picture = async () => JSON.stringify(await server.cradle.accessStore.findApiKey(api_key_id));
  return { ids: { ...unknownIds(caller_id), api_key_id }, secret: description, picture };
}

/** A code scorer with one version. */
export async function makeScorer({ server }: Town, caller_id: string, creator_id: string): Promise<Scene> {
  const ids = unknownIds(caller_id);
  await makeScorerRow(server, creator_id, ids);
  const { scorerStore, auditStore } = server.cradle;
  const picture = async () =>
    JSON.stringify([
      await scorerStore.find(ids.scorer_id),
      await scorerStore.latestVersions([ids.scorer_id]),
      (await auditStore.list({ object_id: ids.scorer_id }, ALL)).length,
    ]);
  return { ids, secret: ids.scorer_version_id, picture };
}

async function makeGroupRow(server: TestServer, created_by: string, name: string, visibility: Visibility): Promise<string> {
  const id = randomUUID();
  const group = { id, name, description: '', visibility, created_by, created_at: now(), updated_at: now() };
  await server.cradle.groupStore.insert(group);
  return id;
}

async function putMember(
  server: TestServer,
  group_id: string,
  user_id: string,
  role: Exclude<Standing, 'outsider'>,
): Promise<void> {
  await server.cradle.groupStore.putMembers([{ id: randomUUID(), group_id, user_id, role, created_at: now() }]);
}

async function makeScorerRow({ cradle }: TestServer, created_by: string, { scorer_id, scorer_version_id }: Ids): Promise<void> {
  const empty = { scoreable_node_types: null, output_type: null, input_type: null };
  const facts = { ...empty, created_by, created_at: now(), updated_at: now() };
  await cradle.scorerStore.insert({
    ...facts,
    id: scorer_id,
    name: `scorer ${scorer_id}`,
    scorer_type: 'code',
    description: '',
    tags: [],
    defaults: null,
    model_type: 'code',
    ground_truth: null,
    default_version_id: scorer_version_id,
    user_prompt: null,
    required_scorers: null,
  });
  const definition = { language: 'javascript', source: 'function scorer() { return 0; }' };
  const settings = { model_name: null, num_judges: null, cot_enabled: null };
  await cradle.scorerStore.insertVersion({
    ...facts,
    ...settings,
    id: scorer_version_id,
    scorer_id,
    kind: 'registered',
    definition,
  });
}

async function logTrace({ cradle }: TestServer, ids: Ids, text: string): Promise<void> {
  const { project_id, log_stream_id: run_id, session_id, trace_id, span_id } = ids;
  const trace = { id: trace_id, input: text, spans: [{ type: 'workflow', id: span_id, input: text }] };
  const to = { project_id, run_id, session_id, is_complete: true, now: now(), newId: randomUUID };
  const records = flattenTraces([trace], to, cradle.explain);
  const batch = { project_id, run_id, settings_revision: 0, records, new_parents: [], score_trace_ids: [] };
  await cradle.traceStore.write(batch);
}

async function pictureOfProject({ cradle }: TestServer, ids: Ids): Promise<string> {
  const { project_id, log_stream_id, trace_id, record_id } = ids;
  const object = { kind: 'project', id: project_id } as const;
  const byName = { name: 'name', ascending: true } as const;
  const runs = await cradle.projectStore.listRuns(project_id, 'log_stream', [], byName);
  return JSON.stringify([
    await cradle.projectStore.findProject(project_id),
    runs,
    [
      ...(await cradle.traceStore.counts(
        project_id,
        runs.map(({ id }) => id),
      )),
    ],
    await cradle.traceStore.listTrace(project_id, log_stream_id, trace_id),
    await cradle.traceStore.find(project_id, record_id),
    await cradle.metricSettingsStore.find(project_id, log_stream_id),
    await cradle.collaboratorStore.listUsers(object, ALL),
    await cradle.collaboratorStore.listGroups(object, ALL),
    (await cradle.auditStore.list({ object_id: project_id }, ALL)).length,
  ]);
}
