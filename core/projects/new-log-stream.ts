import type { AuditEvent } from '../access/audit/audit.ts';
import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { Clock, NewId, Transactions } from '../kernel/ports.ts';
import { projectNotFound } from './project.ts';
import type { ProjectStore } from './project-store.ts';
import type { Run } from './run.ts';

export interface NewLogStreamDeps {
  readonly projectStore: ProjectStore;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Rejects with AppError `forbidden` when the caller may not, with `conflict` when the project has one of this name. */
export async function insertLogStream(deps: NewLogStreamDeps, caller: Caller, project_id: string, name: string): Promise<Run> {
  const { projectStore, authorizer, auditTrail, transactions, newId } = deps;
  await authorizer.authorize(caller, 'project', project_id, 'create_run');
  const now = deps.clock().toISOString();
  const facts = { created_by: caller.user_id, has_user_created_sessions: false, created_at: now, updated_at: now };
  const run: Run = { project_id, id: newId(), kind: 'log_stream', name, ...facts };
  await transactions.run(async () => {
    if (!(await projectStore.holdProject(project_id))) throw projectNotFound(project_id);
    await projectStore.insertRun(run);
    await auditTrail.note(caller, logStreamEvent('create', project_id, { log_stream_id: run.id, name }));
  });
  return run;
}

/** Noted with the project, so that its owners find it there. */
export const logStreamEvent = (verb: string, project_id: string, details: AuditEvent['details']): AuditEvent => ({
  action: `log_stream.${verb}`,
  object_kind: 'project',
  object_id: project_id,
  details,
});
