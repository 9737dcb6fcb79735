import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { GroupRole, Visibility } from '../../../core/access/groups/group.ts';
import type { CollaboratorRole } from '../../../core/access/role.ts';
import { ADMIN, startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';

/** A server with one person for each relation to a group. */
export interface Actors {
  readonly server: TestServer;
  readonly maintainer: Person;
  readonly member: Person;
  readonly pending: Person;
  readonly outsider: Person;
  readonly admin: Person;
}

export async function startActors(): Promise<Actors> {
  const server = await startTestServer();
  const [maintainer, member, pending, outsider] = [
    await person(server),
    await person(server),
    await person(server),
    await person(server),
  ];
  const { id } = (await server.cradle.accessStore.findUserByEmail(ADMIN.email))!;
  return { server, maintainer, member, pending, outsider, admin: { ...ADMIN, id, request: server.request } };
}

export async function createGroup(by: Person, fields: { name?: string; visibility?: Visibility } = {}): Promise<string> {
  const { status, body } = await by.request('POST', '/v2/groups', { name: randomUUID(), ...fields });
  expect(status).toBe(200);
  return body.id;
}

/** A group with one of each role. */
export async function peopledGroup({ maintainer, member, pending }: Actors, visibility: Visibility): Promise<string> {
  const id = await createGroup(maintainer, { visibility });
  const members = [{ user_id: member.id }, { user_id: pending.id, role: 'pending' }];
  expect((await maintainer.request('POST', `/v2/groups/${id}/members`, members)).status).toBe(200);
  return id;
}

export async function rolesIn({ server }: Actors, id: string): Promise<Record<string, GroupRole>> {
  const members = await server.cradle.groupStore.listMembers(id, { offset: 0, limit: 100 });
  return Object.fromEntries(members.map(({ user_id, role }) => [user_id, role]));
}

/** Reads the audit log of a group, oldest first. */
export async function audited({ server }: Actors, object_id: string) {
  const entries = await server.cradle.auditStore.list({ object_id }, { offset: 0, limit: 100 });
  return entries.reverse().map(({ action, actor_id, details }) => ({ action, actor_id, details }));
}

/** Shares a dataset with a group. Returns how to ask which role somebody has on it. */
export async function shareDataset({ server }: Actors, group_id: string, role: CollaboratorRole) {
  const { collaboratorStore, authorizer } = server.cradle;
  const id = randomUUID();
  const created_at = new Date().toISOString();
  await collaboratorStore.putGroups({ kind: 'dataset', id }, [{ id: randomUUID(), group_id, role, created_at }]);
  return (who: Person) => authorizer.roleOn({ ...CALLER, user_id: who.id, email: who.email }, 'dataset', id);
}

const CALLER = {
  role: 'user',
  scheme: 'api_key',
  api_key_id: null,
  project_id: null,
  max_role: null,
  purpose: null,
  origin: { request_id: 'r', address: '127.0.0.1' },
} as const;
