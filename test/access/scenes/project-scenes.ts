import { randomUUID } from 'node:crypto';
import { Jobs } from '../../../core/jobs/jobs.ts';
import { flattenTraces } from '../../../core/traces/ingest/flatten.ts';
import type { TestServer } from '../../http/harness.ts';
import type { Ids, Role } from '../row.ts';
import type { Visibility } from '../rules.ts';
import { ALL, now, type Scene, type Town, unknownIds } from '../scene.ts';
import { shareWith, shareWithGroupOf } from '../sharing.ts';
import { makeUser } from './account-scenes.ts';
import { makeGroupRow } from './group-scenes.ts';
import { makeScorerRow } from './scorer-scenes.ts';
import { makeDashboard, pictureOfTrends } from './trend-scenes.ts';

/** A project of the host with a log stream, an experiment, a trace with a span, a scorer, a job, a collaborator and a group. */
export async function makeProject({ server, host_id }: Town, caller_id: string, group: Visibility = 'hidden'): Promise<Scene> {
  const { projectStore, collaboratorStore } = server.cradle;
  const secret = `secret ${randomUUID()}`;
  const user_id = await makeUser(server);
  const group_id = await makeGroupRow(server, host_id, randomUUID(), group);
  const drawn = unknownIds(caller_id);
  const ids = { ...drawn, user_id, group_id, parent_id: drawn.trace_id, previous_last_row_id: drawn.trace_id };
  const { project_id, log_stream_id, experiment_id, name, stream_name } = ids;
  const facts = { created_by: host_id, created_at: now(), updated_at: now() };
  const labels = { description: secret, labels: [] };
  await projectStore.insertProject({
    ...facts,
    ...labels,
    id: project_id,
    name,
    type: 'training_inference',
    type_is_default: false,
  });
  const run = { ...facts, project_id, has_user_created_sessions: false, name: stream_name };
  await projectStore.insertRun({ ...run, kind: 'log_stream', id: log_stream_id });
  await projectStore.insertRun({ ...run, kind: 'experiment', id: experiment_id });
  const tag = { id: ids.tag_id, key: 'note', value: secret, tag_type: 'generic', project_id, run_id: experiment_id };
  await server.cradle.runTagStore.put({ ...tag, ...facts });
  const project = { kind: 'project', id: project_id } as const;
  await giveRole(server, project_id, host_id, 'owner');
  await giveRole(server, project_id, user_id, 'viewer');
  await collaboratorStore.putGroups(project, [{ id: randomUUID(), group_id, role: 'viewer', created_at: now() }]);
  await logTrace(server, ids, secret);
  await makeScorerRow(server, host_id, ids);
  await startJob(server, host_id, ids, secret);
  await lineUp(server, ids, secret);
  await makeDashboard(server, ids, secret);
  return { ids, secret, picture: () => pictureOfProject(server, ids) };
}

export const giveRole = (server: TestServer, project_id: string, user_id: string, role: Role): Promise<void> =>
  shareWith(server, { kind: 'project', id: project_id }, user_id, role);

/** As `shareWithGroupOf`. */
export const giveRoleByGroup = (
  town: Town,
  project_id: string,
  user_id: string,
  role: 'maintainer' | 'member' | 'pending',
): Promise<void> => shareWithGroupOf(town, { kind: 'project', id: project_id }, user_id, role);

async function logTrace({ cradle }: TestServer, ids: Ids, text: string): Promise<void> {
  const { project_id, log_stream_id: run_id, session_id, trace_id, span_id } = ids;
  const trace = { id: trace_id, input: text, spans: [{ type: 'workflow', id: span_id, input: text }] };
  const to = { project_id, run_id, session_id, is_complete: true, now: now(), newId: randomUUID };
  const records = flattenTraces([trace], to, cradle.explain);
  const batch = { project_id, run_id, settings_revision: 0, records, new_parents: [], score_trace_ids: [] };
  await cradle.traceStore.write(batch);
}

/** A question for annotators, and a queue in which the trace waits. */
async function lineUp({ cradle }: TestServer, ids: Ids, secret: string): Promise<void> {
  const { project_id, log_stream_id: run_id, annotation_template_id, queue_id, trace_id } = ids;
  const made = { project_id, created_by: null, created_at: now() };
  const rule = { annotation_type: 'star', instructions: secret, min: 0, max: 100 } as const;
  const template = { ...made, ...rule, choices: [], id: annotation_template_id, name: secret, updated_at: now() };
  await cradle.ratingStore.insertTemplate(template);
  const queue = { ...made, id: queue_id, run_id, name: secret, template_ids: [annotation_template_id] };
  await cradle.annotationQueueStore.insert(queue);
  await cradle.annotationQueueStore.addItems(project_id, queue_id, [trace_id]);
}

async function startJob({ cradle }: TestServer, created_by: string, ids: Ids, note: string): Promise<void> {
  const { project_id, log_stream_id: run_id, job_id } = ids;
  const { jobStore, clock } = cradle;
  const jobs = new Jobs({ jobStore, clock, newId: () => job_id });
  await jobs.start({ job_name: 'nothing', project_id, run_id, created_by, request_data: { note } });
}

async function pictureOfProject(server: TestServer, ids: Ids): Promise<string> {
  const { cradle } = server;
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
    await cradle.metricSettingsStore.find(project_id, ids.experiment_id),
    await cradle.projectStore.listRuns(project_id, 'experiment', [], byName),
    await cradle.runTagStore.list(project_id, [ids.experiment_id]),
    (await cradle.jobStore.listByRun(project_id, log_stream_id)).length,
    await cradle.ratingStore.list(project_id, log_stream_id, [trace_id]),
    await cradle.ratingStore.listTemplates(project_id),
    await cradle.annotationQueueStore.list(project_id),
    await pictureOfTrends(server, ids),
    await cradle.collaboratorStore.listUsers(object, ALL),
    await cradle.collaboratorStore.listGroups(object, ALL),
    (await cradle.auditStore.list({ object_id: project_id }, ALL)).length,
  ]);
}
