import { randomUUID } from 'node:crypto';
import { MemoryAccessStore } from '../../adapters/memory/access/memory-access-store.ts';
import { MemoryAuditStore } from '../../adapters/memory/access/memory-audit-store.ts';
import { MemoryCollaboratorStore } from '../../adapters/memory/access/memory-collaborator-store.ts';
import { MemoryGroupStore } from '../../adapters/memory/access/memory-group-store.ts';
import { MemoryDatabase } from '../../adapters/memory/memory-database.ts';
import { NodeSecrets } from '../../adapters/security/node-secrets.ts';
import { AuditTrail } from '../../core/access/audit/audit-trail.ts';
import { Authorizer } from '../../core/access/authorizer.ts';
import type { Caller } from '../../core/access/caller.ts';
import { RecentPrincipals } from '../../core/access/login/recent-principals.ts';
import type { CollaboratorRole, ObjectKind } from '../../core/access/role.ts';

/** Somebody who asks; a plain user with a bearer token unless said otherwise. */
export const someone = (facts: Partial<Caller> = {}): Caller => ({
  user_id: randomUUID(),
  email: 'ada@example.org',
  role: 'user',
  scheme: 'bearer',
  api_key_id: null,
  project_id: null,
  max_role: null,
  purpose: null,
  origin: { request_id: 'test', address: '127.0.0.1' },
  ...facts,
});

export type Access = ReturnType<typeof openMemoryAccess>;

/** Services that decide permissions, in memory. */
export function openMemoryAccess(clock: () => Date = () => new Date()) {
  const stores = {
    accessStore: new MemoryAccessStore({ database: new MemoryDatabase() }),
    collaboratorStore: new MemoryCollaboratorStore({ database: new MemoryDatabase() }),
    groupStore: new MemoryGroupStore({ database: new MemoryDatabase() }),
    auditStore: new MemoryAuditStore({ database: new MemoryDatabase() }),
  };
  const secrets = new NodeSecrets();
  return {
    ...stores,
    authorizer: new Authorizer({ ...stores, clock }),
    auditTrail: new AuditTrail({ ...stores, secrets, clock }),
    recentPrincipals: new RecentPrincipals({ clock }),
  };
}

/** Gives a caller a role on an object. */
export async function share(
  { collaboratorStore, authorizer }: Pick<Access, 'collaboratorStore' | 'authorizer'>,
  [kind, id]: readonly [ObjectKind, string],
  { user_id }: Pick<Caller, 'user_id'>,
  role: CollaboratorRole,
): Promise<void> {
  await collaboratorStore.putUsers({ kind, id }, [{ id: randomUUID(), user_id, role, created_at: new Date().toISOString() }]);
  authorizer.forget();
}
