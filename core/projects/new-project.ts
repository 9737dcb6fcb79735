import type { AuditEvent } from '../access/audit/audit.ts';
import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { CollaboratorStore } from '../access/groups/collaborator-store.ts';
import type { Clock, NewId, Transactions } from '../kernel/ports.ts';
import type { StoredProject } from './project.ts';
import type { ProjectStore } from './project-store.ts';

export interface NewProjectDeps {
  readonly projectStore: ProjectStore;
  readonly collaboratorStore: CollaboratorStore;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

type WantedProject = Pick<StoredProject, 'name' | 'type' | 'created_by'> & Partial<Pick<StoredProject, 'type_is_default'>>;

/** Rejects with AppError `forbidden` when the caller may not, with `conflict` when the type has a project of this name. */
export async function insertProject(
  deps: NewProjectDeps,
  caller: Caller,
  { name, type, type_is_default = false, created_by }: WantedProject,
): Promise<StoredProject> {
  const { authorizer, projectStore, collaboratorStore, auditTrail, transactions, newId } = deps;
  authorizer.authorizeInOrganization(caller, 'create_object');
  const now = deps.clock().toISOString();
  const id = newId();
  const project = {
    id,
    name,
    type,
    type_is_default,
    created_by,
    description: null,
    labels: [],
    created_at: now,
    updated_at: now,
  };
  await transactions.run(async () => {
    await projectStore.insertProject(project);
    const owner = { id: newId(), user_id: created_by, role: 'owner', created_at: now } as const;
    await collaboratorStore.putUsers({ kind: 'project', id }, [owner]);
    await auditTrail.note(caller, projectEvent('create', id, { name, owner: created_by }));
  });
  return project;
}

export const projectEvent = (verb: string, id: string, details: AuditEvent['details'] = {}): AuditEvent => ({
  action: `project.${verb}`,
  object_kind: 'project',
  object_id: id,
  details,
});
