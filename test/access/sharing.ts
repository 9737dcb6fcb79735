import { randomUUID } from 'node:crypto';
import type { ObjectRef } from '../../core/access/role.ts';
import type { TestServer } from '../http/harness.ts';
import { type FixtureServer, now } from './fixture-object.ts';
import { makeGroupRow, putMember } from './fixtures/group-fixtures.ts';
import type { Role } from './row.ts';

export async function shareWith({ cradle }: TestServer, object: ObjectRef, user_id: string, role: Role): Promise<void> {
  await cradle.collaboratorStore.putUsers(object, [{ id: randomUUID(), user_id, role, created_at: now() }]);
}

/** Shares the object with a hidden group of its own, which the user is in by the given role. */
export async function shareWithGroupOf(
  { server, host_id }: FixtureServer,
  object: ObjectRef,
  user_id: string,
  role: 'maintainer' | 'member' | 'pending',
): Promise<void> {
  const group_id = await makeGroupRow(server, host_id, randomUUID(), 'hidden');
  await putMember(server, group_id, user_id, role);
  const group = { id: randomUUID(), group_id, role: 'editor' as const, created_at: now() };
  await server.cradle.collaboratorStore.putGroups(object, [group]);
}
